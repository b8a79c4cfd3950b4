import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import type { InboxItem } from './inbox.ts'
import { maskedBySchema } from './masked-item.ts'

/**
 * Why a decision was refused: nothing is known of the request, somebody else was first, the call no longer waits,
 * or the decision does not fit the request, its decider may not make it, has voted already, or has seen an input that was edited since. The
 * last four leave the request open.
 */
export type InboxErrorCode =
  | 'unknown_request'
  | 'already_decided'
  | 'withdrawn'
  | 'invalid_answer'
  | 'not_permitted'
  | 'already_voted'
  | 'edited'

/** Tells the person at an inbox why their decision does not count. */
export class InboxError extends Error {
  override readonly name = 'InboxError'
  readonly code: InboxErrorCode
  /** The decision that was first, where there is one, with its secrets masked. */
  readonly decision: ReviewDecision | undefined

  constructor(code: InboxErrorCode, message: string, decision?: ReviewDecision) {
    super(message)
    this.code = code
    this.decision = decision
  }
}

const DONE: Readonly<Record<ReviewDecision['action'], string>> = {
  continue: 'approved it',
  edit: 'approved it with another input',
  answer: 'answered it',
  reject: 'rejected it',
  stop: 'stopped the run',
}

/** The error for a decision that comes too late; undefined while the request is open. `why` is the reason of its withdrawal. */
export function refusal(item: InboxItem, why = 'It was withdrawn.'): InboxError | undefined {
  if (item.status === 'open') return undefined
  // Whoever comes late may not be one who may read what was typed.
  const {
    request: { id },
    decision,
  } = maskedBySchema(item)
  if (decision === undefined) return new InboxError('withdrawn', `Request '${id}' no longer waits for a decision: ${why}`)
  const reason = 'reason' in decision && decision.reason !== undefined ? ` (${decision.reason})` : ''
  return new InboxError(
    'already_decided',
    `Request '${id}' is decided already: ${decision.by ?? 'somebody'} ${DONE[decision.action]}${reason}.`,
    decision,
  )
}

/** The error for a decision of the wrong kind. */
export function misfit({ id, kind }: ReviewRequest, { action }: ReviewDecision): InboxError | undefined {
  if (kind === 'question' && (action === 'continue' || action === 'edit'))
    return new InboxError('invalid_answer', `Request '${id}' is a question: answer it, reject it or stop the run.`)
  if (kind === 'approval' && action === 'answer')
    return new InboxError('invalid_answer', `Request '${id}' asks for an approval: approve it, edit it, reject it or stop the run.`)
  return undefined
}
