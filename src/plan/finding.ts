/** `error`: it cannot work, or must not. `warning`: it may fail. `note`: it cannot be known before a run. */
export type Severity = 'error' | 'warning' | 'note'

export type FindingCode =
  | 'edge_does_not_fit'
  | 'edge_unknown'
  | 'cycle'
  | 'deadline_infeasible'
  | 'irreversible_before_fallible'
  | 'unsatisfiable_input'
  | 'raced_effect'
  | 'missing_compensation'
  | 'missing_permission'
  | 'unreachable_approval'
  | 'continue_into_typed'
  | 'duplicate_identity'
  | 'unknown_estimates'

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

/**
 * Whether nothing speaks against running a plan: there may be warnings and notes, but no errors.
 * @example
 * const sound = isSound(check(greet))
 * console.log(sound) // true
 */
export function isSound(findings: readonly Finding[]): boolean {
  return findings.every(({ severity }) => severity !== 'error')
}
