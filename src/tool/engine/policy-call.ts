import { privateCopy } from '../../schema/private-copy.ts'
import type { PolicyCall } from '../ports/policy.ts'
import type { Call } from './call.ts'

/** The call that a policy judges: the tool and its place, and the caller. */
export type Judged = Pick<PolicyCall, 'tool' | 'version' | 'effect' | 'path' | 'input'>

/** A policy gets a copy of the input: its changes do not reach the input that runs. */
export function policyCall({ principal, agent, task, session }: Call, { tool, version, effect, path, input }: Judged): PolicyCall {
  return { tool, version, effect, input: privateCopy(input), path, principal, agent, task, session }
}
