import { isRecord } from '../../schema/json-schema.ts'
import { reasonOf } from '../errors/message-of.ts'
import { ToolError } from '../errors/tool-error.ts'
import { NOT_ACCEPTED } from '../input/accepted-inputs.ts'
import { logView } from '../secrets/mask.ts'
import { applyChange } from '../secrets/unmask.ts'
import type { PolicyVerdict } from '../ports/policy.ts'
import { missingPermissions, type Principal } from '../principal.ts'
import type { ReviewDecision } from '../review.ts'
import { checkServices } from '../service.ts'
import { textOf } from '../result/text-of.ts'
import type { Call } from './call.ts'
import { noteValidated } from './call-view.ts'
import { whileValidating } from './catch-up.ts'
import { decideAt } from './decide.ts'
import { markEdited } from './edited-calls.ts'
import { type Foreseen, type ForeseenPart, foreseenParts, mayMakeMore } from './foreseen-parts.ts'
import { notApproved } from './not-approved.ts'
import { policyCall } from './policy-call.ts'
import { takePassedOn } from './own-input.ts'
import { isMadeOf, repeatableInput } from './repeatable-input.ts'
import { isSame } from './same-input.ts'
import { bindingOf, requestReview } from './request-review.ts'
import { underWay } from './under-way.ts'

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
  if (asked !== undefined) return approve(call, given, { input: parsed, why: asked })
  return behaviour.forwardsInput ? given : parsed
}

/** Where an observer, a record or a person may look at the input, the parts get the input itself. */
function acceptedByParts({ behaviour, root }: Call, given: unknown): unknown {
  return (root.isPlain ? behaviour.acceptForParts?.(given) : undefined) ?? NOT_ACCEPTED
}

/** A layer leaves permissions and policy to the tool inside, which passes the door itself. */
function authorize(call: Call): void {
  const { built, behaviour, root } = call
  if (behaviour.services !== undefined) checkServices(behaviour.services, call.services, call.tool)
  if (behaviour.layer !== undefined || built.permissions.length === 0) return
  const missing = missingPermissions(built.permissions, root.principal)
  if (missing.length > 0) throw notPermitted(call.tool, root.principal, missing)
}

export function notPermitted(tool: string, principal: Principal | undefined, missing: readonly string[]): ToolError {
  const who = principal === undefined ? 'No principal was given' : `'${principal.id}' may not`
  return new ToolError(`${who}: tool '${tool}' needs the permission${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.`, {
    code: 'permission_denied',
    outcome: 'not_started',
  })
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
  return approve(call, given, { input, why: asked })
}

/** A predicate says who is asked, and parts may make more of the input than it would see. */
function isJudgedByParts({ behaviour }: Call): boolean {
  return behaviour.approval?.asks === 'sometimes' && mayMakeMore(behaviour)
}

interface ToJudge {
  readonly input: unknown
  readonly verdict: PolicyVerdict
}

/** A person is asked if the predicate says so of the input, or of what a part that gets the input makes of it. */
async function judgeWithParts(call: Call, given: unknown, { input, verdict }: ToJudge): Promise<unknown> {
  const foreseen = await foresee(call, given, input)
  const { parts } = foreseen
  const whole = isSame(input, foreseen.form) ? foreseen.input : input
  const asked = approvalReason(call, verdict, [whole, ...parts.filter((part) => part.isOfWhole).map((part) => part.input)])
  if (asked === undefined) return call.behaviour.forwardsInput ? given : input
  return approve(call, given, { input, why: asked, foreseen })
}

/** The policy's verdict, recorded in a recorded run. A policy that throws or returns no verdict denies. */
async function judge(call: Call, input: unknown, label: string): Promise<PolicyVerdict> {
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

interface ForeseenWhole extends Foreseen {
  /** The input of the whole in a form that can be validated again. */
  readonly form: unknown
}

async function foresee(call: Call, given: unknown, input: unknown): Promise<ForeseenWhole> {
  const form = await repeatableInput({ given, input, accept: acceptFor(call) })
  return { form, ...(await underWay(call, () => foreseenParts(call.behaviour, { form, input }, call.journal !== undefined))) }
}

function acceptFor(call: Call): (input: unknown) => Promise<unknown> {
  return (input) => underWay(call, async () => call.behaviour.input.accept(input, call.tool))
}

interface Asked {
  readonly input: unknown
  readonly why: string
  readonly foreseen?: ForeseenWhole
}

async function approve(call: Call, given: unknown, { input, why, foreseen: known }: Asked): Promise<unknown> {
  const { behaviour } = call
  const rule = behaviour.approval
  const foreseen = known ?? (await foresee(call, given, input))
  const { form, input: shown, parts } = foreseen
  const binding = bindingOfAll(call, { shown, input, parts })
  const isSeenAsItRuns = shown === input && parts.length === 0 && foreseen.made.length === 0
  const made = call.journal !== undefined && !isSeenAsItRuns && (await isMadeOf(form, { input, accept: acceptFor(call) })) ? { made: input } : {}
  const decision = await requestReview(call, {
    label: 'approval',
    kind: 'approval',
    input: shown,
    ...(isSeenAsItRuns ? { binding } : made),
    ...(isSeenAsItRuns || (parts.length === 0 && foreseen.made.length === 0) ? {} : { foreseen }),
    why,
    risk: rule?.risk,
    onTimeout: rule?.onTimeout,
    timeoutMs: rule?.timeoutMs,
    inputSchema: behaviour.input.schema,
    ...(rule?.approvals === undefined ? {} : { approvals: rule.approvals }),
  })
  if (decision.action === 'continue') {
    if (bindingOfAll(call, { shown, input, parts }) !== binding) throw changedMeanwhile(call)
    // The caller may have lost a permission while a person was waited for.
    authorize(call)
    call.root.approveParts(call.path, parts)
    if (isSeenAsItRuns && behaviour.passesOn === true) call.lazily.passedOn = { input }
    // The tool inside validates again: of the shown input it makes the same one, while a default may be another one each time.
    return behaviour.forwardsInput ? shown : input
  }
  if (decision.action === 'edit') return runEdited(call, shown, decision)
  throw notApproved(decision, { subject: textOf(logView(shown, behaviour.input.schema, call.secrets)), outcome: 'not_started' })
}

interface Bound {
  readonly shown: unknown
  readonly input: unknown
  readonly parts: readonly ForeseenPart[]
}

/** The input that was shown, the one that would run, where they are not the same, and those of parts that get others. */
function bindingOfAll(call: Call, { shown, input, parts }: Bound): string {
  const all = [shown, ...(shown === input ? [] : [input]), ...parts.map((part) => part.input)]
  return all.map((each) => bindingOf(call, each)).join('\n')
}

/**
 * An approval, or a verdict, is valid only for the input that was judged. Nobody else holds that input, but it may contain instances of
 * classes, which cannot be copied.
 */
function changedMeanwhile(call: Call): ToolError {
  return new ToolError(`The input of tool '${call.tool}' was changed while it was being judged.`, {
    code: 'rejected',
    outcome: 'not_started',
  })
}

/**
 * The input of the reviewer is validated and checked by the policy like any other. The edit is the approval of exactly this input. It is an
 * edit of the view that was shown, in which names may be masked too.
 */
async function runEdited(call: Call, original: unknown, decision: Extract<ReviewDecision, { action: 'edit' }>): Promise<unknown> {
  const edited = applyChange(decision, { original, shown: call.lazily.shown })
  call.raiseGeneration()
  markEdited(call)
  call.root.approveParts(call.path, [])
  call.given = edited
  const parsed = await underWay(call, async () => call.behaviour.input.accept(edited, call.tool))
  noteValidated(call, parsed)
  authorize(call)
  await judge(call, parsed, 'policy_after_edit')
  return call.behaviour.forwardsInput ? edited : parsed
}
