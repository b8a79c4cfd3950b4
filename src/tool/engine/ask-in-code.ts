import { describeIssues } from '../../schema/describe-issues.ts'
import type { AskOptions } from '../context.ts'
import { contractOf } from '../contract.ts'
import { toMilliseconds } from '../duration.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { ToolError } from '../errors/tool-error.ts'
import type { ReviewDecision, ReviewQuestion } from '../review.ts'
import type { Call } from './call.ts'
import { isRecorded, requestReview } from './request-review.ts'

/** `context.review`: with nobody to ask, the call goes on. */
export async function reviewInCode(call: Call, question: ReviewQuestion): Promise<ReviewDecision> {
  const label = call.nextLabel('review')
  if (call.root.options.review === undefined && !isRecorded(call, label)) return { action: 'continue' }
  refuseInsideStep(call)
  return requestReview(call, {
    label,
    kind: 'approval',
    input: question.input ?? call.given,
    why: question.why,
    risk: question.risk,
    onTimeout: question.onTimeout,
    ...(question.timeout === undefined ? {} : { timeoutMs: toMilliseconds(question.timeout, 'The timeout of a review') }),
  })
}

/** `context.ask`: undefined with nobody to ask; an answer that does not fit its schema counts as none given. */
export async function askInCode(call: Call, options: AskOptions<unknown>): Promise<unknown> {
  const contract = contractOf(options.answerSchema, 'answerSchema')
  const label = call.nextLabel('ask')
  const { review } = call.root.options
  if ((review === undefined || review.isAbsent === true) && !isRecorded(call, label)) return undefined
  refuseInsideStep(call)
  const decision = await requestReview(call, {
    label,
    kind: 'question',
    input: call.given,
    why: options.question,
    answerSchema: contract.input,
    onTimeout: options.onTimeout,
    ...(options.timeout === undefined ? {} : { timeoutMs: toMilliseconds(options.timeout, 'The timeout of a question') }),
  })
  if (decision.action === 'continue') return undefined
  if (decision.action !== 'answer') {
    const reason = decision.action === 'reject' && decision.reason !== undefined ? ` (${decision.reason})` : ''
    throw new ToolError(`Rejected by reviewer: ${options.question}${reason}`, { code: 'rejected', outcome: 'failed' })
  }
  const checked = await contract.validate(decision.value)
  if (checked.issues === undefined) return checked.value
  throw new ToolError(`Rejected by reviewer: the answer does not fit the question: ${describeIssues(checked.issues, decision.value)}`, {
    code: 'rejected',
    outcome: 'failed',
  })
}

/** A leaf is one step of a recorded run: an answer inside it would be lost with the process. */
function refuseInsideStep(call: Call): void {
  if (call.journal === undefined || !call.behaviour.leaf) return
  throw new ConfigurationError(
    'review_inside_step',
    `Tool '${call.tool}' asks a person in the middle of its work, which a recorded run cannot resume. Mark it with requireApproval, wrap it in gate, or write it as a compound.`,
  )
}
