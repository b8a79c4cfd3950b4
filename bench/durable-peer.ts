import type { Place } from './durable-job.ts'

interface PeerTask {
  readonly url: string
  readonly steps: number
  /** The effect of a step, once for a key. Gives the next count. */
  readonly put: (key: string, given: Place) => number
}

export interface DurablePeer {
  /** Does all steps, each with what the one before gave, and gives the last count. */
  readonly run: (id: string) => Promise<number>
  readonly close: () => Promise<void>
}

export type OpenDurablePeer = (task: PeerTask) => Promise<DurablePeer>
