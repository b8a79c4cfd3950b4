import type { Effect } from '../metadata.ts'
import type { Principal } from '../principal.ts'

/** The call that a policy judges, with its unmasked input. */
export interface PolicyCall {
  readonly tool: string
  readonly version: string
  readonly effect: Effect
  readonly input: unknown
  readonly path: string
  readonly principal: Principal | undefined
  readonly agent: string | undefined
  readonly task: string | undefined
  readonly session: string | undefined
}

/** A person is asked for the reason in `requireApproval`; without one, for a general reason. */
export type PolicyVerdict = 'allow' | 'require_approval' | { readonly requireApproval: string | undefined } | { readonly deny: string }

/**
 * Judges every call after its input is valid and its permissions are held. A policy that throws, or returns anything else, denies.
 * @example
 * const policy: Policy = (call) => (call.effect === 'irreversible' ? { requireApproval: 'It cannot be undone.' } : 'allow')
 */
export type Policy = PolicyFunction | PolicyContext

/**
 * A policy that answers at once or later. The compiler puts two signatures of which one has a type parameter together with no other, so that
 * the types of a function that is written in place come from `PolicyContext` alone.
 */
export interface PolicyFunction {
  (call: PolicyCall): PolicyVerdict | Promise<PolicyVerdict>
  <_>(call: PolicyCall): PolicyVerdict | Promise<PolicyVerdict>
}

/**
 * No function returns this. The compiler reads `'allow'` in `async () => 'allow'` as any text if the awaited return type is that of a union of
 * a value and a promise; of an intersection it finds the promised type, and of a function that is not async the value.
 */
type PolicyContext = (call: PolicyCall) => PolicyVerdict & Promise<PolicyVerdict>
