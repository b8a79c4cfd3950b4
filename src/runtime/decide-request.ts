import type { Inbox } from '../review/inbox.ts'
import { InboxError } from '../review/inbox-error.ts'
import type { Decider } from '../tool/deciders.ts'
import type { ReviewDecision } from '../tool/review.ts'
import type { Runtime } from './create-runtime.ts'

/** A decision, and how it has come. */
export interface HeardDecision {
  readonly decision: ReviewDecision
  /** Told to `reviewers.identify`: a name that a peer passes on is not one that the program gave at the inbox. */
  readonly channel: string
  /** The edition of the input that the decider has seen. */
  readonly edition?: number | undefined
}

/**
 * Puts a decision into the inbox of a runtime, where the first one counts. Returns why it does not count: it was decided before, it does not
 * fit, or its decider may not decide; undefined where it counts. An answer without a decision of a person leaves the request open.
 */
export async function decideRequest(runtime: Pick<Runtime, 'runs'>, id: string, heard: HeardDecision): Promise<string | undefined> {
  const { decision, channel } = heard
  if ('cause' in decision && decision.cause !== undefined) return decision.reason ?? 'No person has decided.'
  try {
    await decided((await runtime.runs()).inboxOn(channel, decision.by === undefined ? undefined : decision.identity), id, heard)
    return undefined
  } catch (error) {
    if (error instanceof InboxError) return error.message
    throw error
  }
}

function decided(inbox: Inbox, id: string, { decision, edition }: HeardDecision): Promise<void> {
  const by: Decider | undefined = decision.by
  switch (decision.action) {
    case 'continue':
      return inbox.approve(id, by, { note: decision.note, edition })
    case 'edit':
      return inbox.edit(id, 'patch' in decision ? { patch: decision.patch } : { input: decision.input }, by, { edition })
    case 'answer':
      return inbox.answer(id, decision.value, by)
    case 'reject':
      return inbox.reject(id, decision.reason, by)
    case 'stop':
      return inbox.stop(id, decision.reason, by)
  }
}
