import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { upstream } from '../../../../test/fixtures/mcp/upstream-program.ts'
import { autoReview } from '../../../review/auto-review.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import type { ToolContext } from '../../../tool/context.ts'
import type { Principal } from '../../../tool/principal.ts'
import { connectMcp, type McpConnection } from './connect-mcp.ts'
import type { ConnectMcpOptions } from './connect-options.ts'
import { type AskingCall, LinkCalls } from './link-calls.ts'

async function connected(target: object): Promise<McpConnection> {
  const connection = await connectMcp({ name: 'bank', ...target } as ConnectMcpOptions)
  onTestFinished(() => connection.close())
  return connection
}

function person() {
  const asked: string[] = []
  const review = autoReview(({ why }) => {
    asked.push(why)
    return { action: 'answer', value: { colour: 'red' } }
  })
  return { asked, review }
}

test.each(['a deadline', 'a cancellation'])(
  'while the server may be at work on a call that ended here by %s, its questions go to nobody else [X6]',
  async (how) => {
    const bank = await connected(upstream('usual'))
    const { asked, review } = person()
    const controller = new AbortController()
    const calling = bank.tool('parks').call({}, how === 'a deadline' ? { deadline: 50 } : { signal: controller.signal })
    // The server answers in order: it has got the call before.
    await bank.tool('echo').call({ say: 'x' })
    controller.abort()
    expect(await calling).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
    expect((await bank.tool('asks').call({}, { review })).text).toBe('{"action":"cancel"}')
    expect(asked).toEqual([])
    // Its answer has come: the server asks about the next call only.
    await bank.tool('releases').call({})
    expect((await bank.tool('asks').call({}, { review })).text).toContain('"accept"')
    expect(asked).toHaveLength(1)
  },
)

test('after ten minutes a caller is told which earlier call of its own a question may be about [X6]', async () => {
  const clock = fakeClock()
  const bank = await connected({ ...upstream('usual'), clock })
  const { asked, review } = person()
  const controller = new AbortController()
  const calling = bank.tool('parks').call({}, { signal: controller.signal })
  await bank.tool('echo').call({ say: 'x' })
  controller.abort()
  await calling
  await clock.advance(11 * 60_000)
  expect((await bank.tool('asks').call({}, { review })).text).toContain('"accept"')
  await bank.tool('releases').call({})
  expect((await bank.tool('asks').call({}, { review })).text).toContain('"accept"')
  const doubt = "It may be about an earlier call of yours, which was given up and has had no answer: 'parks'."
  expect(asked.map((each) => each.includes(doubt))).toEqual([true, false])
})

test('over HTTP, a question beside the streams of calls goes to nobody while a call without an answer may ask it [X6]', async () => {
  const tools = ['transfer', 'balance'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } },
    'tools/list': { tools },
  }
  const answered = Promise.withResolvers<unknown>()
  const listening = Promise.withResolvers<ServerResponse>()
  const json = { 'content-type': 'application/json', 'mcp-session-id': 's1' }
  const stream = { 'content-type': 'text/event-stream' }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (request.method === 'GET') {
        response.writeHead(200, stream).write(': hello\n\n')
        return listening.resolve(response)
      }
      const message = (body === '' ? {} : JSON.parse(body)) as {
        id?: unknown
        method?: string
        params?: { name?: string }
        result?: unknown
      }
      const { id, method = '', params } = message
      const reply = (result: object): unknown => response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      if (id === 'late') answered.resolve(message.result)
      if (method === '' || id === undefined) return response.writeHead(202).end()
      if (results[method] !== undefined) return reply(results[method])
      if (method !== 'tools/call') return response.writeHead(404).end()
      if (params?.name === 'transfer') return response.writeHead(200, stream).write(': hello\n\n')
      void answered.promise.then(() => reply({ content: [{ type: 'text', text: 'balance' }] }))
      const question = { message: 'Transfer 500?', requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } } }
      const asking = { jsonrpc: '2.0', id: 'late', method: 'elicitation/create', params: question }
      return listening.promise.then((open) => open.write(`data: ${JSON.stringify(asking)}\n\n`))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bank = await connected({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp` })
  const { asked, review } = person()
  expect(await bank.tool('transfer').call({}, { deadline: 50 })).toMatchObject({ error: { outcome: 'unknown' } })
  expect(await bank.tool('balance').call({}, { review })).toMatchObject({ text: 'balance' })
  expect(await answered.promise).toEqual({ action: 'cancel' })
  expect(asked).toEqual([])
})

const ada = { id: 'ada', tenant: 'herald', permissions: [] }

test.each([
  ['the same caller', ada, { ...ada }, 'asked'],
  ['callers without a name', undefined, undefined, 'asked'],
  ['another caller', ada, { ...ada, id: 'bob' }, 'not asked'],
  ['the same id of another tenant', ada, { ...ada, tenant: 'tribune' }, 'not asked'],
  ['somebody without a name', ada, undefined, 'not asked'],
] as const)('of %s, a call that was left behind for ten minutes does not count: %j %j, %s', async (_, first, second, end) => {
  const clock = fakeClock()
  const way = new AsyncLocalStorage<AskingCall>()
  const calls = new LinkCalls(way, clock)
  const call = (principal: Principal | undefined): AskingCall => ({
    context: { principal } as ToolContext,
    mayRepeat: false,
    questions: 0,
    isBrought: false,
    undecided: undefined,
    denial: undefined,
    unanswered: new Set(),
  })
  const [left, next] = [call(first), call(second)]
  calls.begin(left)
  way.run(left, () => calls.sent(1))
  calls.end(left)
  calls.begin(next)
  expect(calls.only).toBeUndefined()
  await clock.advance(9 * 60_000)
  expect(calls.only).toBeUndefined()
  await clock.advance(1000 * 60_000)
  expect(calls.only).toBe(end === 'asked' ? next : undefined)
  calls.answered(1)
  expect(calls.only).toBe(next)
})

test('where more calls were left behind than can be remembered, nobody is asked', async () => {
  const clock = fakeClock()
  const way = new AsyncLocalStorage<AskingCall>()
  const calls = new LinkCalls(way, clock)
  const call = (): AskingCall => ({
    context: { principal: ada as Principal } as ToolContext,
    mayRepeat: false,
    questions: 0,
    isBrought: false,
    undecided: undefined,
    denial: undefined,
    unanswered: new Set(),
  })
  for (let id = 0; id < 1001; id++) {
    const left = call()
    calls.begin(left)
    way.run(left, () => calls.sent(id))
    calls.end(left)
  }
  calls.begin(call())
  await clock.advance(1000 * 60_000)
  expect(calls.only).toBeUndefined()
})
