import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { everything, filesIn } from '../../../../test/fixtures/mcp/reference-servers.ts'
import { connectInProcess } from '../../../../test/fixtures/mcp/in-process.ts'
import type { Revision } from '../../../../test/fixtures/mcp/raw-client.ts'
import { upstream } from '../../../../test/fixtures/mcp/upstream-program.ts'
import { fallback } from '../../../combinators/fallback/fallback.ts'
import { gate } from '../../../combinators/gate/gate.ts'
import { into } from '../../../combinators/pipe/into.ts'
import { pipe } from '../../../combinators/pipe/pipe.ts'
import { retry } from '../../../combinators/retry/retry.ts'
import { saga } from '../../../combinators/saga/saga.ts'
import { check } from '../../../plan/check.ts'
import { autoReview } from '../../../review/auto-review.ts'
import { createRuntime } from '../../../runtime/create-runtime.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { memoryRuns } from '../../../testing/memory-runs.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { tool } from '../../../tool/tool.ts'
import { createMcpServer } from '../create-mcp-server.ts'
import { mcpHandler } from '../http/mcp-handler.ts'
import { connectMcp, type McpConnection } from './connect-mcp.ts'

let up: McpConnection

beforeAll(async () => {
  up = await connectMcp({ name: 'up', ...upstream('usual'), metadata: { dies: { effect: 'read' } } })
})

afterAll(() => up.close())

describe('a tool of a server is a step like any other', () => {
  test('of a durable run: its key stays the same, and a person decides before it', async () => {
    const careful = gate(up.tool('meta'), { approval: true })
    const runtime = createRuntime({ tools: [careful], database: memoryRuns() })
    onTestFinished(() => runtime.close())
    const run = await runtime.start(careful, {})
    await expect.poll(async () => (await runtime.inbox.list()).length).toBe(1)
    const [request] = await runtime.inbox.list()
    await runtime.inbox.approve(request?.request.id ?? '', 'bob')
    const result = await run.result()
    expect(result).toMatchObject({ ok: true })
    expect((result as { value: { meta: Record<string, unknown> } }).value.meta['toolwright/idempotency-key']).toMatch(/./)
  })

  test('of a durable run: a reply that was lost leaves the outcome unknown, and nothing repeats it', async () => {
    const own = await connectMcp({ name: 'own', ...upstream('usual') })
    onTestFinished(() => own.close())
    const dies = retry(own.tool('dies'), { attempts: 3 })
    const runtime = createRuntime({ tools: [dies], database: memoryRuns() })
    onTestFinished(() => runtime.close())
    const run = await runtime.start(dies, {})
    const result = await run.result()
    expect(result).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
    expect(result.attempts ?? [1]).toHaveLength(1)
  })

  test('of a durable run: nobody is asked a question of the server, since an answer could not be kept', async () => {
    const asks = up.tool('asks')
    const runtime = createRuntime({
      tools: [asks],
      database: memoryRuns(),
      review: autoReview(() => ({ action: 'answer', value: { colour: 'red' } })),
    })
    onTestFinished(() => runtime.close())
    const { ok, text } = await (await runtime.start(asks, {})).result()
    expect(ok).toBe(true)
    // The remedies are for those who run the program.
    expect(text).toMatch(
      /^{"action":"cancel"}\nWarning: Nobody has decided here .* a step of a recorded run.* a gate of their own .*'durable: false'/,
    )
  })

  test('of a retry: a read is tried again after the server has died, with the wait that it asks for', async () => {
    const own = await connectMcp({ name: 'own', ...upstream('usual'), metadata: { dies: { effect: 'read' } } })
    onTestFinished(() => own.close())
    const result = await retry(own.tool('dies'), { attempts: 2, base: 1 }).call({}, { deadline: '10s' })
    expect(result).toMatchObject({ ok: false, error: { code: 'service_unavailable' } })
    expect(result.attempts).toHaveLength(2)
  })

  test('of a fallback and of a pipeline; check knows its effect', async () => {
    const safe = fallback({ name: 'safe', description: 'Says it.' }, [up.tool('dies'), up.tool('echo')])
    expect(await safe.call({ say: 'second' }, { deadline: '10s' })).toMatchObject({ ok: true, text: 'second', level: 'echo' })
    const piped = pipe(
      up.tool('echo'),
      into(({ text }) => ({ say: `${text}!` }), up.tool('echo')),
    )
    expect(await piped.call({ say: 'hi' })).toMatchObject({ text: 'hi!' })
    expect(check(retry(up.tool('echo'))).map(({ code }) => code)).toContain('retried_effect')
  })

  test('of a saga: it is undone by another one', async () => {
    const undone: unknown[] = []
    const undo = tool({
      name: 'undo',
      description: 'Undoes.',
      inputSchema: z.object({ say: z.string() }),
      effect: 'write',
      execute: ({ say }) => void undone.push(say),
    })
    const both = saga({ name: 'both', description: 'Does both.', inputSchema: z.object({ say: z.string() }) })
      .step('say', up.tool('echo'), {
        compensate: { with: undo, class: 'reversible', input: ({ stepInput }) => ({ say: String(stepInput['say']) }) },
      })
      .step('fail', up.tool('fails'), { input: () => ({ why: 'no' }), compensate: 'irreversible' })
      .build()
    const result = await both.call({ say: 'first' })
    expect(result).toMatchObject({ ok: false })
    expect(undone).toEqual(['first'])
  })

  test('of a call on a clock of its own: its deadline goes by that clock', async () => {
    const clock = fakeClock()
    expect(await clock.until(up.tool('hangs').call({}, { clock, deadline: '1h' }))).toMatchObject({ error: { code: 'deadline_exceeded' } })
  })
})

describe.each<Revision>(['2025-11-25', '2026-07-28'])('two real servers in one pipeline, served again in revision %s', (revision) => {
  test('are called through the official client, with a person before the effect [T10] [X6]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'composed-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'in.txt'), '700 250')
    const files = await connectMcp({
      name: 'files',
      ...filesIn(folder),
      metadata: { read_text_file: { effect: 'read', outputSchema: z.object({ content: z.string() }) } },
    })
    onTestFinished(() => files.close())
    const sums = await connectMcp({ name: 'sums', ...everything, trustAnnotations: true })
    onTestFinished(() => sums.close())
    expect([...files.findings(), ...sums.findings()]).toEqual([])
    const total = pipe.named({ name: 'total', description: 'Adds up a file.' })(
      files.tool('read_text_file'),
      into(({ value }) => {
        const [a, b] = value.content.split(' ').map(Number)
        return { a, b }
      }, sums.tool('get-sum')),
      into(({ text }) => ({ path: join(folder, 'out.txt'), content: text }), gate(files.tool('write_file'), { approval: true })),
    )
    const tools = await createMcpServer({ tools: [total] })
    onTestFinished(tools.close)
    expect(await overHttp(total, { path: join(folder, 'in.txt') })).toBe(true)
    const client = await connectInProcess(tools, revision, { answer: () => ({ action: 'accept', content: { decision: 'approve' } }) })
    onTestFinished(() => client.close())
    const answer = await client.callTool({ name: 'total', arguments: { path: join(folder, 'in.txt') } })
    expect(answer.isError).not.toBe(true)
    expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe('The sum of 700 and 250 is 950.')
    expect(await files.tool('read_text_file').call({ path: '/etc/passwd' })).toMatchObject({ ok: false })
  })
})

/** Served by an endpoint on the loopback interface, and called by the official client with a person who rejects: the answer is an error. */
async function overHttp(total: AgentTool, input: Record<string, unknown>): Promise<boolean> {
  const handler = await mcpHandler({ tools: [total] })
  onTestFinished(() => handler.close())
  const server = createServer(handler.node).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } })
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { decision: 'reject' } }))
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
  onTestFinished(() => client.close())
  const { isError } = await client.callTool({ name: 'total', arguments: input })
  return isError === true
}
