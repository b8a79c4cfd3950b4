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
export type Policy = (call: PolicyCall) => PolicyVerdict | Promise<PolicyVerdict>
