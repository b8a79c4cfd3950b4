import { doorContests, type DoorContest } from './door-contests.ts'
import type { Benchmark, Figure } from './figure.ts'
import { measureApart, type Sample } from './measure-apart.ts'
import { measureBytes, type Rounds, measureTime } from './measure.ts'
import { type Quartiles, quartilesOf } from './quartiles.ts'

/** What a call through the door costs beside the same work done by hand. */
export const doorBenchmarks: readonly Benchmark[] = doorContests.map((contest) => ({
  name: contest.name,
  run: async (effort) => figuresOf(contest, await measureApart(contest.name, effort)),
}))

/** Measures one contest in this process. */
export async function sampleDoor(name: string, forMs: number): Promise<Sample> {
  const contest = doorContests.find((each) => each.name === name)
  if (contest === undefined) throw new Error(`There is no contest '${name}'.`)
  return { time: await measureTime(contest, forMs), bytes: await measureBytes(contest) }
}

function figuresOf({ name, about, budget, goal, bytesBudget }: DoorContest, samples: readonly Sample[]): readonly Figure[] {
  const time = compared(samples.map((each) => each.time))
  const bytes = compared(samples.flatMap((each) => each.bytes ?? []))
  const figures: Figure[] = [{ name, unit: 'ns', compares: 'ratio', ...time, budget, goal, bytes, about }]
  if (bytesBudget !== undefined) {
    figures.push({
      name: `${name}-bytes`,
      unit: 'bytes',
      compares: 'ratio',
      ...bytes,
      budget: bytesBudget,
      about: 'bytes allocated by the same',
    })
  }
  return figures
}

/** The medians of both sides over all rounds, and the quartiles of the ratio of each round. */
export function compared(rounds: readonly Rounds[]): {
  readonly baseline: number
  readonly subject: number
  readonly quartiles: Quartiles
} {
  const baseline = rounds.flatMap((each) => each.baseline)
  const subject = rounds.flatMap((each) => each.subject)
  return {
    baseline: quartilesOf(baseline).median,
    subject: quartilesOf(subject).median,
    quartiles: quartilesOf(baseline.map((cost, round) => (subject[round] ?? Number.NaN) / cost)),
  }
}
