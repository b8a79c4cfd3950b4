import { isRecord } from '../../schema/json-schema.ts'
import { reasonOf } from '../errors/message-of.ts'
import { ToolError } from '../errors/tool-error.ts'
import type { PolicyVerdict } from '../ports/policy.ts'
import { textOf } from '../result/text-of.ts'
import type { Call } from './call.ts'
import { decideAt } from './decide.ts'
import { policyCall } from './policy-call.ts'

/** The policy's verdict, recorded in a recorded run. A policy that throws or returns no verdict denies. */
export async function judge(call: Call, input: unknown, label: string): Promise<PolicyVerdict> {
  const { policy } = call.root.options
  if (policy === undefined || call.behaviour.layer !== undefined) return 'allow'
  const { tool, version, effect, path } = call
  const verdict = await verdictOf(call, () => policy(policyCall(call, { tool, version, effect, path, input })), label)
  if (typeof verdict === 'object' && 'deny' in verdict) throw denied(call.tool, verdict.deny)
  return verdict
}

function verdictOf(call: Call, ask: () => unknown, label: string): Promise<PolicyVerdict> {
  return decideAt(call, `${call.path}:${label}`, () => askPolicy(ask))
}

/** Verdicts are recorded as they are: by these words a denial is known that no policy has worded. */
const POLICY_FAILED = 'the policy failed: '

/** The verdict of a policy, whatever it does. */
export async function askPolicy(ask: () => unknown): Promise<PolicyVerdict> {
  try {
    return readVerdict(await ask())
  } catch (error) {
    return { deny: `${POLICY_FAILED}${reasonOf(error)}` }
  }
}

const NO_VERDICT: PolicyVerdict = { deny: 'the policy gave no verdict' }

/** The verdict as plain data, each field read once. A denial wins; a request for approval without a reason still asks; the rest denies. */
function readVerdict(given: unknown): PolicyVerdict {
  if (given === 'allow' || given === 'require_approval') return given
  if (!isRecord(given)) return NO_VERDICT
  if ('deny' in given) return { deny: textOf(given['deny']) || 'no reason is given' }
  if (!('requireApproval' in given)) return NO_VERDICT
  const why = given['requireApproval']
  if (why === undefined || why === null || why === true) return 'require_approval'
  if (typeof why !== 'string') return NO_VERDICT
  return why.trim() === '' ? 'require_approval' : { requireApproval: why }
}

export function denied(tool: string, reason: string): ToolError {
  return new ToolError(`Policy denies tool '${tool}': ${reason}`, {
    code: 'policy_denied',
    outcome: 'not_started',
    internal: reason.startsWith(POLICY_FAILED),
  })
}
