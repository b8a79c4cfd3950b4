import { describeIssues } from '../../schema/describe-issues.ts'
import { requiredApprovals } from '../approval-rule.ts'
import type { AskOptions } from '../context.ts'
import { contractOf } from '../contract.ts'
import type { DeciderRule } from '../deciders.ts'
import { toMilliseconds } from '../duration.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { ToolError } from '../errors/tool-error.ts'
import { markUnfitAnswer } from '../errors/unfit-answer.ts'
import { textOf } from '../result/text-of.ts'
import type { ReviewDecision, ReviewQuestion } from '../review.ts'
import { logView, secretsIn } from '../secrets/mask.ts'
import type { Call } from './call.ts'
import { markEdited } from './edited-calls.ts'
import { notApproved } from './not-approved.ts'
import { acceptedInput } from './own-input.ts'
import { isRecorded, requestReview } from './request-review.ts'
import { checkOptionNames, optionNames } from '../option-names.ts'

const QUESTION_NAMES = optionNames<ReviewQuestion>({
  why: true,
  input: true,
  risk: true,
  timeout: true,
  onTimeout: true,
  approvals: true,
  onReject: true,
  onEdit: true,
})
const ASK_NAMES = optionNames<AskOptions<unknown>>({ question: true, answerSchema: true, timeout: true, onTimeout: true })

const UNATTENDED: ReviewDecision = { action: 'continue', note: 'Nobody was asked.' }

/** `context.review`: everything but an approval is thrown, unless the question asks for it. */
export async function reviewInCode(call: Call, question: ReviewQuestion): Promise<ReviewDecision> {
  checkOptionNames(question, QUESTION_NAMES, `The options of a review by tool '${call.tool}'`)
  const label = call.nextLabel('review')
  const approvals = approvalsOf(call, question)
  if (goesUnattended(call, label, approvals !== undefined)) return UNATTENDED
  refuseInsideStep(call)
  const input = question.input ?? acceptedInput(call)
  const decision = await requestReview(call, {
    label,
    kind: 'approval',
    input,
    why: question.why,
    risk: question.risk,
    onTimeout: question.onTimeout,
    ...(question.timeout === undefined ? {} : { timeoutMs: toMilliseconds(question.timeout, 'The timeout of a review') }),
    ...(approvals === undefined ? {} : { approvals }),
  })
  if (decision.action === 'continue') return decision
  if (decision.action === 'edit' && question.onEdit === 'return') {
    markEdited(call)
    return decision
  }
  const rejection = decision.action === 'edit' ? unusableEdit(decision) : decision
  if (question.onReject === 'return') return rejection
  throw notApproved(rejection, { subject: textOf(logView(input, call.behaviour.input.schema, call.secrets)), outcome: 'failed' })
}

function approvalsOf({ tool }: Call, { approvals, onTimeout }: ReviewQuestion): DeciderRule | undefined {
  return approvals === undefined ? undefined : requiredApprovals(approvals, { onTimeout, where: `in a review by tool '${tool}'` })
}

/**
 * Whether a review in code goes on with nobody to ask. A tool that takes effect does so only where the caller has said it, and none does so
 * where the author names the people.
 */
function goesUnattended(call: Call, label: string, needsPeople: boolean): boolean {
  const { review, unattended } = call.root.options
  if ((review !== undefined && review.isAbsent !== true) || isRecorded(call, label)) return false
  if (unattended === 'approve' && !needsPeople) return true
  // A handler that can reach nobody refuses by itself, and says why.
  if (review !== undefined) return false
  if (call.effect === 'read' && !needsPeople) return true
  throw new ConfigurationError(
    'missing_review_handler',
    `Tool '${call.tool}' asks for approval in its code but no ReviewHandler is configured. Pass one as 'review'${needsPeople ? '.' : ", or let such tools go on with unattended: 'approve'."}`,
  )
}

/** Code that only waits for an approval would run with the input that the person changed. */
function unusableEdit({ by, note }: ReviewDecision): ReviewDecision {
  return { action: 'reject', by, note, reason: 'The reviewer wants another input, and this tool cannot take one here.' }
}

/** `context.ask`: undefined with nobody to ask; an answer that does not fit its schema counts as none given. */
export async function askInCode(call: Call, options: AskOptions<unknown>, whyOutside?: string): Promise<unknown> {
  checkOptionNames(options, ASK_NAMES, `The options of a question by tool '${call.tool}'`)
  const contract = contractOf(options.answerSchema, 'answerSchema')
  const label = call.nextLabel('ask')
  const { review } = call.root.options
  if ((review === undefined || review.isAbsent === true) && !isRecorded(call, label)) return undefined
  refuseInsideStep(call)
  const decision = await requestReview(call, {
    label,
    kind: 'question',
    input: acceptedInput(call),
    why: options.question,
    whyOutside,
    answerSchema: contract.input,
    onTimeout: options.onTimeout,
    ...(options.timeout === undefined ? {} : { timeoutMs: toMilliseconds(options.timeout, 'The timeout of a question') }),
  })
  if (decision.action === 'continue') return undefined
  if (decision.action !== 'answer') throw notApproved(decision, { subject: whyOutside ?? options.question, outcome: 'failed' })
  // The answer may go anywhere in the run, so that its secrets are masked in all of it.
  call.root.hideInLogs(secretsIn(decision.value, contract.input))
  const checked = await contract.validate(decision.value)
  if (checked.issues === undefined) call.root.hideMade(secretsIn(checked.value, contract.input))
  if (checked.issues === undefined) return checked.value
  const issues = describeIssues(checked.issues, decision.value)
  const error = new ToolError(`The answer of the reviewer does not fit the question: ${issues}`, { code: 'rejected', outcome: 'failed' })
  throw markUnfitAnswer(error, issues)
}

/** A leaf is one step of a recorded run: an answer inside it would be lost with the process. */
function refuseInsideStep(call: Call): void {
  if (call.journal === undefined || !call.behaviour.leaf) return
  throw new ConfigurationError(
    'review_inside_step',
    `Tool '${call.tool}' asks a person in the middle of its work, which a recorded run cannot resume. Mark it with requireApproval, wrap it in gate, or write it as a compound.`,
  )
}
