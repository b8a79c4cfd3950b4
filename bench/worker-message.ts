/** What the workers of the bench are given to do: steps that cost nothing, and steps that wait for a service. */
export const WORK = {
  free: { steps: 20, runs: 100 },
  waiting: { steps: 10, waitMs: 20, runs: 200 },
} as const

/** What a worker of the bench is told by the process that started it. */
export type WorkerMessage = { readonly order: 'open'; readonly url: string } | { readonly order: 'close' }
