import type { Figure } from './figure.ts'
import { quartilesOf } from './quartiles.ts'

export interface Turns {
  readonly rounds: number
  /** Rounds that come first and do not count. */
  readonly warmUp?: number
}

/** What each of several ways costs, round by round. They take turns, in the other order every other round. */
export async function takeTurns<Side extends string>(
  ways: Readonly<Record<Side, () => Promise<number>>>,
  { rounds, warmUp = 2 }: Turns,
): Promise<Readonly<Record<Side, readonly number[]>>> {
  const sides = Object.keys(ways) as Side[]
  const costs = Object.fromEntries(sides.map((side) => [side, []])) as unknown as Record<Side, number[]>
  for (let round = -warmUp; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const cost = await ways[side]()
      if (round >= 0) costs[side].push(cost)
    }
  }
  return costs
}

/** The medians of both, and the quartiles of the ratio of each round. */
export function ratioOf(
  baseline: readonly number[],
  subject: readonly number[],
): Pick<Figure, 'baseline' | 'subject' | 'quartiles' | 'compares'> {
  return {
    compares: 'ratio',
    baseline: quartilesOf(baseline).median,
    subject: quartilesOf(subject).median,
    quartiles: quartilesOf(subject.map((cost, round) => cost / (baseline[round] ?? Number.NaN))),
  }
}

/** Milliseconds that it takes. */
export async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
