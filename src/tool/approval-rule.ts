import type { ApprovalRule } from './behaviour.ts'
import { type Duration, toMilliseconds } from './duration.ts'
import type { OnTimeout, Risk } from './review.ts'

/** When and how a person is asked before a tool runs. */
export interface ApprovalOptions<P> {
  /** Always, or by a pure predicate over the validated input. */
  readonly when?: boolean | ((input: P) => boolean) | undefined
  /** What the person reads. */
  readonly why?: string | ((input: P) => string) | undefined
  readonly risk?: Risk | undefined
  readonly timeout?: Duration | undefined
  readonly onTimeout?: OnTimeout | undefined
}

export type RequireApproval<P> = boolean | ((input: P) => boolean) | ApprovalOptions<P>

/** Whether a person stands before the call, always or sometimes. */
export function isGated<P>(given: RequireApproval<P> | undefined): boolean {
  return approvalRule(given) !== undefined
}

export function approvalRule<P>(given: RequireApproval<P> | undefined): ApprovalRule | undefined {
  if (given === undefined || given === false) return undefined
  const options: ApprovalOptions<P> = typeof given === 'object' ? given : { when: given }
  const { when = true, why, risk, timeout, onTimeout } = options
  if (when === false) return undefined
  return {
    needed: typeof when === 'function' ? (when as (input: unknown) => boolean) : () => true,
    why: why as ApprovalRule['why'],
    risk,
    timeoutMs: timeout === undefined ? undefined : toMilliseconds(timeout, 'The timeout of an approval'),
    onTimeout,
  }
}
