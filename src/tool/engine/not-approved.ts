import { type FailureCode, FAILURES } from '../errors/error-codes.ts'
import { type Outcome, ToolError } from '../errors/tool-error.ts'
import type { NoDecision, ReviewDecision } from '../review.ts'

interface Words {
  readonly code: FailureCode
  readonly message: string
}

const REJECTED: Words = { code: 'rejected', message: 'Rejected by reviewer' }

/** Nobody said no: the words must not put a rejection into the mouth of a person. */
const UNDECIDED: Readonly<Record<NoDecision, Words>> = {
  timed_out: { code: 'review_timed_out', message: 'Nobody decided in time' },
  unreachable: { code: 'reviewer_unreachable', message: 'No reviewer decided' },
}

interface NotApproved {
  /** What was asked about, with secrets masked. */
  readonly subject: string
  readonly outcome: Outcome
}

/** The failure of a call that a person did not approve, for all the ways in which one is asked. */
export function notApproved(decision: ReviewDecision, { subject, outcome }: NotApproved): ToolError {
  const { reason, cause }: { readonly reason?: string | undefined; readonly cause?: NoDecision | undefined } =
    decision.action === 'reject' ? decision : {}
  const { code, message } = cause === undefined ? REJECTED : UNDECIDED[cause]
  const said = cause === undefined ? `The reviewer says: ${reason ?? ''}` : withHint(reason ?? '', FAILURES[code].hint)
  return new ToolError(`${message}: ${beginningOf(subject)}`, { code, outcome, ...(reason === undefined ? {} : { hint: said }) })
}

/** A failure does not repeat a long input: the caller has it. */
const LONGEST_SUBJECT = 1000

function beginningOf(subject: string): string {
  const more = subject.length - LONGEST_SUBJECT
  return more <= 0 ? subject : `${subject.slice(0, LONGEST_SUBJECT).toWellFormed()}... (${more} characters more)`
}

/** A reason with which the hint begins is not said twice. */
function withHint(reason: string, hint: string): string {
  return hint.startsWith(reason.replace(/[.!?]$/, '')) ? hint : `${sentence(reason)} ${hint}`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
