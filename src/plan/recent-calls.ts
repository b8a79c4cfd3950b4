import type { RecordedFigures } from './plan-figures.ts'

/** What one call says about its tool. */
export interface CallSample {
  readonly ms: number
  readonly succeeded: boolean
  readonly costUsd: number | undefined
}

/** The newest calls of one tool, and what follows from them. */
export class RecentCalls {
  readonly #most: number
  readonly #samples: CallSample[] = []
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  add(sample: CallSample): void {
    this.#samples[this.#count % this.#most] = sample
    this.#count++
  }

  /** Where no call has named a cost, none is known; where some have, the others were free. */
  figures(): RecordedFigures {
    const samples = this.#samples
    const times = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const costs = samples.map(({ costUsd }) => costUsd).filter((each) => each !== undefined)
    return {
      calls: this.#count,
      latencyMs: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      reliability: samples.filter(({ succeeded }) => succeeded).length / samples.length,
      costUsd: costs.length === 0 ? undefined : costs.reduce((sum, each) => sum + each, 0) / samples.length,
    }
  }
}

/** The smallest time that so large a share of the calls did not exceed. */
function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}
