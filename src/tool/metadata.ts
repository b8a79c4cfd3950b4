import type { Duration } from './duration.ts'

/** What a call does to the world. Undeclared counts as `irreversible`. */
export type Effect = 'read' | 'write' | 'irreversible'

/** `true`: repeating does no harm. `'keyed'`: repeating with the same `context.idempotencyKey` does no harm. */
export type Idempotent = boolean | 'keyed'

/** Figures for planning; measured ones are better than guesses. */
export interface Estimates {
  /** Median. */
  readonly latencyMs?: number | undefined
  readonly p99Ms?: number | undefined
  readonly costUsd?: number | undefined
  /** Share of calls that succeed, from 0 to 1. */
  readonly reliability?: number | undefined
  /** Share of answers that are right, from 0 to 1. */
  readonly accuracy?: number | undefined
}

/** What a definition may say about a tool beside its name, description and schemas. */
export interface Metadata {
  /** Semantic version; identity is `name@version`. */
  readonly version?: string | undefined
  readonly effect?: Effect | undefined
  readonly idempotent?: Idempotent | undefined
  readonly permissions?: readonly string[] | undefined
  readonly estimates?: Estimates | undefined
  /** Where the answers come from, for provenance. */
  readonly source?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Used when the caller names none; never longer than the caller's. */
  readonly deadline?: Duration | undefined
}

const EFFECTS: readonly Effect[] = ['read', 'write', 'irreversible']

export function isEffect(value: unknown): value is Effect {
  return EFFECTS.includes(value as Effect)
}

/** The gravest of several effects; of none, `read`. */
export function gravestEffect(effects: readonly Effect[]): Effect {
  return EFFECTS[Math.max(0, ...effects.map((each) => EFFECTS.indexOf(each)))] ?? 'irreversible'
}
