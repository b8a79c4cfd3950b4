import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { listening } from '../../../../test/fixtures/mcp/over-http.ts'
import type { Revision } from '../../../../test/fixtures/mcp/raw-client.ts'
import { gate } from '../../../combinators/gate/gate.ts'
import { autoReview } from '../../../review/auto-review.ts'
import { createRuntime } from '../../../runtime/create-runtime.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { memoryRuns } from '../../../testing/memory-runs.ts'
import { recordingReview } from '../../../testing/recording-review.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { isExitEarly } from '../../../tool/errors/exit-early.ts'
import { ToolError, type ToolErrorOptions } from '../../../tool/errors/tool-error.ts'
import type { ReviewDecision } from '../../../tool/review.ts'
import { tool } from '../../../tool/tool.ts'
import { silentLogger } from '../../../tool/ports/logger.ts'
import { mcpHandler } from '../http/mcp-handler.ts'
import { connectMcp, type McpConnection } from './connect-mcp.ts'
import type { ConnectMcpOptions } from './connect-options.ts'

const REVISIONS: readonly Revision[] = ['2025-11-25', '2026-07-28']

type Serving = Parameters<typeof mcpHandler>[0]

async function connected(serving: Serving, revision: Revision = '2026-07-28', name = 'desk'): Promise<McpConnection> {
  const handler = await mcpHandler(serving)
  onTestFinished(() => handler.close())
  const url = await listening(handler.node)
  const connection = await connectMcp({ name, url, ...(revision === '2025-11-25' ? { revision } : {}) })
  onTestFinished(() => connection.close())
  return connection
}

const Order = z.object({
  item: z.string(),
  amount: z.number(),
  to: z.object({ city: z.string().optional(), street: z.string().optional() }).optional(),
  note: z.string().nullable().optional(),
})

function order(): { readonly order: AgentTool; readonly done: z.infer<typeof Order>[] } {
  const done: z.infer<typeof Order>[] = []
  const made = tool({
    name: 'order',
    description: 'Orders.',
    inputSchema: Order,
    effect: 'irreversible',
    execute: (given) => (done.push(given), 'Ordered.'),
  })
  return { order: gate(made, { why: 'Money.' }) as AgentTool, done }
}

const input = { item: 'milk', amount: 3, to: { city: 'Bern', street: 'Main St.' } }

describe.each(REVISIONS)('the gate of another server, revision %s', (revision) => {
  test.each<[string, ReviewDecision, object]>([
    ['an approval', { action: 'continue' }, input],
    ['a patch', { action: 'edit', patch: { amount: 1, to: { street: null } } }, { ...input, amount: 1, to: { city: 'Bern' } }],
    ['another input', { action: 'edit', input: { item: 'eggs', amount: 3 } }, { item: 'eggs', amount: 3 }],
    ['another input inside', { action: 'edit', input: { ...input, to: { city: 'Chur' } } }, { ...input, to: { city: 'Chur' } }],
  ])('takes %s of a reviewer here', async (_what, decision, runs) => {
    const far = order()
    const desk = await connected({ tools: [far.order] }, revision)
    const review = recordingReview(decision)
    expect(await desk.tool('order').call(input, { review })).toMatchObject({ ok: true, text: 'Ordered.' })
    expect(far.done).toEqual([runs])
    expect(review.requests).toMatchObject([{ kind: 'approval', tool: 'order', input, risk: 'high' }])
  })

  test('is rejected in the words of the reviewer, and nobody else is quoted', async () => {
    const far = order()
    const desk = await connected({ tools: [far.order] }, revision)
    const call = (decision: ReviewDecision) => desk.tool('order').call(input, { review: autoReview(decision) })
    const shown = JSON.stringify(input)
    expect(await call({ action: 'reject', reason: 'Too dear.' })).toMatchObject({
      text: `Error: Rejected by reviewer, who says "Too dear.": ${shown}`,
      error: { code: 'rejected', outcome: 'not_started', hint: expect.stringContaining('Do not repeat it') },
    })
    expect(await call({ action: 'reject' })).toMatchObject({ text: `Error: Rejected by reviewer: ${shown}` })
    expect(far.done).toEqual([])
  })

  test('is stopped by a reviewer here: the run ends here, and the server hears why', async () => {
    const lines: string[] = []
    const log = { ...silentLogger, warn: (_fields: object, line: string) => void lines.push(line) }
    const stops: string[] = []
    const far = order()
    const on = (event: { readonly type: string; readonly action?: string }): void => {
      if (event.type === 'review.decided') stops.push(event.action ?? '')
    }
    const desk = await connected({ tools: [far.order], log, on: on as never }, revision)
    const stopped = await desk
      .tool('order')
      .call(input, { review: autoReview({ action: 'stop', reason: 'Fraud.' }) })
      .catch((error: unknown) => error)
    expect(isExitEarly(stopped) && stopped.message).toBe("A reviewer stopped the run at 'order': Fraud.")
    await expect.poll(() => stops).toEqual(['stop'])
    expect([far.done, lines]).toEqual([[], []])
  })

  test('that an edit cannot express is shown again, and says why; so is one that does not fit there', async () => {
    const far = order()
    const desk = await connected({ tools: [far.order] }, revision)
    const decisions: ReviewDecision[] = [
      { action: 'edit', input: { item: 'milk', amount: 3, note: null } },
      { action: 'edit', patch: { amount: 'many' } },
      { action: 'edit', patch: { amount: 2 } },
    ]
    const whys: string[] = []
    const review = autoReview(({ why }) => (whys.push(why), decisions[whys.length - 1] ?? { action: 'reject' }))
    expect(await desk.tool('order').call(input, { review })).toMatchObject({ ok: true })
    expect(far.done).toEqual([{ ...input, amount: 2 }])
    expect(whys[1]).toContain('cannot set a field to null: note')
    expect(whys[2]).toContain('Your last answer does not count: The edit does not fit')
  })

  test('of which the calls are recorded here says how it can be opened', async () => {
    const desk = await connected({ tools: [order().order] }, revision)
    const runtime = createRuntime({ tools: [desk], database: memoryRuns(), review: autoReview({ action: 'continue' }) })
    onTestFinished(() => runtime.close())
    const recorded = await connected({ runtime }, revision, 'front')
    const [failed, inMemory] = [
      await recorded.tool('order').call(input, { review: autoReview({ action: 'continue' }) }),
      await (await connected({ runtime, durable: false }, revision, 'front')).tool('order').call(input, {
        review: autoReview({ action: 'continue' }),
      }),
    ]
    expect(failed).toMatchObject({
      error: {
        code: 'reviewer_unreachable',
        message: expect.stringMatching(/recorded run.* a gate of their own .*'durable: false'/) as string,
      },
    })
    expect(inMemory).toMatchObject({ ok: true, text: 'Ordered.' })
  })

  test('says what happened here where nobody decided: no reviewer, and one whose answer is none', async () => {
    const desk = await connected({ tools: [order().order] }, revision)
    const nobody = await desk.tool('order').call(input)
    expect(nobody).toMatchObject({ error: { code: 'reviewer_unreachable', message: expect.stringContaining('the call has no reviewer') } })
    const answered = await desk.tool('order').call(input, { review: { review: () => ({ action: 'answer', value: 'yes' }) } })
    expect(answered).toMatchObject({
      error: {
        code: 'reviewer_unreachable',
        message: expect.stringContaining(`it has the action "answer" on an approval. Give 'continue'`),
      },
    })
    const broken = await desk.tool('order').call(input, {
      review: {
        review: () => {
          throw new Error('postgres://secret-host is down')
        },
      },
    })
    expect(broken).toMatchObject({ error: { message: expect.stringContaining('asked: the reviewer could not be reached.') } })
    expect(JSON.stringify(broken)).not.toContain('secret-host')
  })

  test('that stops there, decided by somebody there, is a failure here and ends no run', async () => {
    const desk = await connected({ tools: [order().order], review: autoReview({ action: 'stop', reason: 'Closed.' }) }, revision)
    expect(await desk.tool('order').call(input)).toMatchObject({
      ok: false,
      error: { code: 'exit_early', class: 'rejected', retryable: false, message: expect.stringContaining('Closed.') },
    })
  })
})

describe.each(REVISIONS)('a question of another server, revision %s', (revision) => {
  const asks = tool({
    name: 'asks',
    description: 'Asks.',
    inputSchema: z.object({}),
    execute: async (_input, { ask }) =>
      `It is ${(await ask({ question: 'Colour?', answerSchema: z.object({ colour: z.string() }) }))?.colour}.`,
  })
  const call = async (review: (() => ReviewDecision) | undefined) => {
    const desk = await connected({ tools: [asks] }, revision)
    return desk.tool('asks').call({}, review === undefined ? {} : { review: { review } })
  }

  test('is answered, and refused in the words of the person', async () => {
    expect((await call(() => ({ action: 'answer', value: { colour: 'red' } }))).text).toBe('It is red.')
    expect((await call(() => ({ action: 'reject', reason: 'Mine.' }))).text).toBe('Error: Rejected by reviewer, who says "Mine.": Colour?')
    expect((await call(() => ({ action: 'reject' }))).text).toBe('Error: Rejected by reviewer: Colour?')
  })

  test('that is only approved is not answered: the failure says what is wanted, and quotes nobody', async () => {
    const approved = await call(() => ({ action: 'continue' }))
    expect(approved).toMatchObject({
      error: { code: 'reviewer_unreachable', message: expect.stringContaining(`"continue" on a question. Give 'answer' with a value`) },
    })
    expect(approved.text).not.toMatch(/who says/)
    expect(approved.text).not.toBe((await call(undefined)).text)
  })
})

const FAILURES: readonly [string, ToolErrorOptions][] = [
  ['The disk is full.', { code: 'disk_full', class: 'semantic', hint: 'Delete something.', outcome: 'failed' }],
  ['Slow down.', { code: 'rate_limited', retryAfterMs: 1500, outcome: 'not_started' }],
  ['The card is old.\nReally.', { class: 'authorization', hint: 'Ask for\nanother card.', outcome: 'unknown' }],
  ['No hint.', { code: 'odd_one', hint: '', outcome: 'failed' }],
  ['Ask later. Ask later.', { code: 'odd_one', hint: 'Ask later.', outcome: 'failed' }],
  ['Retry it.', { class: 'transient', retryable: true, outcome: 'failed' }],
]

describe('a failure', () => {
  const failing = FAILURES.map(([message, options], at) =>
    tool({
      name: `fails_${at}`,
      description: 'Fails.',
      inputSchema: z.object({}),
      effect: 'write',
      execute: (): string => {
        throw new ToolError(message, options)
      },
    }),
  )

  test.each(REVISIONS)('arrives as it was, also behind a second server, revision %s', async (revision) => {
    const desk = await connected({ tools: failing }, revision)
    const behind = await connected({ tools: [desk] }, revision, 'gateway')
    for (const [at, each] of failing.entries()) {
      const here = await each.call({})
      expect(here.ok).toBe(false)
      const { cause: _, ...error } = here.ok ? ({} as never) : here.error
      for (const connection of [desk, behind])
        expect(await connection.tool(`fails_${at}`).call({})).toMatchObject({ text: here.text, error })
    }
  })

  test('inside a program that was started here is not told further over a network', async () => {
    const inside = tool({
      name: 'inside',
      description: 'Fails inside.',
      inputSchema: z.object({}),
      execute: (): string => {
        throw new ToolError('connect to 10.1.2.3 failed', { code: 'odd_one', internal: true })
      },
    })
    const { createMcpServer } = await import('../create-mcp-server.ts')
    const { connectInProcess } = await import('../../../../test/fixtures/mcp/in-process.ts')
    const client = await connectInProcess(await createMcpServer({ tools: [inside] }), '2025-11-25')
    const whole = await client.callTool({ name: 'inside', arguments: {} })
    expect(whole._meta).toMatchObject({ 'toolwright/error': { internal: true } })
    await client.close()
    const { importedResult } = await import('./imported-result.ts')
    const imported = importedResult(whole as never, { server: 'desk', effect: 'read', hasStatus: false })
    expect('error' in imported && imported.error).toMatchObject({ internal: true, message: 'connect to 10.1.2.3 failed' })
  })
})

describe.each(REVISIONS)('a receipt of another server, revision %s', (revision) => {
  async function farRuns(prefix?: string) {
    const far = order()
    const runtime = createRuntime({ tools: [far.order], database: memoryRuns() })
    onTestFinished(() => runtime.close())
    const handler = await mcpHandler({ runtime, principal: { id: 'ada', permissions: [] }, session: 's' })
    onTestFinished(() => handler.close())
    const url = await listening(handler.node)
    const connect = async (options: Partial<ConnectMcpOptions> = {}): Promise<McpConnection> => {
      const shared = { name: 'desk', url, prefix, include: ['order'], ...(revision === '2025-11-25' ? { revision } : {}) } as const
      const made = await connectMcp({ ...shared, ...options } as ConnectMcpOptions)
      onTestFinished(() => made.close())
      return made
    }
    return { far, runtime, connection: await connect(), connect }
  }

  test('whose run_status is not offered here names no tool that is not there, and says what to do', async () => {
    const { connect } = await farRuns()
    const { run_status: _, ...pins } = (await connect()).pins()
    for (const options of [{ pins }, { exclude: ['run_status'] }]) {
      const connection = await connect(options)
      const gateway = await connected({ tools: [connection] }, revision, 'gateway')
      expect(gateway.tools().map(({ name }) => name)).toEqual(['order'])
      for (const [each, server] of [[connection, 'desk'] as const, [gateway, 'gateway > desk'] as const]) {
        const result = await each.tool('order').call({ ...input, item: server })
        expect(result).toMatchObject({ error: { code: 'approval_pending', pending: { server, withoutStatus: true } } })
        expect(result.ok ? '' : result.error.hint).toMatch(/'run_status' of that server is not offered here.*npx toolwright pin --dry-run/)
        expect(result.ok ? '' : result.error.hint).not.toContain("Ask 'run_status'")
      }
    }
    expect((await connect({ pins })).findings()).toMatchObject([{ code: 'tool_unpinned', tool: 'run_status' }])
  })

  test('is data here, and says at which server the run is, what happened here and what to do', async () => {
    const { runtime, connection } = await farRuns()
    const result = await connection.tool('order').call(input)
    const [item] = await runtime.inbox.list()
    expect(result).toMatchObject({
      error: {
        code: 'approval_pending',
        outcome: 'unknown',
        pending: {
          run: item?.run,
          tool: 'order',
          server: 'desk',
          waitsFor: 'person',
          requests: [{ id: item?.request.id, why: 'Money.', input }],
        },
      },
    })
    const { message, hint } = result.ok ? ({} as never) : result.error
    expect(message).toContain(`'order' of MCP server 'desk' waits for a person to decide, as run ${item?.run}. order: Money.`)
    expect(message).toContain('the call has no reviewer')
    expect(message).not.toContain('dismissed')
    expect(hint).toContain(`in the inbox of MCP server 'desk' or, where that runs, with: npx toolwright approve ${item?.request.id}`)
    expect(hint).not.toContain("call 'order' again")
  })

  test('of a step of a durable run is asked for here too: the run waits', async () => {
    const { connection, far } = await farRuns('far')
    const step = connection.tool('order')
    const clock = fakeClock()
    const runtime = createRuntime({ tools: [step], database: memoryRuns({ clock }) })
    onTestFinished(() => runtime.close())
    const run = await runtime.start(step, input)
    await expect.poll(async () => (await runtime.inbox.list()).length).toBe(1)
    const [item] = await runtime.inbox.list()
    expect(item?.request.why).toContain("MCP server 'desk' asks for an approval")
    await runtime.inbox.approve(item?.request.id ?? '')
    expect(await clock.until(run.result())).toMatchObject({ ok: true, text: 'Ordered.' })
    expect(far.done).toEqual([input])
  })

  test('is not needed where a reviewer here decides: the durable run there goes on', async () => {
    const { far, runtime, connection } = await farRuns()
    const review = autoReview({ action: 'edit', patch: { amount: 1 } })
    expect(await connection.tool('order').call(input, { review })).toMatchObject({ ok: true, text: 'Ordered.' })
    expect(far.done).toEqual([{ ...input, amount: 1 }])
    expect(await runtime.inbox.list()).toEqual([])
  })
})
