import type { Inbox } from '../review/inbox.ts'
import { InboxError } from '../review/inbox-error.ts'
import type { Decider } from '../tool/deciders.ts'
import type { ReviewDecision } from '../tool/review.ts'

/**
 * Puts a decision into an inbox, where the first one counts. Returns why it does not count: it was decided before, it does not fit, or its
 * decider may not decide; undefined where it counts. An answer without a decision of a person leaves the request open.
 */
export async function decideRequest(inbox: Inbox, id: string, decision: ReviewDecision): Promise<string | undefined> {
  if ('cause' in decision && decision.cause !== undefined) return decision.reason ?? 'No person has decided.'
  try {
    await decided(inbox, id, decision)
    return undefined
  } catch (error) {
    if (error instanceof InboxError) return error.message
    throw error
  }
}

function decided(inbox: Inbox, id: string, decision: ReviewDecision): Promise<void> {
  const by: Decider | undefined = decision.by
  switch (decision.action) {
    case 'continue':
      return inbox.approve(id, by, { note: decision.note })
    case 'edit':
      return inbox.edit(id, 'patch' in decision ? { patch: decision.patch } : { input: decision.input }, by)
    case 'answer':
      return inbox.answer(id, decision.value, by)
    case 'reject':
      return inbox.reject(id, decision.reason, by)
    case 'stop':
      return inbox.stop(id, decision.reason, by)
  }
}
