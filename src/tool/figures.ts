import type { Estimates } from './metadata.ts'

type Figure = keyof Estimates

/** The known figures of one kind. Unknown ones are left out, so sums are lower bounds, or undefined if nothing is known. */
function known(parts: readonly Estimates[], figure: Figure): readonly number[] {
  return parts.map((part) => part[figure]).filter((each) => each !== undefined)
}

function over(parts: readonly Estimates[], figure: Figure, combine: (figures: readonly number[]) => number): number | undefined {
  const figures = known(parts, figure)
  return figures.length === 0 ? undefined : combine(figures)
}

const sum = (figures: readonly number[]): number => figures.reduce((total, each) => total + each, 0)
const product = (figures: readonly number[]): number => figures.reduce((total, each) => total * each, 1)
const largest = (figures: readonly number[]): number => Math.max(...figures)
const smallest = (figures: readonly number[]): number => Math.min(...figures)

/** One after the other: times and costs add up, and all must succeed. */
export function inSequence(parts: readonly Estimates[]): Estimates {
  return {
    latencyMs: over(parts, 'latencyMs', sum),
    p99Ms: over(parts, 'p99Ms', sum),
    costUsd: over(parts, 'costUsd', sum),
    reliability: over(parts, 'reliability', product),
    accuracy: over(parts, 'accuracy', product),
  }
}

/** One after the other, even after failures: the last one decides. */
export function inSequenceToTheEnd(parts: readonly Estimates[]): Estimates {
  return { ...inSequence(parts), reliability: parts.at(-1)?.reliability }
}

/** At the same time, all of them: as slow as the slowest, and all must succeed. */
export function sideBySide(parts: readonly Estimates[]): Estimates {
  return { ...inSequence(parts), latencyMs: over(parts, 'latencyMs', largest), p99Ms: over(parts, 'p99Ms', largest) }
}

/** At the same time, and `needed` of them must succeed. */
export function someOf(parts: readonly Estimates[], needed: number): Estimates {
  const reliabilities = parts.map((part) => part.reliability)
  const complete = reliabilities.every((each) => each !== undefined)
  return { ...sideBySide(parts), reliability: complete ? atLeast(reliabilities, needed) : undefined }
}

/** One of them, but not known which: the worst of each figure. */
export function oneOf(parts: readonly Estimates[]): Estimates {
  return {
    latencyMs: over(parts, 'latencyMs', largest),
    p99Ms: over(parts, 'p99Ms', largest),
    costUsd: over(parts, 'costUsd', largest),
    reliability: over(parts, 'reliability', smallest),
    accuracy: over(parts, 'accuracy', smallest),
  }
}

/** One after the other until one succeeds: at best as fast as the first, at worst as slow as all. The cost is the one to expect. */
export function inTurn(parts: readonly Estimates[]): Estimates {
  const [first] = parts
  return {
    latencyMs: first?.latencyMs,
    p99Ms: over(parts, 'p99Ms', sum),
    costUsd: expectedCost(parts),
    reliability: someOf(parts, 1).reliability,
    accuracy: first?.accuracy,
  }
}

/** Each part costs something only where all before it have failed. One of unknown reliability counts as one that never fails. */
function expectedCost(parts: readonly Estimates[]): number | undefined {
  let chance = 1
  const costs: number[] = []
  for (const { costUsd, reliability = 1 } of parts) {
    if (costUsd !== undefined) costs.push(costUsd * chance)
    chance *= 1 - reliability
  }
  return costs.length === 0 ? undefined : sum(costs)
}

/** The same again until it succeeds, so many times at most. The cost is the one to expect; the p99 is that of all attempts with their waits. */
export function retried(part: Estimates, times: number, waitsMs: number): Estimates {
  const { reliability, costUsd, p99Ms } = part
  const fails = reliability === undefined ? undefined : (1 - reliability) ** times
  const calls = reliability === undefined || fails === undefined ? 1 : reliability === 0 ? times : (1 - fails) / reliability
  return {
    ...part,
    p99Ms: p99Ms === undefined ? undefined : p99Ms * times + waitsMs,
    costUsd: costUsd === undefined ? undefined : costUsd * calls,
    reliability: fails === undefined ? undefined : 1 - fails,
  }
}

/** The same, so many times in a row. */
export function repeated(part: Estimates, times: number): Estimates {
  const multiplied = (figure: number | undefined): number | undefined => (figure === undefined ? undefined : figure * times)
  const raised = (figure: number | undefined): number | undefined => (figure === undefined ? undefined : figure ** times)
  return {
    latencyMs: multiplied(part.latencyMs),
    p99Ms: multiplied(part.p99Ms),
    costUsd: multiplied(part.costUsd),
    reliability: raised(part.reliability),
    accuracy: raised(part.accuracy),
  }
}

/** The chance that at least so many of independent tries succeed. */
function atLeast(chances: readonly number[], needed: number): number {
  let exactly = [1]
  for (const chance of chances) {
    exactly = Array.from(
      { length: exactly.length + 1 },
      (_, count) => (exactly[count] ?? 0) * (1 - chance) + (exactly[count - 1] ?? 0) * chance,
    )
  }
  return sum(exactly.slice(needed))
}
