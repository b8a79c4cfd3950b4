import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import { InboxError } from './inbox-error.ts'
import type { InboxItem } from './inbox-interface.ts'

const DONE: Readonly<Record<ReviewDecision['action'], string>> = {
  continue: 'approved it',
  edit: 'approved it with another input',
  answer: 'answered it',
  reject: 'rejected it',
  stop: 'stopped the run',
}

/** What to tell somebody who comes too late; undefined while the request is open. `why` says what withdrew it. */
export function refusal({ request: { id }, status, decision }: InboxItem, why = 'It was withdrawn.'): InboxError | undefined {
  if (status === 'open') return undefined
  if (decision === undefined) return new InboxError('withdrawn', `Request '${id}' no longer waits for a decision: ${why}`)
  const reason = 'reason' in decision && decision.reason !== undefined ? ` (${decision.reason})` : ''
  return new InboxError(
    'already_decided',
    `Request '${id}' is decided already: ${decision.by ?? 'somebody'} ${DONE[decision.action]}${reason}.`,
    decision,
  )
}

/** What to tell somebody whose decision is of the wrong kind. */
export function misfit({ id, kind }: ReviewRequest, { action }: ReviewDecision): InboxError | undefined {
  if (kind === 'question' && (action === 'continue' || action === 'edit'))
    return new InboxError('invalid_answer', `Request '${id}' is a question: answer it, reject it or stop the run.`)
  if (kind === 'approval' && action === 'answer')
    return new InboxError('invalid_answer', `Request '${id}' asks for an approval: approve it, edit it, reject it or stop the run.`)
  return undefined
}
