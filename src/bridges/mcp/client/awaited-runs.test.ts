import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { refundTool } from '../../../../test/fixtures/ai-sdk/durable-desk.ts'
import { listening } from '../../../../test/fixtures/mcp/over-http.ts'
import type { Revision } from '../../../../test/fixtures/mcp/raw-client.ts'
import { ToolPipeline } from '../../../combinators/pipe/tool-pipeline.ts'
import type { Inbox } from '../../../review/inbox.ts'
import { createRuntime, type Runtime } from '../../../runtime/create-runtime.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { type MemoryRuns, memoryRuns } from '../../../testing/memory-runs.ts'
import type { McpImportOptions } from '../../../runtime/mcp-server-entry.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { tool } from '../../../tool/tool.ts'
import { mcpHandler } from '../http/mcp-handler.ts'
import { connectMcp } from './connect-mcp.ts'

const ada = { principal: { id: 'ada', permissions: [] }, session: 'desk' }
const note = tool({ name: 'note', description: 'Notes it.', effect: 'read', execute: (text) => `Noted: ${text}` })

/** Two programs, each with a database of its own: a desk with a gate, and a front whose pipeline has the tool of the desk as a step. */
class World {
  readonly done: string[] = []
  there = memoryRuns()
  readonly clock = fakeClock()
  readonly here: MemoryRuns = memoryRuns({ clock: this.clock })
  readonly #revision: Revision
  #handle: Awaited<ReturnType<typeof mcpHandler>>['node'] = async () => {}
  #url = ''
  front!: Runtime
  desk!: Runtime
  flow!: AgentTool<{ readonly email: string }>

  readonly #options: Pick<McpImportOptions, 'elicitation'>

  constructor(revision: Revision, options: Pick<McpImportOptions, 'elicitation'> = {}) {
    this.#revision = revision
    this.#options = options
  }

  async begin(): Promise<this> {
    this.#url = await listening((...given) => this.#handle(...given))
    await this.openDesk()
    await this.openFront()
    return this
  }

  /** A process with the desk, which takes the address over. */
  async openDesk(): Promise<void> {
    const desk = createRuntime({ tools: [refundTool((what) => this.done.push(what))], database: this.there })
    const handler = await mcpHandler({ runtime: desk, ...ada })
    onTestFinished(async () => {
      await handler.close()
      await desk.close()
    })
    this.desk = desk
    this.#handle = handler.node
  }

  /** A process with the front. */
  async openFront(): Promise<void> {
    const pinned = this.#revision === '2025-11-25' ? { revision: this.#revision } : {}
    const connection = await connectMcp({ name: 'desk', url: this.#url, ...pinned, ...this.#options })
    onTestFinished(() => connection.close())
    this.flow = ToolPipeline.builder()
      .name('flow')
      .description('Refunds, and notes it.')
      .step(connection.tool('refund'))
      .adapter(({ text }) => text)
      .step(note)
      .build() as never
    this.front = createRuntime({ tools: [this.flow], database: this.here })
    onTestFinished(() => this.front.close())
  }

  /** Starts the run of the front, until people are asked on both sides. */
  async start(): Promise<string> {
    const { id } = await this.front.start(this.flow, { email: 'a@b.c' })
    await vi.waitUntil(async () => (await this.front.inbox.list()).length === 1, 10_000)
    return id
  }

  async end(id: string): Promise<{ readonly text: string; readonly ok: boolean }> {
    const run = await this.front.run(id)
    const result = await this.clock.until(run.result())
    await vi.waitUntil(async () => (await this.desk.inbox.list()).length === 0)
    return result
  }
}

type Side = 'here' | 'there'

interface Crash {
  readonly of: readonly Side[]
  readonly when: 'before' | 'after'
}

const SIDES: readonly (readonly Side[])[] = [[], ['here'], ['there'], ['here', 'there']]
const CRASHES: readonly Crash[] = SIDES.flatMap((of) => (['before', 'after'] as const).map((when) => ({ of, when })))
const DECISIONS = [
  ['approve', (inbox: Inbox, id: string) => inbox.approve(id, 'bob'), 'Noted: Paid back 250 for A1.', ['paid A1 250']],
  ['edit', (inbox: Inbox, id: string) => inbox.edit(id, { patch: { amount: 40 } }, 'bob'), 'Noted: Paid back 40 for A1.', ['paid A1 40']],
  ['reject', (inbox: Inbox, id: string) => inbox.reject(id, 'Fraud.', 'bob'), 'Fraud.', []],
] as const

const ALL = (['2025-11-25', '2026-07-28'] as const).flatMap((revision) =>
  (['here', 'there'] as const).flatMap((side) =>
    DECISIONS.flatMap(([what, decide, told, paid]) =>
      CRASHES.map((crash) => ({
        revision,
        side,
        what,
        decide,
        told,
        paid,
        crash,
        name: `${crash.of.join(' and ') || 'nothing'} ${crash.when}`,
      })),
    ),
  ),
)
/** Every fifth row meets every value of every column. */
const TABLE = process.env['TOOLWRIGHT_TESTS'] === 'full' ? ALL : ALL.filter((_, at) => at % 5 === 0)

describe('a durable run here over a gate on a durable run there', () => {
  test.each(TABLE)('$revision: $what $side, crash of $name it: both finish [T14] [X6]', async (row) => {
    const { revision, side, decide, told, paid, crash } = row
    const world = await new World(revision).begin()
    const id = await world.start()
    expect(await world.desk.inbox.list()).toHaveLength(1)
    const crashed = async (): Promise<void> => {
      if (crash.of.includes('there')) {
        world.there.crash()
        await world.openDesk()
      }
      if (crash.of.includes('here')) {
        world.here.crash()
        await world.openFront()
      }
    }
    if (crash.when === 'before') await crashed()
    const inbox = side === 'here' ? world.front.inbox : world.desk.inbox
    const [item] = await inbox.list()
    await decide(inbox, item?.request.id ?? '')
    if (crash.when === 'after') await crashed()
    expect((await world.end(id)).text).toContain(told)
    expect(await world.front.inbox.list()).toEqual([])
    expect(world.done).toEqual(['found a@b.c', ...paid])
  })

  test('the run here is parked meanwhile, and says whose approval it waits for [T14]', async () => {
    const world = await new World('2026-07-28').begin()
    const id = await world.start()
    await world.here.idle()
    expect(await (await world.front.run(id)).status()).toMatchObject({ status: 'waiting', why: { code: 'person' } })
    const [item] = await world.front.inbox.list()
    expect(item?.request).toMatchObject({ tool: 'refund', input: { orderId: 'A1', amount: 250 } })
    expect(item?.request.why).toBe("MCP server 'desk' asks for an approval:\n  | 250 is above 100.")
  })

  test('a run that the other server has removed is not waited for for ever; its receipt stays [T14]', async () => {
    const world = await new World('2026-07-28').begin()
    const id = await world.start()
    const [item] = await world.desk.inbox.list()
    await world.desk.close()
    world.there = memoryRuns()
    await world.openDesk()
    const run = await world.front.run(id)
    const result = await world.clock.until(run.result())
    expect(result.text).toContain(`does not know its run '${item?.run}' any more`)
    expect(result).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
  })

  test('a stop here ends the run there [T14]', async () => {
    const world = await new World('2026-07-28').begin()
    const id = await world.start()
    const [item] = await world.front.inbox.list()
    await world.front.inbox.stop(item?.request.id ?? '', 'bob')
    await expect.poll(async () => (await (await world.front.run(id)).status()).status).toBe('stopped')
    expect(await world.desk.inbox.list()).toEqual([])
    expect(world.done).toEqual(['found a@b.c'])
  })

  test('without forms nobody is asked here: no decision could be brought there [T14]', async () => {
    const world = await new World('2026-07-28', { elicitation: false }).begin()
    const { id } = await world.front.start(world.flow, { email: 'a@b.c' })
    await vi.waitUntil(async () => (await world.desk.inbox.list()).length === 1, 10_000)
    await world.here.idle()
    expect(await world.front.inbox.list()).toEqual([])
    const [item] = await world.desk.inbox.list()
    await world.desk.inbox.approve(item?.request.id ?? '', 'bob')
    expect((await world.end(id)).text).toContain('Noted: Paid back 250')
  })
})

test('a run that a tool of the server has called is not that of the call: the step fails with its receipt [T14] [X6]', async () => {
  const world = await new World('2026-07-28').begin()
  // A server without a database, whose pipeline has the tool of the desk as a step.
  const between = await mcpHandler({ tools: [world.flow] })
  const connection = await connectMcp({ name: 'between', url: await listening((...given) => between.node(...given)) })
  onTestFinished(async () => {
    await connection.close()
    await between.close()
  })
  const outer = ToolPipeline.builder().name('outer').description('Goes through.').step(connection.tool('flow')).build()
  const runtime = createRuntime({ tools: [outer], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const result = await (await runtime.start(outer, { email: 'a@b.c' } as never)).result()
  expect(result).toMatchObject({ ok: false, error: { code: 'approval_pending', pending: { server: 'between > desk' } } })
  expect(await runtime.inbox.list()).toEqual([])
  expect(world.done).toEqual(['found a@b.c'])
})
