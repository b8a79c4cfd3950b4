import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparable } from '../../testing/replay-from-every-prefix.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { replayFromEveryPrefix, type RunEnd } from '../../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { all, best, first, type Join, type JoinKind, partial, quorum } from './join.ts'
import { parallel } from './parallel.ts'

/** A branch that takes some time and succeeds or not; a person may stand before it, and it may sleep in the record before it begins. */
interface Given {
  readonly ms: number
  readonly ok: boolean
  readonly gate: 'none' | 'approved' | 'rejected'
  readonly sleepMs: number | undefined
}

const given: fc.Arbitrary<Given> = fc.record({
  ms: fc.integer({ min: 0, max: 9 }),
  ok: fc.boolean(),
  gate: fc.constantFrom('none', 'none', 'approved', 'rejected'),
  sleepMs: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined, freq: 3 }),
})
const several = fc.array(given, { minLength: 1, maxLength: 5 })
const plain = several.map((list) => list.map((each): Given => ({ ...each, gate: 'none', sleepMs: undefined })))

const succeeds = ({ ok, gate: gated }: Given): boolean => ok && gated !== 'rejected'
const labelOf = (index: number): string => `b${index}`

type AnyJoin = Join<JoinKind, string>

const joins: fc.Arbitrary<AnyJoin> = fc.oneof(
  fc.constant(all()),
  fc.constant(first()),
  fc.double({ min: 0.01, max: 1, noNaN: true }).map((share) => quorum(share)),
  fc.constant(best((value: string) => value.length % 3)),
  fc.integer({ min: 1, max: 9 }).map((after) => partial({ after })),
)

/** In a replay a branch of several steps takes only the time of what is left: a race that time decides may then end otherwise. */
const inOneStep = (each: Given): Given => ({ ...each, sleepMs: undefined })

const UNRACED: ReadonlySet<JoinKind> = new Set<JoinKind>(['all', 'best'])

function branchOf({ ms, ok, gate: gated, sleepMs }: Given, index: number): AgentTool<string, string> {
  const leaf = tool({
    name: `leaf_${index}`,
    description: 'Takes its time.',
    effect: 'write',
    idempotent: 'keyed',
    execute: async (input, { sleep }) => {
      await sleep(ms)
      if (!ok) throw new Error(`no ${index}`)
      return `${input}${'x'.repeat(ms)}${index}`
    },
  })
  const behind = gated === 'none' ? leaf : gate(leaf, { why: gated })
  if (sleepMs === undefined) return behind
  return compound({
    name: `compound_${index}`,
    description: 'Sleeps first.',
    parts: { behind },
    run: async (input, context) => {
      await context.sleep(sleepMs)
      return context.call('behind', behind, input)
    },
  })
}

/** A step that ends when its turn has come, however late it began: which of those that run ends next is the same in every run. */
interface Stage {
  readonly turn: number
  readonly ok: boolean
}

const interleaved: fc.Arbitrary<readonly (readonly Stage[])[]> = fc
  .array(fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 })
  .chain((list) =>
    fc
      .shuffledSubarray(
        Array.from({ length: 15 }, (_, index) => index + 1),
        { minLength: 15 },
      )
      .map((turns) => list.map((stages, branch) => stages.map((ok, stage): Stage => ({ ok, turn: turns[branch * 3 + stage] as number })))),
  )

const BEGAN = fakeClock().now()

function stagesOf(stages: readonly Stage[], index: number): AgentTool<string, string> {
  const leaves = stages.map(({ turn, ok }, stage): AgentTool<string, string> =>
    tool({
      name: `leaf_${index}_${stage}`,
      description: 'Waits for its turn.',
      effect: 'write',
      idempotent: 'keyed',
      execute: async (input, { sleep, clock }) => {
        await sleep(Math.max(0, BEGAN + turn - clock.now()))
        if (!ok) throw new Error(`no ${index}`)
        return `${input}${index}`
      },
    }),
  )
  return compound({
    name: `stages_${index}`,
    description: 'One after another.',
    parts: Object.fromEntries(leaves.map((leaf) => [leaf.name, leaf])),
    run: async (input, context) => {
      let text = input
      for (const leaf of leaves) {
        const result = await context.call(leaf.name, leaf, text)
        if (!result.ok) return result
        text = result.value
      }
      return text
    },
  })
}

interface Wiring {
  readonly join: AnyJoin
  readonly concurrency?: number | undefined
  readonly name?: string | undefined
}

function wholeOf(list: readonly Given[], { join, concurrency, name = 'whole' }: Wiring): AgentTool<string, unknown> {
  const branches = Object.fromEntries(list.map((each, index) => [labelOf(index), branchOf(each, index)]))
  return parallel(branches, { name, join, concurrency })
}

const decide = ({ why }: ReviewRequest): ReviewDecision => ({ action: why === 'rejected' ? 'reject' : 'continue' })
const options = () => ({ review: { review: decide } })

function resultOf(end: RunEnd): ToolResult {
  if ('result' in end) return end.result
  throw end.rejected
}

function run(list: readonly Given[], wiring: Wiring): Promise<ToolResult> {
  const clock = fakeClock()
  return clock.until(wholeOf(list, wiring).call('in', { clock, ...options() }))
}

const labelsOf = (result: ToolResult): readonly string[] => (result.ok ? Object.keys(result.value as object) : [])
const codeOf = (result: ToolResult): string => (result.ok ? '' : result.error.code)

describe('the joins', () => {
  test('all fails exactly when some branch failed, and its value keeps the order of the branches [C3]', async () => {
    await fc.assert(
      fc.asyncProperty(several, fc.integer({ min: 1, max: 6 }), async (list, concurrency) => {
        const result = await run(list, { join: all(), concurrency })
        expect(result.ok).toBe(list.every(succeeds))
        expect(result.steps?.map(({ label }) => label)).toEqual(list.map((_, index) => labelOf(index)))
        expect(labelsOf(result)).toEqual(result.ok ? list.map((_, index) => labelOf(index)) : [])
      }),
    )
  })

  test('a quorum is met exactly when enough branches can succeed [C3]', async () => {
    await fc.assert(
      fc.asyncProperty(several, fc.double({ min: 0.01, max: 1, noNaN: true }), async (list, share) => {
        const needed = Math.ceil(share * list.length - 1e-9)
        const result = await run(list, { join: quorum(share) })
        expect(result.ok).toBe(list.filter(succeeds).length >= needed)
        expect(labelsOf(result).length).toBe(result.ok ? needed : 0)
        const isRejected = list.some(({ gate: gated }) => gated === 'rejected')
        expect(codeOf(result)).toBeOneOf(result.ok ? [''] : isRejected ? ['quorum_not_met', 'rejected'] : ['quorum_not_met'])
      }),
    )
  })

  test('a quorum among branches that take turns is met exactly when enough can succeed [C3]', async () => {
    await fc.assert(
      fc.asyncProperty(plain, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), async (list, concurrency, count) => {
        fc.pre(count <= list.length)
        const result = await run(list, { join: quorum({ count }), concurrency })
        expect(result.ok).toBe(list.filter(succeeds).length >= count)
      }),
    )
  })

  test('first gives the earliest success where there is one [C3]', async () => {
    await fc.assert(
      fc.asyncProperty(plain, async (list) => {
        const result = await run(list, { join: first() })
        const earliest = Math.min(...list.filter(succeeds).map(({ ms }) => ms))
        expect(result.ok).toBe(list.some(succeeds))
        expect(result.ok ? (result.value as string).split('x').length - 1 : Infinity).toBe(earliest)
        expect(codeOf(result)).toBe(result.ok ? '' : 'branches_failed')
      }),
    )
  })

  test('best gives the success with the highest score, of equals the first [C3]', async () => {
    await fc.assert(
      fc.asyncProperty(several, async (list) => {
        const result = await run(list, { join: best((value: string) => value.length) })
        const longest = list
          .map((each, index) => ({ ...each, index }))
          .filter(succeeds)
          .toSorted((a, b) => b.ms - a.ms)[0]
        expect(result.ok).toBe(longest !== undefined)
        expect(result.issues?.at(-1)?.path).toBe(longest === undefined ? undefined : labelOf(longest.index))
      }),
    )
  })

  test('partial gives those that succeeded before its time [C3]', async () => {
    await fc.assert(
      fc.asyncProperty(plain, fc.integer({ min: 1, max: 10 }), async (list, after) => {
        const result = await run(list, { join: partial({ after }) })
        const there = list.flatMap((each, index) => (succeeds(each) && each.ms < after ? [labelOf(index)] : []))
        expect(result.ok).toBe(there.length > 0)
        expect(labelsOf(result)).toEqual(there)
      }),
    )
  })
})

describe('a recorded run', () => {
  test('comes to the same end from every prefix of its journal, whatever the join [C3]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(several, joins, fc.integer({ min: 1, max: 6 }), async (list, join, limit) => {
        const whole = UNRACED.has(join.kind) ? wholeOf(list, { join, concurrency: limit }) : wholeOf(list.map(inOneStep), { join })
        const { diverged } = await replayFromEveryPrefix(whole, 'in', { options })
        expect(diverged).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test(
    'of branches of several steps, interleaved at random and taking turns, comes to the same end [C3]',
    { timeout: 110_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(interleaved, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), async (list, limit, count) => {
          const branches = Object.fromEntries(list.map((each, index) => [labelOf(index), stagesOf(each, index)]))
          for (const join of [first(), quorum({ count: Math.min(count, list.length) })]) {
            const { diverged } = await replayFromEveryPrefix(parallel(branches, { name: 'whole', join, concurrency: limit }), 'in', {
              options,
            })
            expect(diverged).toEqual([])
          }
        }),
        { numRuns: 200 },
      )
    },
  )

  test('comes to the same end when races run inside races [C3]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(plain, joins), { minLength: 1, maxLength: 3 }), joins, async (inner, join) => {
        const branches = inner.map(
          ([list, each], index) => [labelOf(index), wholeOf(list, { join: each, name: `inner_${index}` })] as const,
        )
        const whole = parallel(Object.fromEntries(branches), {
          name: 'outer',
          join: join.kind === 'best' ? best(() => 1) : (join as Join<JoinKind, unknown>),
        })
        const { diverged } = await replayFromEveryPrefix(whole, 'in', { options })
        expect(diverged).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  test('whose branches take turns comes to the end that was decided, once it was decided [C3]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(several, joins, fc.integer({ min: 1, max: 3 }), async (list, join, concurrency) => {
        const { diverged, entries } = await replayFromEveryPrefix(wholeOf(list, { join, concurrency }), 'in', { options })
        const decided = entries.findIndex(({ path }) => path === 'whole/.ended')
        expect(diverged.filter(({ prefix }) => decided >= 0 && prefix > decided)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  test('parked at its gates and taken up again comes to the end of a run that waited [C3]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(several, fc.integer({ min: 1, max: 6 }), fc.nat(4), async (list, concurrency, choice) => {
        const wiring = { join: all(), concurrency }
        const waited = await run(list, wiring)
        const parked = await runInSegments(wholeOf(list, wiring), 'in', { decide, pick: (open) => open[choice % open.length] })
        expect(comparable(resultOf(parked.end))).toEqual(comparable(waited))
      }),
      { numRuns: 100 },
    )
  })
})
