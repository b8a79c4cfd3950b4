import type { BreakerState } from './breaker-store.ts'

/** A breaker as all processes know it. */
export interface BreakerNews {
  readonly key: string
  /** Later changes of a breaker have higher numbers. */
  readonly no: number
  /** `half_open`: a process tries it. */
  readonly state: BreakerState
  /** How long it still stays open, or its trial may still take. */
  readonly ms: number
}

/** Calls that ended in one process while the breaker was closed; some of them failed. */
export interface BreakerTally {
  readonly key: string
  readonly calls: number
  readonly failures: number
}

/** `lost`: news may have been lost. */
export type BreakerListener = (heard: BreakerNews | BreakerTally | 'lost') => void

/**
 * By which processes tell each other of their breakers. Times are lengths, so that clocks of processes do not matter. Each change happens
 * wholly or not at all, and resolves with the state that follows. Everything may reject: then each process goes by its own calls.
 */
export interface BreakerBoard {
  /** What is known of these breakers; a missing one is closed. */
  readonly read: (keys: readonly string[]) => Promise<readonly BreakerNews[]>
  /** It is open from now on, for so long. */
  readonly open: (key: string, ms: number) => Promise<BreakerNews>
  /** Begins the trial of a breaker whose time is over, unless another process did: `isMine` says so. It ends after `ms` if nothing is heard of it. */
  readonly beginTrial: (key: string, ms: number) => Promise<BreakerNews & { readonly isMine: boolean }>
  /** The trial of this process succeeded. It changes nothing if it is another process's by now. */
  readonly close: (key: string) => Promise<BreakerNews>
  /** The trial of this process says nothing: any process may begin another one. */
  readonly giveUpTrial: (key: string) => Promise<BreakerNews>
  /** The process closes: all its trials are given up. */
  readonly leave: () => Promise<unknown>
  /** Tells the other processes of calls, and stores nothing. */
  readonly tell: (tally: BreakerTally) => Promise<unknown>
  /** Hears what other processes say. The returned function ends it. */
  readonly on: (listener: BreakerListener) => () => void
}
