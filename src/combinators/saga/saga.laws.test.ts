import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Effects, effects } from '../../../test/fixtures/saga/effects.ts'
import {
  buildTree,
  leavesOf,
  type SagaNode,
  sagaTrees,
  stuckLeaves,
  type TreeNode,
  type TreeOptions,
} from '../../../test/fixtures/saga/saga-tree.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { comparable, replayFromEveryPrefix, type RunEnd } from '../../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import { type JournalEntry, memoryJournal } from '../../tool/journal/journal.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'

type Answer = 'continue' | 'reject' | 'stop'

/** Decides by where the request stands, so that every run hears the same. */
const decideBy =
  (answer: Answer) =>
  ({ path }: ReviewRequest): ReviewDecision =>
    path.endsWith('step2:approval') ? { action: answer } : { action: 'continue' }

/** Of stops in branches side by side any may be the one that passes: which, is a matter of time. */
function answeredTrees(options: TreeOptions): fc.Arbitrary<readonly [tree: SagaNode, answer: Answer]> {
  const side = fc.tuple(sagaTrees({ ...options, gates: true }), fc.constantFrom<Answer>('continue', 'reject'))
  return fc.oneof(side, fc.tuple(sagaTrees({ ...options, gates: true, wrappers: ['pipe'] }), fc.constant<Answer>('stop')))
}

function comparableEnd(end: RunEnd): unknown {
  return 'rejected' in end ? end.rejected.message : comparable(end.result)
}

/** Whatever came of a run: all of it stands, or nothing but what could not be undone. */
function expectAllOrNothing(tree: TreeNode, world: Effects, result: ToolResult | undefined): void {
  expect(world.violations).toEqual([])
  if (result?.ok === true) {
    expect([...world.standing].toSorted()).toEqual(
      leavesOf(tree)
        .map(({ id }) => id)
        .toSorted(),
    )
    return
  }
  expect([...world.standing].filter((id) => !stuckLeaves(tree).includes(id))).toEqual([])
}

describe('a saga', () => {
  test('compensates in reverse exactly once, for every failing position [G1]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.nat(),
        fc.constantFrom('failed' as const, 'unknown' as const),
        async (count, at, outcome) => {
          const failing = at % count
          const world = effects()
          const steps = Array.from({ length: count }, (_, index) => ({
            kind: 'leaf' as const,
            outcome: index === failing ? outcome : ('ok' as const),
            undoFails: 0,
            keyed: false,
            gated: false,
            lastsMs: 0,
          }))
          const clock = fakeClock()
          const result = await clock.until(buildTree({ kind: 'saga', steps }, world).call('go', { clock }))
          const done = Array.from({ length: outcome === 'unknown' ? failing + 1 : failing }, (_, index) => `s_${index}`)
          expect(world.history).toEqual([...done.map((id) => `+${id}`), ...done.toReversed().map((id) => `-${id}`)])
          expect(result).toMatchObject({
            ok: false,
            error: { outcome: 'failed' },
            compensation: { state: 'compensated', failedStep: `step${failing}` },
          })
        },
      ),
    )
  })

  test('in a tree of sagas and pipelines undoes exactly what was done, in reverse, but for what is stuck [G1]', async () => {
    const trees = sagaTrees({ outcomes: ['failed', 'unknown', 'flaky'], mostUndoFails: 4, wrappers: ['pipe'] })
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        const world = effects()
        const clock = fakeClock()
        const result = await clock.until(buildTree(tree, world).call('go', { clock, deadline: '1h' }))
        expectAllOrNothing(tree, world, result)
        const done = world.history.filter((each) => each.startsWith('+')).map((each) => each.slice(1))
        const undone = world.history.filter((each) => each.startsWith('-')).map((each) => each.slice(1))
        const stuck = stuckLeaves(tree)
        if (!result.ok) expect(undone).toEqual(done.toReversed().filter((id) => !stuck.includes(id)))
        const left = [...world.standing].length
        if (!result.ok) {
          expect(result.compensation?.state).toBe(left === 0 ? 'compensated' : 'compensation_failed')
          expect(result.error.outcome).toBe(left === 0 ? 'failed' : 'unknown')
          expect(result.compensation?.notUndone.length).toBe(left)
        }
      }),
      { numRuns: 300 },
    )
  })

  test(
    'comes to the same end from every prefix of its journal, gates included, and repeats no effect [G1] [G3] [G5]',
    { timeout: 110_000 },
    async () => {
      const trees = answeredTrees({ outcomes: ['failed', 'unknown', 'flaky'], mostUndoFails: 4, keyed: true })
      await fc.assert(
        fc.asyncProperty(trees, async ([tree, answer]) => {
          const world = effects()
          const whole = buildTree(tree, world)
          const options = () => ({ review: { review: decideBy(answer) }, random: () => 0.5, deadline: '1h' as const })
          const clock = fakeClock()
          await clock.until(
            whole.call('go', { ...options(), clock, journal: memoryJournal(), idempotencyKey: 'replayed-run' }).catch(() => {}),
          )
          const happened = [...world.history]
          const { diverged } = await replayFromEveryPrefix(whole, 'go', { options })
          expect(diverged).toEqual([])
          expect(world.history).toEqual(happened)
        }),
        { numRuns: 60 },
      )
    },
  )

  test('parked at its gates and taken up again, comes to the end of a run that waited [G3] [G5]', { timeout: 110_000 }, async () => {
    const trees = answeredTrees({ outcomes: ['failed', 'unknown'], mostUndoFails: 1 })
    await fc.assert(
      fc.asyncProperty(trees, async ([tree, answer]) => {
        const decide = decideBy(answer)
        const options = { random: () => 0.5, deadline: '1h' as const }
        const { live } = await replayFromEveryPrefix(buildTree(tree, effects()), 'go', {
          options: () => ({ ...options, review: { review: decide } }),
        })
        const world = effects()
        const parked = await runInSegments(buildTree(tree, world), 'go', { decide, options })
        expect(comparableEnd(parked.end)).toEqual(comparableEnd(live))
        expectAllOrNothing(tree, world, 'result' in parked.end ? parked.end.result : undefined)
      }),
      { numRuns: 60 },
    )
  })

  test('cancelled or out of time at any moment, leaves nothing behind [G1] [G3]', { timeout: 60_000 }, async () => {
    const trees = sagaTrees({ outcomes: ['failed', 'unknown', 'flaky'], mostUndoFails: 1 })
    await fc.assert(
      fc.asyncProperty(
        trees,
        fc.integer({ min: 0, max: 30 }),
        fc.boolean(),
        fc.boolean(),
        async (tree, afterMs, isDeadline, isRecorded) => {
          const world = effects()
          const clock = fakeClock()
          const controller = new AbortController()
          const running = buildTree(tree, world).call('go', {
            clock,
            signal: controller.signal,
            deadline: isDeadline ? Math.max(1, afterMs) : '1h',
            ...(isRecorded ? { journal: memoryJournal() } : {}),
          })
          await clock.advance(afterMs)
          if (!isDeadline) controller.abort()
          const result = await clock.until(running)
          expectAllOrNothing(tree, world, result)
        },
      ),
      { numRuns: 300 },
    )
  })

  test.each(['goes on', 'was cancelled before', 'is cancelled where its record ends'])(
    'killed after any write and taken up, it %s and comes to a clean end [G5]',
    { timeout: 110_000 },
    async (how) => {
      const trees = sagaTrees({ outcomes: ['failed', 'unknown', 'flaky'], mostUndoFails: 4 })
      await fc.assert(
        fc.asyncProperty(trees, fc.array(fc.nat({ max: 12 }), { maxLength: 4 }), async (tree, kills) => {
          const world = effects()
          const whole = buildTree(tree, world)
          let entries: readonly JournalEntry[] = []
          for (const writes of kills) entries = await killedAfter(writes, entries, whole)
          const clock = fakeClock()
          const journal = memoryJournal(entries)
          const controller = new AbortController()
          const read = (path: string): JournalEntry | undefined => {
            const entry = journal.read(path)
            if (entry === undefined && how === 'is cancelled where its record ends') controller.abort()
            return entry
          }
          if (how === 'was cancelled before') controller.abort()
          const result = await clock.until(
            whole.call('go', { clock, journal: { ...journal, read }, signal: controller.signal, deadline: '1h', idempotencyKey: 'k' }),
          )
          expectAllOrNothing(tree, world, result)
        }),
        { numRuns: 150 },
      )
    },
  )
})

/** Runs until so many entries are written, then never goes on: as a process that is killed. */
async function killedAfter(
  writes: number,
  past: readonly JournalEntry[],
  whole: ReturnType<typeof buildTree>,
): Promise<readonly JournalEntry[]> {
  const journal = memoryJournal(past)
  const clock = fakeClock()
  let left = writes
  let isOver = false
  const write = (entry: JournalEntry): void | Promise<void> => {
    if (isOver || left-- <= 0) {
      isOver = true
      return new Promise(() => {})
    }
    return journal.write(entry)
  }
  const running = whole.call('go', { clock, journal: { ...journal, write }, deadline: '1h', idempotencyKey: 'k' })
  let hasEnded = false
  running.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  )
  for (;;) {
    await settled()
    if (isOver || hasEnded || !(await clock.next())) return [...journal.entries]
  }
}
