import { NOT_ACCEPTED } from '../input/accepted-inputs.ts'
import type { PolicyVerdict } from '../ports/policy.ts'
import { textOf } from '../result/text-of.ts'
import { approvalPath, approve, changedMeanwhile } from './approve.ts'
import { authorize } from './authorize.ts'
import type { Call } from './call.ts'
import { noteValidated } from './call-view.ts'
import { whileValidating } from './catch-up.ts'
import { foresee } from './foresee.ts'
import { mayMakeMore } from './foreseen-parts.ts'
import { judge } from './judge.ts'
import { takePassedOn } from './own-input.ts'
import { bindingOf } from './request-review.ts'
import { isSame } from './same-input.ts'

/**
 * Checks all conditions before a tool runs: valid input, permissions, services, policy, approval. Returns the input to run with, as a
 * promise only if it must wait; throws a ToolError if the tool must not run.
 */
export function admit(call: Call, given: unknown): unknown {
  const { behaviour, root } = call
  const { approval: rule } = behaviour
  const isPoliced = root.options.policy !== undefined && behaviour.layer === undefined
  if (behaviour.forwardsInput && rule === undefined && !isPoliced) {
    const forwarded = behaviour.acceptForParts === undefined ? given : acceptedByParts(call, given)
    if (forwarded !== NOT_ACCEPTED) {
      authorize(call)
      return forwarded
    }
  }
  const passed = root.isPlain ? undefined : takePassedOn(call)
  const parsed = passed === undefined ? behaviour.input.accept(given, call.tool) : passed.input
  if (isPoliced || parsed instanceof Promise) return police(call, given, parsed)
  noteValidated(call, parsed)
  authorize(call)
  if (rule !== undefined && isJudgedByParts(call)) return judgeWithParts(call, given, { input: parsed, verdict: 'allow' })
  const asked = rule === undefined ? undefined : approvalReason(call, 'allow', [parsed])
  if (asked !== undefined) return foresee(call, { given, input: parsed }).then((foreseen) => approve(call, foreseen, asked))
  return behaviour.forwardsInput ? given : parsed
}

/** Where an observer, a record or a person may look at the input, the parts get the input itself. */
function acceptedByParts({ behaviour, root }: Call, given: unknown): unknown {
  return (root.isPlain ? behaviour.acceptForParts?.(given) : undefined) ?? NOT_ACCEPTED
}

/** The rest of the admission, if it must wait. */
export async function police(call: Call, given: unknown, parsed: unknown): Promise<unknown> {
  const input = parsed instanceof Promise ? await whileValidating(call, parsed) : parsed
  noteValidated(call, input)
  authorize(call)
  const bound = call.behaviour.input.isPrivate ? undefined : bindingOf(call, input)
  const verdict = await judge(call, input, 'policy')
  if (bound !== undefined && bindingOf(call, input) !== bound) throw changedMeanwhile(call)
  if (isJudgedByParts(call)) return judgeWithParts(call, given, { input, verdict })
  const asked = approvalReason(call, verdict, [input])
  if (asked === undefined) return call.behaviour.forwardsInput ? given : input
  return approve(call, await foresee(call, { given, input }), asked)
}

/** A predicate says who is asked, and parts, or another segment of the run, may make more of the input than it would see. */
function isJudgedByParts({ behaviour, journal }: Call): boolean {
  return behaviour.approval?.asks === 'sometimes' && (journal !== undefined || mayMakeMore(behaviour))
}

interface ToJudge {
  readonly input: unknown
  readonly verdict: PolicyVerdict
}

/** A person is asked if the predicate says so of the input, or of what a part that gets the input makes of it. */
async function judgeWithParts(call: Call, given: unknown, { input, verdict }: ToJudge): Promise<unknown> {
  const foreseen = await foresee(call, { given, input })
  const { parts, taken, isKept } = foreseen
  const whole = isSame(taken, foreseen.form) ? foreseen.input : taken
  const judged = [whole, ...parts.filter((part) => part.isOfWhole).map((part) => part.input)]
  const asked = wasPassed(call, verdict) ? undefined : (askedBefore(call) ?? approvalReason(call, verdict, judged))
  if (asked !== undefined) return approve(call, foreseen, asked)
  if (!call.behaviour.forwardsInput) return taken
  return isKept ? foreseen.input : given
}

/** A resumed run follows its record, also if the predicate has changed since: a person who was asked is asked still. */
function askedBefore({ root, journal, path }: Call): string | undefined {
  const entry = root.replay === undefined ? undefined : journal?.read(approvalPath(path))
  return entry?.kind === 'review' ? entry.request.why : undefined
}

/** The same where nobody was asked: what is recorded inside has begun without a question. */
function wasPassed(call: Call, verdict: PolicyVerdict): boolean {
  return verdict === 'allow' && call.root.replay?.isCatchingUpIn(call.path) === true && askedBefore(call) === undefined
}

/** Why a person must be asked, or undefined. Where the policy and the rule of the tool both ask, the person reads both reasons. */
function approvalReason({ tool, behaviour }: Call, verdict: PolicyVerdict, inputs: readonly unknown[]): string | undefined {
  const { approval: rule } = behaviour
  const at = rule === undefined ? -1 : inputs.findIndex((input) => rule.needed(input) !== false)
  const isNeeded = at !== -1
  const own = isNeeded ? textOf(typeof rule?.why === 'function' ? rule.why(inputs[at]) : rule?.why) : ''
  const reason = typeof verdict === 'object' && 'requireApproval' in verdict ? verdict.requireApproval : undefined
  if (reason !== undefined) return own === '' ? reason : `The policy says: ${sentence(reason)} The tool says: ${own}`
  if (own !== '') return own
  if (isNeeded) return `Tool '${tool}' asks for approval before it runs.`
  return verdict === 'allow' ? undefined : `The policy asks for approval before '${tool}' runs.`
}

function sentence(text: string): string {
  return /[.!?]\s*$/.test(text) ? text.trimEnd() : `${text.trimEnd()}.`
}
