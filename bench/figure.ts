import type { Quartiles } from './quartiles.ts'

/** One line of the bench: a subject beside its baseline, both measured in the same run. */
export interface Figure {
  readonly name: string
  readonly unit: 'ns' | 'us' | 'bytes' | 'ms' | 'instantiations' | '%'
  /** Medians. */
  readonly baseline: number
  readonly subject: number
  /** `ratio` is subject over baseline, `difference` is subject less baseline in the figure's unit. */
  readonly compares: 'ratio' | 'difference'
  readonly quartiles: Quartiles
  /** The most that the lower quartile may be. A figure without one is for information. */
  readonly budget?: number | undefined
  /** Where it should get to one day. */
  readonly goal?: number | undefined
  /** Bytes allocated per operation, where they were measured. */
  readonly bytes?: { readonly baseline: number; readonly subject: number } | undefined
  /** What is measured, in a few words. */
  readonly about: string
}

/** How thorough a run is. */
export interface Effort {
  /** How many processes measure each contest, and how often the compiler is asked. */
  readonly processes: number
  /** How long each of them measures, warm-up not counted. */
  readonly measureMs: number
  /** How often a program is started to see how long that takes. */
  readonly starts: number
}

/** Something that can be measured by itself, under its own name. */
export interface Benchmark {
  readonly name: string
  readonly run: (effort: Effort) => Promise<readonly Figure[]>
}

/** The machine is noisy: a budget is broken only when three quarters of all rounds exceed it. */
export function isBroken({ budget, quartiles }: Figure): boolean {
  return budget !== undefined && !(quartiles.q1 <= budget)
}
