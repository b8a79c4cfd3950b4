import { setImmediate as turn } from 'node:timers/promises'

/** Two ways to do the same thing; both are awaited by the same loop. */
export interface Contest {
  readonly baseline: () => unknown
  readonly subject: () => unknown
}

/** What one operation cost, round by round. */
export interface Rounds {
  readonly baseline: readonly number[]
  readonly subject: readonly number[]
}

const WARM_UP_MS = 300
const ROUND_MS = 2
const LONGEST_ROUND_MS = 20
const FEWEST_ROUNDS = 20
const BYTE_ROUNDS = 21
/** A round that allocates no more than this fits into the young generation, so that no collection hides any of it. */
const MOST_BYTES_PER_ROUND = 1_500_000

/**
 * Nanoseconds per operation. Baseline and subject take turns in rounds of a few milliseconds, and the one that goes first changes with
 * every round: a slow spell of the machine hits both, and the ratio of a round hardly moves.
 */
export async function measureTime(contest: Contest, forMs: number): Promise<Rounds> {
  await warmUp(contest)
  const wanted = (ROUND_MS * 1e6) / (await nanoseconds(contest.baseline, 100))
  const most = (LONGEST_ROUND_MS * 1e6) / (await nanoseconds(contest.subject, 100))
  const times = { baseline: Math.max(1, Math.round(wanted)), subject: Math.max(1, Math.round(Math.min(wanted, most))) }
  const end = performance.now() + forMs
  return takeTurns({
    cost: (side) => nanoseconds(contest[side], times[side]),
    isOver: (rounds) => rounds >= FEWEST_ROUNDS && performance.now() >= end,
  })
}

/** Bytes allocated per operation, garbage included; undefined where Node runs without `--expose-gc`. To be called when all is warm. */
export async function measureBytes(contest: Contest): Promise<Rounds | undefined> {
  const collect = globalThis.gc
  if (collect === undefined) return undefined
  const bytes = async (operation: () => unknown, times: number): Promise<number> => {
    collect({ type: 'minor', execution: 'sync' })
    const before = process.memoryUsage().heapUsed
    await repeat(operation, times)
    return (process.memoryUsage().heapUsed - before) / times
  }
  const roughly = await bytes(contest.subject, 20)
  const times = Math.max(1, Math.round(MOST_BYTES_PER_ROUND / roughly))
  return takeTurns({ cost: (side) => bytes(contest[side], times), isOver: (rounds) => rounds >= BYTE_ROUNDS })
}

interface Measuring {
  readonly cost: (side: keyof Contest) => Promise<number>
  readonly isOver: (rounds: number) => boolean
}

/** A turn of the event loop lies between any two measurements, so that neither pays for what the other left behind. */
async function takeTurns({ cost, isOver }: Measuring): Promise<Rounds> {
  const costs = { baseline: [] as number[], subject: [] as number[] }
  for (let round = 0; !isOver(round); round++) {
    for (const side of round % 2 === 0 ? (['baseline', 'subject'] as const) : (['subject', 'baseline'] as const)) {
      costs[side].push(await cost(side))
      await turn()
    }
  }
  return costs
}

/** Long enough for the optimising compiler to be done with both. */
async function warmUp({ baseline, subject }: Contest): Promise<void> {
  const end = performance.now() + WARM_UP_MS
  while (performance.now() < end) {
    await repeat(baseline, 100)
    await repeat(subject, 100)
    await turn()
  }
}

async function nanoseconds(operation: () => unknown, times: number): Promise<number> {
  const start = performance.now()
  await repeat(operation, times)
  return ((performance.now() - start) * 1e6) / times
}

async function repeat(operation: () => unknown, times: number): Promise<void> {
  for (let done = 0; done < times; done++) await operation()
}
