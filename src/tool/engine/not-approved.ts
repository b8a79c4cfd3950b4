import { type FailureCode, FAILURES } from '../errors/error-codes.ts'
import { keepRefusalReason } from '../errors/refusal-reason.ts'
import { type Outcome, ToolError } from '../errors/tool-error.ts'
import { decidersText } from '../deciders-text.ts'
import { printable } from '../printable.ts'
import type { NoDecision, ReviewDecision, ReviewRefusal } from '../review.ts'

interface Words {
  readonly code: FailureCode
  readonly message: string
}

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

/** Decisions are recorded as they are: by these words a reason is known that no person has given. */
export const NOT_REACHED = 'The reviewer could not be reached: '

/** The failure of a call that a person did not approve, for all the ways in which one is asked. */
export function notApproved(decision: ReviewDecision, { subject, outcome }: NotApproved): ToolError {
  const { reason, cause }: Refusal = decision.action === 'reject' ? decision : {}
  return keepRefusalReason(failureOf(decision, { subject, outcome }, { reason, cause }), reason)
}

function failureOf(decision: ReviewDecision, { subject, outcome }: NotApproved, { reason, cause }: Refusal): ToolError {
  if (cause === undefined) return new ToolError(`${rejection(decision, reason)}: ${beginningOf(subject)}`, { code: 'rejected', outcome })
  const { code, message } = UNDECIDED[cause]
  const { hint } = FAILURES[code]
  return new ToolError(`${message}${whyNot(message, reason)}: ${beginningOf(subject)}`, {
    code,
    outcome,
    internal: reason?.startsWith(NOT_REACHED),
    // A tool that asks in its code may have done much before.
    ...(outcome === 'not_started' ? { hint: hint.replace('.', ', so nothing ran.') } : {}),
  })
}

/** The reason stands in the message: the tools around this one repeat messages, and no hints. A reason that says the same is left out. */
function whyNot(message: string, reason = ''): string {
  const said = reason.trim().replace(/[.!?]$/, '')
  return said === '' || said === message ? '' : ` (${beginningOf(said)})`
}

type Refusal = Pick<ReviewRefusal, 'reason' | 'cause'>

/** Who rejected it, and why. It stands before the input, which may be long: a list of runs shows the beginning of a message. */
function rejection(decision: ReviewDecision, reason = ''): string {
  const names = printable(decidersText(decision))
  const said = reason.trim() === '' ? '' : `, who says "${beginningOf(reason.trim())}"`
  return `Rejected by reviewer${names === '' ? '' : ` ${names}`}${said}`
}

/** A failure does not repeat a long text: the caller has it, or can look it up. */
const LONGEST = 1000

function beginningOf(text: string): string {
  const more = text.length - LONGEST
  return more <= 0 ? text : `${text.slice(0, LONGEST).toWellFormed()}... (${more} characters more)`
}
