import { setTimeout } from 'node:timers/promises'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectInProcess } from '../../../test/fixtures/mcp/in-process.ts'
import type { Revision } from '../../../test/fixtures/mcp/raw-client.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { createRuntime, type RuntimeOptions } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { createMcpServer, type McpServerOptions, type McpTools } from './create-mcp-server.ts'

const ada = { principal: { id: 'ada', permissions: [] }, session: 'desk' }
const approve = { action: 'accept', content: { decision: 'approve' } }

/** A server whose tool pays twice, each time after an approval. */
async function till(more: RuntimeOptions = {}, options: Partial<McpServerOptions> = {}) {
  const paid: string[] = []
  const part = (name: string) =>
    gate(tool({ name, description: 'Pays.', effect: 'write', execute: (to) => (paid.push(`${name} ${to}`), String(to)) }))
  const pay = parallel({ rent: part('rent'), food: part('food') }, { name: 'pay', description: 'Pays both.' })
  const runtime = createRuntime({ tools: [pay], database: memoryRuns(), ...more })
  onTestFinished(() => runtime.close())
  const tools = await createMcpServer({ runtime, ...ada, ...options })
  onTestFinished(() => tools.close())
  return { paid, runtime, tools }
}

interface Round {
  readonly result?: {
    readonly resultType?: string
    readonly requestState?: string
    readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>
    readonly content?: readonly { readonly text?: string }[]
  }
}

/** One round of a call on revision 2026-07-28, as a client that asks its user later sends it. */
async function round({ newServer }: McpTools, params: object = {}, signal?: AbortSignal): Promise<NonNullable<Round['result']>> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'pay',
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: { input: 'bob' }, ...params, _meta } }
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(message), ...(signal && { signal }) })
  const text = await (await createMcpHandler(newServer).fetch(request)).text()
  const { result } = JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? text)) as Round
  if (result === undefined) throw new Error(text)
  return result
}

test.each<Revision>(['2025-11-25', '2026-07-28'])(
  'the reviewer of the runtime is asked, and no form reaches the client of %s [T14]',
  async (revision) => {
    const asked: string[] = []
    // It takes longer than a client would.
    const review = {
      review: async ({ tool: name }) => (asked.push(name), await setTimeout(100), { action: 'continue' }),
    } satisfies ReviewHandler
    const { paid, tools } = await till({ review })
    let forms = 0
    const answer = () => {
      forms++
      return { action: 'accept', content: { decision: 'reject' } } as const
    }
    const client = await connectInProcess(tools, revision, { answer })
    onTestFinished(() => client.close())
    await client.callTool({ name: 'pay', arguments: { input: 'bob' } })
    expect([forms, asked.toSorted(), paid.toSorted()]).toEqual([0, ['food', 'rent'], ['food bob', 'rent bob']])
  },
)

describe('the answers of a client on 2026-07-28', () => {
  test('that lack a request leave it open: it is asked for in the next round [T14]', async () => {
    const { paid, tools } = await till()
    const first = await round(tools)
    const [one = '', other = ''] = Object.keys(first.inputRequests ?? {})
    const second = await round(tools, { requestState: first.requestState, inputResponses: { [one]: approve } })
    expect(Object.keys(second.inputRequests ?? {})).toEqual([other])
    expect(paid).toHaveLength(1)
    const last = await round(tools, { requestState: second.requestState, inputResponses: { [other]: approve } })
    expect([last.inputRequests, paid.toSorted()]).toEqual([undefined, ['food bob', 'rent bob']])
  })

  test('count a form that does not fit from the state, three times; counts that are none count as none [T14]', async () => {
    const { paid, runtime, tools } = await till()
    let { requestState, inputRequests = {} } = await round(tools)
    const [one = ''] = Object.keys(inputRequests)
    const unfit = { [one]: { action: 'accept', content: { decision: 'edit' } } }
    const { run } = JSON.parse(Buffer.from(requestState?.slice(4) ?? '', 'base64url').toString()) as { readonly run: string }
    const forged = { run, forms: { [one]: 'many' } }
    const odd = await round(tools, {
      requestState: `run.${Buffer.from(JSON.stringify(forged)).toString('base64url')}`,
      inputResponses: unfit,
    })
    expect(odd.inputRequests?.[one]?.params.message).toContain('Your last answer does not count')
    for (const isShown of [true, true, false]) {
      ;({ requestState, inputRequests = {} } = await round(tools, { requestState, inputResponses: unfit }))
      expect(one in inputRequests).toBe(isShown)
    }
    expect([paid, (await runtime.inbox.list()).length]).toEqual([[], 2])
  })
})

test.each([
  ['as a durable run', undefined],
  ['in memory', false],
])('a call that was given up before it began does nothing, %s [T10]', async (_way, durable) => {
  const noted: string[] = []
  const note = tool({ name: 'note', description: 'Notes.', effect: 'write', execute: (text) => (noted.push(String(text)), 'Noted.') })
  const runtime = createRuntime({ tools: [note], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const over = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const tools = await createMcpServer({
    runtime,
    durable,
    ...ada,
    // A handler of the program that takes its time, in front of ours.
    onServer: (server, { call }) =>
      server.setRequestHandler('tools/call', async (request, context) => {
        const { signal } = context.mcpReq
        begun.resolve()
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        return call(request, context).finally(over.resolve)
      }),
  })
  const client = await connectInProcess(tools, '2025-11-25')
  onTestFinished(() => client.close())
  const giving = new AbortController()
  const given = client.callTool({ name: 'note', arguments: { input: 'x' } }, { signal: giving.signal }).catch((error: unknown) => error)
  await begun.promise
  giving.abort('I changed my mind.')
  await Promise.all([given, over.promise])
  expect(noted).toEqual([])
})

test('an answer that was given up approves nothing, in memory [T14]', async () => {
  const over = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { paid, tools } = await till(
    {},
    {
      durable: false,
      onServer: (server, { call }) =>
        server.setRequestHandler('tools/call', async (request, context) => {
          const { signal, inputResponses } = context.mcpReq
          if (inputResponses === undefined) return call(request, context)
          begun.resolve()
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
          return call(request, context).finally(over.resolve)
        }),
    },
  )
  const { requestState, inputRequests = {} } = await round(tools)
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((id) => [id, approve]))
  const giving = new AbortController()
  const given = round(tools, { requestState, inputResponses }, giving.signal).catch((error: unknown) => error)
  await begun.promise
  giving.abort(new Error('I changed my mind.'))
  await Promise.all([given, over.promise])
  await setTimeout(20)
  expect(paid).toEqual([])
})
