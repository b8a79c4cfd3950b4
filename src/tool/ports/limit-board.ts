import type { LimitRules } from './limit-store.ts'

/** A cost that became known after its call had been counted. */
export interface CostChange {
  /** When the call leaves the window, as the grant said; undefined for one that was not counted yet. */
  readonly until: number | undefined
  readonly usd: number
}

/** What a process has of a limit, and what it asks for. */
export interface LimitAsk {
  readonly key: string
  readonly rules: LimitRules
  /** Who asks. */
  readonly holder: string
  /** The places that it has, in use or free. Those that it had before and does not name are given back. */
  readonly held: number
  /** So many more calls could begin now. */
  readonly wanted: number
  /** It waits for a place, though it may want none at this moment: it keeps its place in the line. */
  readonly isWaiting: boolean
  /** The expected cost of each. */
  readonly usd: number
  /** Calls that began without having been counted. */
  readonly uncounted: number
  readonly costs: readonly CostChange[]
  /** For so long the process may begin the calls that it gets. */
  readonly useMs: number
  /** Its places are free again if nothing is heard of it for so long. */
  readonly leaseMs: number
}

/** The answer of a shared limit to a process that asks for calls. */
export interface LimitGrant {
  /** So many calls may begin; at most those that were wanted. */
  readonly granted: number
  /** If none: after how long one could begin; undefined if that depends on calls that are under way. */
  readonly waitMs: number | undefined
  /** How many processes use the limit. */
  readonly processes: number
  /** Another process waits that has fewer places. */
  readonly isWanted: boolean
  /** When the cost of these calls leaves the window. */
  readonly until: number | undefined
}

/** `wanted`: a process has no place. `free`: places were given back. */
export interface LimitNews {
  readonly what: 'wanted' | 'free'
  readonly key: string
  readonly holder: string
  /** The places that the holder has. */
  readonly held: number
}

/** `lost`: news may have been lost. */
export type LimitListener = (heard: LimitNews | 'lost') => void

/** Where processes count together. The count and the grant are one step, by the clock of the board. */
export interface LimitBoard {
  readonly take: (ask: LimitAsk) => Promise<LimitGrant>
  /** The last words of a process that closes, all in one step: they want nothing. */
  readonly leave: (asks: readonly LimitAsk[]) => Promise<unknown>
  /** Hears what all processes say. The returned function ends it. */
  readonly on: (listener: LimitListener) => () => void
}
