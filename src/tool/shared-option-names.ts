import type { CallOptions } from './context.ts'
import { optionNames } from './option-names.ts'

/** The options of calls that a runtime or a bridge shares among all of them. */
export type SharedCallOptions = Omit<CallOptions, 'signal' | 'idempotencyKey' | 'journal' | 'traceId'>

/** The names of the options that a runtime or a bridge shares. */
export const SHARED_OPTION_NAMES: Readonly<Record<keyof SharedCallOptions, true>> = {
  deadline: true,
  stepDeadline: true,
  principal: true,
  review: true,
  unattended: true,
  reviewers: true,
  policy: true,
  services: true,
  secrets: true,
  model: true,
  log: true,
  on: true,
  agent: true,
  task: true,
  session: true,
  tokenBudget: true,
  stores: true,
  clock: true,
  ids: true,
  random: true,
  alert: true,
  overrides: true,
}

/** The names of the options of a call. */
export const CALL_OPTION_NAMES: ReadonlySet<string> = new Set(
  optionNames<CallOptions>({ ...SHARED_OPTION_NAMES, signal: true, idempotencyKey: true, journal: true, traceId: true }),
)
