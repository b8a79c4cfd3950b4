/** How often a worker looks, and how long things hold. Only tests and simulations choose others than the usual ones. */
export interface WorkerTimings {
  /** Between two signs of life. */
  readonly beatMs: number
  /** Between two looks at a queue that told nothing. */
  readonly pollMs: number
  /** A worker that is silent for so long loses its runs to others. */
  readonly leaseMs: number
  /** Sleeps and requests that are over sooner than this are waited for in the process. */
  readonly lingerMs: number
}

export const USUAL_TIMINGS: WorkerTimings = { beatMs: 3000, pollMs: 2000, leaseMs: 10_000, lingerMs: 1500 }
