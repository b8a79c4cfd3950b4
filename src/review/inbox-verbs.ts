import { decisionOnTimeout } from '../tool/calls/request-review.ts'
import type { ReviewDecision, Reviewed, ReviewRequest } from '../tool/review.ts'
import { answerIssues } from './answer-issues.ts'
import { InboxError } from './inbox-error.ts'
import type { Inbox, InputChange } from './inbox-interface.ts'

type Verbs = Pick<Inbox, 'approve' | 'edit' | 'answer' | 'reject' | 'stop' | 'expire'>

export interface InboxParts {
  /** Records the decision if it is the first; else throws an `InboxError`. */
  readonly decide: (id: string, decision: ReviewDecision) => Promise<void>
  /** The request, if it is open; else throws an `InboxError`. */
  readonly openRequest: (id: string) => Promise<ReviewRequest>
}

/** What people can say at an inbox, wherever it keeps its requests. */
export function inboxVerbs({ decide, openRequest }: InboxParts): Verbs {
  return {
    approve: (id, by) => decide(id, { action: 'continue', ...author(by) }),
    edit: async (id, change, by) => decide(id, { action: 'edit', ...changeOf(change), ...author(by) }),
    answer: async (id, value, by) => {
      const { answerSchema } = await openRequest(id)
      const issues = answerSchema === undefined ? undefined : await answerIssues(value, answerSchema)
      if (issues !== undefined) throw new InboxError('invalid_answer', `The answer does not fit request '${id}': ${issues}`)
      await decide(id, { action: 'answer', value, ...author(by) })
    },
    reject: (id, reason, by) => decide(id, { action: 'reject', ...reasonOf(reason), ...author(by) }),
    stop: (id, reason, by) => decide(id, { action: 'stop', ...reasonOf(reason), ...author(by) }),
    expire: async (id) => decide(id, decisionOnTimeout(await openRequest(id))),
  }
}

function author(by: string | undefined): Reviewed {
  return by === undefined ? {} : { by }
}

function reasonOf(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}

function changeOf(change: InputChange): InputChange {
  if ('input' in change) return { input: change.input }
  if ('patch' in change) return { patch: change.patch }
  throw new InboxError('invalid_answer', 'An edit needs the whole input as `input`, or a merge patch as `patch`.')
}
