import { quote } from '../schema/quote.ts'
import type { Duration } from './duration.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { checkOptionNames, optionNames } from './option-names.ts'

/** The effect of a call. Undeclared counts as `irreversible`. */
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

/** The options of a tool besides its name, description and schemas. */
export interface Metadata {
  /** Semantic version; identity is `name@version`. */
  readonly version?: string | undefined
  /** A short name for people, in one line. Clients show it instead of the name. */
  readonly title?: string | undefined
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

/** For the names of options that hold metadata too. */
export const METADATA_NAMES: Readonly<Record<keyof Metadata, true>> = {
  version: true,
  effect: true,
  idempotent: true,
  permissions: true,
  estimates: true,
  source: true,
  tags: true,
  deadline: true,
  title: true,
}

const EFFECTS: readonly Effect[] = ['read', 'write', 'irreversible']

export function isEffect(value: unknown): value is Effect {
  return EFFECTS.includes(value as Effect)
}

/** The gravest of several effects; of none, `read`. */
export function gravestEffect(effects: readonly Effect[]): Effect {
  return EFFECTS[Math.max(0, ...effects.map((each) => EFFECTS.indexOf(each)))] ?? 'irreversible'
}

const SHARES = ['reliability', 'accuracy'] as const
const AMOUNTS = ['latencyMs', 'p99Ms', 'costUsd'] as const

const ESTIMATES = optionNames<Estimates>({ latencyMs: true, p99Ms: true, costUsd: true, reliability: true, accuracy: true })

/** Invalid figures are a configuration error. `whose` is `tool 'find_orders'`; `more` are names of other figures beside them. */
export function checkEstimates(given: Estimates | undefined, whose: string, more: readonly string[] = []): void {
  if (given === undefined) return
  checkOptionNames(given, [...ESTIMATES, ...more], `The estimates of ${whose}`)
  for (const share of SHARES) {
    const figure: unknown = given[share]
    const isShare = typeof figure === 'number' && figure >= 0 && figure <= 1
    if (figure !== undefined && !isShare) throw wrongEstimate(share, whose, `must be a number from 0 to 1, not ${quote(figure)}`)
  }
  for (const amount of AMOUNTS) {
    const figure: unknown = given[amount]
    const isAmount = typeof figure === 'number' && figure >= 0 && figure < Infinity
    if (figure !== undefined && !isAmount) throw wrongEstimate(amount, whose, `must be a number of at least 0, not ${quote(figure)}`)
  }
  const { latencyMs = 0, p99Ms = Infinity } = given
  if (p99Ms < latencyMs) throw wrongEstimate('p99Ms', whose, `must not be less than its latencyMs, the median: ${p99Ms} and ${latencyMs}`)
}

function wrongEstimate(figure: string, whose: string, why: string): ConfigurationError {
  return new ConfigurationError('invalid_option', `${figure} of ${whose} ${why}.`)
}

/** Whether a tool may be called again if it is not known whether it took effect. */
export function mayRepeat({ effect, idempotent }: { readonly effect: Effect; readonly idempotent: Idempotent }): boolean {
  return effect === 'read' || idempotent !== false
}
