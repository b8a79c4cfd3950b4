import type { Benchmark } from './figure.ts'

const VISITS = ['zoo', 'zoo-review', 'zoo-errors', 'zoo-recursion', 'zoo-unique', 'zoo-pattern', 'zoo-library'] as const

export type ZooVisit = (typeof VISITS)[number]

/**
 * How long hostile inputs keep the process busy at the door. Of each call the best of several runs counts: the first one compiles. The
 * schemas are loaded only for this.
 */
export const zooBenchmarks: readonly Benchmark[] = VISITS.map((name) => ({
  name,
  run: async () => {
    const { visitZoo } = await import('./zoo-visits.ts')
    return [await visitZoo(name)]
  },
}))
