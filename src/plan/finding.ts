import { checkOptionNames, optionNames } from '../tool/option-names.ts'
/** `error`: it cannot work, or must not. `warning`: it may fail. `note`: it cannot be known before a run. */
export type Severity = 'error' | 'warning' | 'note'

/** What kind of mistake `check` has found. */
export type FindingCode =
  | 'edge_does_not_fit'
  | 'edge_unknown'
  | 'cycle'
  | 'deadline_infeasible'
  | 'irreversible_before_fallible'
  | 'order_unseen'
  | 'unsatisfiable_input'
  | 'raced_effect'
  | 'retried_effect'
  | 'missing_compensation'
  | 'detached_step'
  | 'missing_permission'
  | 'unreachable_approval'
  | 'continue_into_typed'
  | 'duplicate_identity'
  | 'unknown_estimates'
  | 'limited_concurrency'
  | 'unknown_field'
  | 'effectful_source'
  | 'repair_behind_gate'

/** A finding of `check` about one step of a plan. */
export interface Finding {
  readonly severity: Severity
  readonly code: FindingCode
  /** The step, by the labels from the root down, as in runs: `refund_latest_order/issue_refund`. */
  readonly path: string
  /** The field of the step's input, where it is about one. */
  readonly field?: string | undefined
  readonly message: string
  /** What the author can do next. */
  readonly hint: string
}

/** From the gravest to the least. */
export const SEVERITIES = ['error', 'warning', 'note'] as const satisfies readonly Severity[]

/** The options of `isSound`. */
export interface SoundOptions {
  /** Warnings count as errors. */
  readonly strict?: boolean | undefined
}

const NAMES = optionNames<SoundOptions>({ strict: true })

/**
 * Whether nothing speaks against running a plan: there may be notes and, unless `strict`, warnings, but no errors.
 * @example
 * const findings = check(greet)
 * console.log(isSound(findings), isSound(findings, { strict: true })) // true true
 */
export function isSound(findings: readonly Finding[], options: SoundOptions = {}): boolean {
  checkOptionNames(options, NAMES, 'The options of isSound')
  const { strict = false } = options
  return findings.every(({ severity }) => isHarmless(severity, strict))
}

/** Whether a finding of this severity does not speak against running. */
export function isHarmless(severity: Severity, strict: boolean): boolean {
  return severity === 'note' || (severity === 'warning' && !strict)
}
