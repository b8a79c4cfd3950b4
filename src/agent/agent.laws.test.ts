import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ModelTurn, type ScriptedCall, scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { isFull } from '../../test/fixtures/is-full.ts'
import { gate } from '../combinators/gate/gate.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { saga } from '../combinators/saga/saga.ts'
import { outputRouter } from '../context/output-router.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { leavesUnknown } from '../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../testing/run-in-segments.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { type JournalEntry, memoryJournal } from '../tool/journal/journal.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'

/** What a model asks for in one call. */
const calls = fc.oneof(
  fc.record({ what: fc.constant('find' as const), of: fc.nat(3) }),
  fc.record({ what: fc.constant('pay' as const), order: fc.nat(5) }),
  fc.record({
    what: fc.constantFrom('nothing' as const, 'broken' as const, 'list' as const, 'misfit' as const, 'fail' as const, 'large' as const),
  }),
)
type Asked = typeof calls extends fc.Arbitrary<infer T> ? T : never

/** How a model behaves in one turn: first it fails so often, then it does this. */
const turns = fc.record({
  failures: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat(3) },
    { weight: 1, arbitrary: fc.constant(9) },
  ),
  failure: fc.constantFrom(429, 500, 401, 0),
  does: fc.oneof(
    { weight: 6, arbitrary: fc.array(calls, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(calls, { minLength: 40, maxLength: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom('again' as const, 'empty' as const, 'cut' as const, 'answer' as const) },
  ),
})
type Turn = typeof turns extends fc.Arbitrary<infer T> ? T : never

const SHAPES = ['alone', 'gated', 'saga', 'parallel', 'nested'] as const
const worlds = fc.record({
  shape: fc.constantFrom(...SHAPES),
  first: fc.array(turns, { maxLength: 6 }),
  second: fc.array(turns, { maxLength: 4 }),
  endless: fc.boolean(),
  stubborn: fc.boolean(),
  router: fc.boolean(),
  toolCalls: fc.integer({ min: 0, max: 12 }),
})
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never

function asScripted(asked: Asked): ScriptedCall {
  switch (asked.what) {
    case 'find':
      return ['find', { of: `c${asked.of}` }]
    case 'pay':
      return ['pay', { order: `o${asked.order}` }]
    case 'nothing':
      return ['nothing', {}]
    case 'broken':
      return ['find', '{"of": ']
    case 'list':
      return ['find', '[1]']
    case 'misfit':
      return ['pay', { ordre: 7 }]
    case 'fail':
      return ['fail', { input: 'x' }]
    case 'large':
      return ['large', { input: 'x' }]
  }
}

/** The program of a world, and ledgers of what reached the outside. `known` has how often a model was asked for a turn before. */
function build(world: World, known: ReadonlyMap<string, number> = new Map()) {
  const asked = new Map<string, number>(known)
  const requests: string[] = []
  const paid = new Map<string, Set<string>>()
  const undone: string[] = []
  const find = tool({
    name: 'find',
    description: 'Finds orders.',
    effect: 'read',
    inputSchema: z.object({ of: z.string() }),
    execute: ({ of }) => [`${of}-1`],
  })
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    idempotent: 'keyed',
    inputSchema: z.object({ order: z.string() }),
    execute: ({ order }, { idempotencyKey }) => {
      paid.set(idempotencyKey, (paid.get(idempotencyKey) ?? new Set()).add(order))
      return `${order} is paid`
    },
  })
  const fail = tool({
    name: 'fail',
    description: 'Fails.',
    effect: 'read',
    execute: () => {
      throw new TypeError('x is undefined')
    },
  })
  const large = tool({
    name: 'large',
    description: 'Gives much.',
    effect: 'read',
    execute: () => Array.from({ length: 200 }, (_, row) => ({ row })),
  })
  const tools: readonly AgentTool[] = [find, gate(pay), fail, large] as readonly AgentTool[]

  const play =
    (who: string, script: readonly Turn[], inner?: string): ModelTurn =>
    (request) => {
      const at = request.prompt.filter(({ role }) => role === 'assistant').length
      requests.push(`${who} ${at + 1}`)
      const key = `${who} ${at + 1}`
      const times = (asked.get(key) ?? 0) + 1
      asked.set(key, times)
      const turn = script[at] ?? (world.endless ? script.at(-1) : undefined)
      if (turn === undefined) return 'Done.'
      if (times <= turn.failures)
        return turn.failure === 0
          ? new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
          : Object.assign(new Error('No.'), { status: turn.failure })
      if (request.tools === undefined && !world.stubborn) return 'With what I have.'
      if (turn.does === 'empty') return {}
      if (turn.does === 'cut') return { text: 'It is', finish: 'length' }
      if (turn.does === 'answer') return 'Done early.'
      const again: readonly Asked[] = [{ what: 'find', of: 1 }]
      const list = (turn.does === 'again' ? again : turn.does).map(asScripted)
      return { calls: inner === undefined ? list : [...list, [inner, { task: 'Help.' }]] }
    }
  const make = (name: string, script: readonly Turn[], inner?: AgentTool) =>
    agent({
      name,
      role: name,
      goal: 'Pay.',
      model: scriptedModel(play(name, script, inner?.name)).model,
      tools: inner === undefined ? tools : [...tools, inner],
      limits: { toolCalls: world.toolCalls },
      ...(world.router ? { router: outputRouter({ budget: { window: 3000, maxOutput: 200 } }) } : {}),
    }).asTool()

  const shapes: Readonly<Record<(typeof SHAPES)[number], () => AgentTool>> = {
    alone: () => make('one', world.first) as AgentTool,
    gated: () => gate(make('one', world.first)) as AgentTool,
    nested: () => make('one', world.first, make('two', world.second) as AgentTool) as AgentTool,
    parallel: () => parallel({ a: make('one', world.first), b: make('two', world.second) }) as unknown as AgentTool,
    saga: () => {
      const input = z.object({ task: z.string() })
      const book = tool({
        name: 'book',
        description: 'Books.',
        effect: 'write',
        idempotent: 'keyed',
        inputSchema: input,
        execute: () => 'b1',
      })
      const release = tool({
        name: 'release',
        description: 'Releases.',
        effect: 'write',
        idempotent: true,
        execute: (id) => (undone.push(id), id),
      })
      return saga({ name: 'trip', description: 'Books and pays.', inputSchema: input })
        .step('book', book, { compensate: { with: release, class: 'reversible', input: ({ value }) => value ?? '' } })
        .step('write', make('one', world.first))
        .build() as unknown as AgentTool
    },
  }
  return { program: shapes[world.shape](), requests, paid, undone }
}

function decide({ tool: name, input }: ReviewRequest): ReviewDecision {
  return name === 'pay' && JSON.stringify(input).includes('o5') ? { action: 'reject', reason: 'no' } : { action: 'continue' }
}

/** Model and turn of each answer in a record: those that are whole, and how often it was asked in all. */
function answersIn(entries: readonly JournalEntry[]) {
  const whole = new Set<string>()
  const attempts = new Map<string, Set<string>>()
  for (const entry of entries) {
    if (entry.kind !== 'call' || entry.result === undefined) continue
    const [, who] = /^(.*)_model$/.exec(entry.tool) ?? []
    const [, turn] = /\/turn(\d+)[^/.]*$/.exec(entry.path) ?? []
    if (who === undefined || turn === undefined) continue
    attempts.set(`${who} ${turn}`, (attempts.get(`${who} ${turn}`) ?? new Set()).add(entry.path))
    if (JSON.stringify(entry.result).includes('"ok":true')) whole.add(`${who} ${turn}`)
  }
  return { whole, asked: new Map([...attempts].map(([key, paths]) => [key, paths.size])) }
}

const CODES = new Set([
  'deadline_exceeded',
  'loop_exhausted',
  'budget_exceeded',
  'rate_limited',
  'upstream_error',
  'access_denied',
  'service_unavailable',
  'branches_failed',
])

describe('an agent', () => {
  test('[T18] ends with a clear result, whatever its model, its tools and its place in a program are', { timeout: 600_000 }, async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { program, requests, paid } = build(world)
        const { end } = await runInSegments(program, { task: 'Pay.' } as never, { decide, mostSegments: 400 })
        expect('rejected' in end ? end.rejected : undefined).toBeUndefined()
        if ('rejected' in end) return
        seen.add(end.result.ok ? 'ok' : end.result.error.code)
        // A turn for each call and two more, asked four times each; an inner agent as often as it is called.
        expect(requests.length).toBeLessThanOrEqual(4 * (world.toolCalls + 2) * (world.shape === 'nested' ? world.toolCalls + 2 : 2))
        for (const orders of paid.values()) expect(orders.size).toBe(1)
      }),
      { numRuns: isFull ? 1200 : 40 },
    )
    expect([...seen].filter((code) => code !== 'ok' && !CODES.has(code))).toEqual([])
  })

  test(
    '[T18] [G5] that is killed at any point ends as it would have; no recorded answer is asked for again, no key pays twice',
    { timeout: 600_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(worlds, fc.array(fc.nat(10_000), { minLength: 4, maxLength: 4 }), async (world, cuts) => {
          const run = async (past: readonly JournalEntry[]) => {
            const built = build(world, answersIn(past).asked)
            const journal = memoryJournal(past)
            const clock = fakeClock()
            const review = { review: async (request: ReviewRequest) => decide(request) }
            const result = await clock.until(
              built.program.call({ task: 'Pay.' } as never, { journal, clock, review, idempotencyKey: 'one', deadline: '2h' }),
            )
            return { ...built, result, entries: journal.entries }
          }
          const live = await run([])
          for (const cut of cuts) {
            const past = live.entries.slice(0, cut % (live.entries.length + 1))
            if (leavesUnknown(past, live.entries)) continue
            const again = await run(past)
            const { whole } = answersIn(past)
            expect(again.requests.filter((key) => whole.has(key) && world.shape !== 'nested')).toEqual([])
            if (!world.router) expect(again.result.text).toBe(live.result.text)
            expect(again.result.ok).toBe(live.result.ok)
            for (const [key, orders] of again.paid) expect(new Set([...orders, ...(live.paid.get(key) ?? [])]).size).toBe(1)
          }
        }),
        { numRuns: isFull ? 800 : 20 },
      )
    },
  )
})
