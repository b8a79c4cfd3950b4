import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { comparable, replayFromEveryPrefix, type RunEnd } from '../../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { branch } from './branch.ts'
import { classify } from './classify.ts'
import { when } from './route.ts'

interface Way {
  readonly from: number
  readonly ms: number
  readonly end: 'ok' | 'fails'
  readonly gate: 'none' | 'approved' | 'edited' | 'rejected'
}

const way: fc.Arbitrary<Way> = fc.record({
  from: fc.integer({ min: 0, max: 9 }),
  ms: fc.integer({ min: 0, max: 5 }),
  end: fc.constantFrom('ok', 'ok', 'fails'),
  gate: fc.constantFrom('none', 'approved', 'edited', 'rejected'),
})

const Input = z.object({ n: z.number() })
type Input = z.infer<typeof Input>

function toolOf({ ms, end, gate: gated }: Way, index: number): AgentTool<Input, string> {
  const leaf = tool({
    name: `way_${index}`,
    description: 'Takes its time.',
    inputSchema: Input,
    effect: 'write',
    idempotent: 'keyed',
    execute: async ({ n }, { sleep }) => {
      await sleep(ms)
      if (end === 'fails') throw new Error(`no ${index}`)
      return `${index} of ${n}`
    },
  })
  return gated === 'none' ? leaf : gate(leaf, { why: gated })
}

function decide({ why }: ReviewRequest): ReviewDecision {
  if (why === 'rejected') return { action: 'reject' }
  return why === 'edited' ? { action: 'edit', patch: { n: 100 } } : { action: 'continue' }
}

const options = () => ({ review: { review: decide } })
const ways = fc.array(way, { minLength: 1, maxLength: 4 })

function branchOf(list: readonly Way[], rest: Way | undefined): AgentTool<Input, string> {
  const routes = list.map((each, index) => when(({ n }: Input) => n >= each.from, toolOf(each, index)))
  const otherwise = rest === undefined ? {} : { otherwise: toolOf(rest, list.length) }
  return branch({ name: 'whole', description: 'd', inputSchema: Input, ...otherwise }, routes)
}

/** Asked twice, it says something else: only what is recorded can make a replay agree. */
function classifyOf(list: readonly Way[], rest: Way | undefined): AgentTool<Input, string> {
  let asked = 0
  const routes = Object.fromEntries(list.map((each, index) => [`r${index}`, { tool: toolOf(each, index), description: 'd' }]))
  const otherwise = rest === undefined ? {} : { otherwise: toolOf(rest, list.length) }
  return classify(
    async (_input, described, { usage }) => {
      usage({ tokens: 1 })
      const confidence = asked++ % 3 === 2 ? 0.5 : 0.9
      return [{ route: described[asked % described.length]?.route ?? '', confidence }]
    },
    { name: 'whole', description: 'd', inputSchema: Input, routes, ...otherwise },
  )
}

const made = fc.constantFrom(branchOf, classifyOf)

function resultOf(end: RunEnd): unknown {
  if ('rejected' in end) throw end.rejected
  return comparable(end.result)
}

describe('a branch', () => {
  test('runs exactly the first route whose condition holds, or none [C2]', async () => {
    await fc.assert(
      fc.asyncProperty(ways, fc.option(way, { nil: undefined }), fc.integer({ min: 0, max: 9 }), async (list, rest, n) => {
        const plain = (each: Way): Way => ({ ...each, end: 'ok', gate: 'none', ms: 0 })
        const result = await branchOf(list.map(plain), rest === undefined ? undefined : plain(rest)).call({ n })
        const first = list.findIndex(({ from }) => n >= from)
        const expected = first === -1 ? (rest === undefined ? undefined : list.length) : first
        expect(result).toMatchObject(expected === undefined ? { error: { code: 'no_route' } } : { value: `${expected} of ${n}` })
        expect(result.steps?.length ?? 0).toBe(expected === undefined ? 0 : 1)
      }),
    )
  })

  test('comes to the same end from every prefix of its journal, gates included [C2]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(made, ways, fc.option(way, { nil: undefined }), fc.integer({ min: 0, max: 9 }), async (make, list, rest, n) => {
        const { entries, diverged } = await replayFromEveryPrefix(make(list, rest), { n }, { options })
        expect(entries[0]).toMatchObject({ kind: 'decision', path: 'whole/branch.route' })
        // Before its answer is recorded, a classifier is asked anew; from then on nothing else can happen.
        const unrecorded = make === classifyOf ? 0 : -1
        expect(diverged.filter(({ prefix }) => prefix > unrecorded)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  test('parked at its gates and taken up again, comes to the end of a run that waited [C2]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(ways, fc.option(way, { nil: undefined }), fc.integer({ min: 0, max: 9 }), async (list, rest, n) => {
        const { live } = await replayFromEveryPrefix(branchOf(list, rest), { n }, { options })
        const parked = await runInSegments(branchOf(list, rest), { n }, { decide })
        expect(resultOf(parked.end)).toEqual(resultOf(live))
      }),
      { numRuns: 150 },
    )
  })
})
