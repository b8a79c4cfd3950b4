/** The middle half of a set of samples. */
export interface Quartiles {
  readonly q1: number
  readonly median: number
  readonly q3: number
}

/** Quartiles of at least one sample, interpolated between neighbours. */
export function quartilesOf(samples: readonly number[]): Quartiles {
  const sorted = samples.toSorted((a, b) => a - b)
  return { q1: quantile(sorted, 0.25), median: quantile(sorted, 0.5), q3: quantile(sorted, 0.75) }
}

/** The sample that the given share of all of them does not exceed. */
export function quantileOf(samples: readonly number[], share: number): number {
  return quantile(
    samples.toSorted((a, b) => a - b),
    share,
  )
}

function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)]
  const above = sorted[Math.ceil(at)]
  if (below === undefined || above === undefined) throw new Error('Quartiles need at least one sample.')
  return below + (above - below) * (at - Math.floor(at))
}
