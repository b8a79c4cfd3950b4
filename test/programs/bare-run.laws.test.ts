import { expect, test } from 'vitest'
import { fakeClock } from '../../src/testing/fake-clock.ts'
import type { CallOptions } from '../../src/tool/context.ts'
import { silentLogger } from '../../src/tool/ports/logger.ts'
import { buildProgram } from './build-program.ts'
import { generateProgram } from './generate-program.ts'
import { type LeafOrder, orderFailure, treatOrder } from './leaf-order.ts'
import type { Program } from './program.ts'
import { RandomStream } from './random-stream.ts'
import { KINDS, showProgram } from './table.ts'

/** Without people: nobody is there to ask. */
const WITHOUT = new Set(['ask', 'gate'] as const)
const ROOTS = KINDS.filter((kind) => kind !== 'leaf' && !(WITHOUT as ReadonlySet<string>).has(kind))
const ROUNDS = 30

interface Seen {
  readonly at: number
  readonly path: string
  readonly what: 'begins' | 'is aborted'
}

/** Branches that are cut off at one moment have no order among themselves. The steps of one branch take time. */
function inOrder(seen: readonly Seen[]): readonly Seen[] {
  return seen.toSorted((a, b) => a.at - b.at || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

interface Times {
  readonly abortAt: number
  readonly deadline: number
}

/** No two times are equal, so that the order of what happens is the same in both runs. */
function ownMs(position: string, ms: number): number {
  return ms + [...position].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) / 3001
}

async function endOf(program: Program, prefix: string, { abortAt, deadline }: Times, more: CallOptions): Promise<unknown> {
  const clock = fakeClock(0)
  const controller = new AbortController()
  const seen: Seen[] = []
  const times = new Map<string, number>()
  const order = async ({ leaf, path, key, mode, ms }: LeafOrder, { signal }: { readonly signal: AbortSignal }): Promise<void> => {
    seen.push({ at: clock.tick(), path, what: 'begins' })
    signal.addEventListener('abort', () => seen.push({ at: clock.tick(), path, what: 'is aborted' }))
    const count = (times.get(key) ?? 0) + 1
    times.set(key, count)
    const { says } = treatOrder(mode, count)
    // What is lost never answers: only its signal ends the wait.
    if (mode === 'lost') await new Promise(() => {})
    await new Promise<void>((resolve) => void clock.timer(ownMs(leaf.slice(prefix.length), ms), resolve))
    if (says !== 'done') throw orderFailure({ leaf, mode }, says)
  }
  const { tool } = buildProgram(program, { prefix, order })
  clock.timer(abortAt, () => controller.abort(new Error('given up')))
  const options = { clock, deadline, signal: controller.signal, ids: () => 'id', random: () => 0.5, ...more }
  const end = await clock.until(
    tool.call('x', options).then(
      (result) => JSON.stringify(result),
      (fatal: Error) => fatal.message,
    ),
  )
  const endedAt = clock.tick()
  await clock.advance(100_000)
  return {
    // A long message may be cut off inside the prefix.
    end: end.replaceAll(prefix, '').replaceAll(/(?<=')[ab]\d*r?\d*_?(?=\.{3})/g, ''),
    endedAt,
    seen: inOrder(seen).map(({ at, path, what }) => `${at} ${path.replaceAll(prefix, '')} ${what}`),
    timers: clock.pending(),
  }
}

test.each(ROOTS)('a run of %s that nobody watches ends as one that somebody watches [C3] [P6]', async (root) => {
  for (let round = 0; round < ROUNDS; round++) {
    const random = new RandomStream(round * 1000 + ROOTS.indexOf(root))
    const program = generateProgram(random, { leaves: 2 + random.below(6), isPlain: true, without: WITHOUT, root })
    const times = { abortAt: random.between(0, 120) + 0.00013, deadline: random.between(0, 120) + 0.00029 }
    // Limiters and breakers remember the tools that they have seen.
    const name = (which: string): string => `${which}${ROOTS.indexOf(root)}r${round}_`
    const bare = await endOf(program, name('a'), times, {})
    expect(bare, showProgram(program)).toEqual(await endOf(program, name('b'), times, { log: silentLogger }))
    expect(bare).toMatchObject({ timers: 0 })
  }
})
