import { decisionOnTimeout } from '../tool/engine/request-review.ts'
import type { Decider } from '../tool/deciders.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import { answerIssues } from './answer-issues.ts'
import { editIssues } from './edit-issues.ts'
import { editionInput } from './edition-input.ts'
import type { ApproveOptions, EditOptions, Inbox, InboxFilter, InboxItem, InputChange } from './inbox.ts'
import { InboxError } from './inbox-error.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

type Verbs = Pick<Inbox, 'approve' | 'edit' | 'answer' | 'reject' | 'stop' | 'expire'>

export interface InboxParts {
  /** Records the decision or the vote, if it counts; else throws an `InboxError`. */
  readonly decide: (id: string, decision: ReviewDecision, deciding: Deciding) => Promise<void>
  /** The request with its ballot, if it is open; else throws an `InboxError`. */
  readonly openItem: (id: string) => Promise<InboxItem>
}

export interface Deciding {
  readonly by: Decider | undefined
  /** The edition of the input that the decider has seen. */
  readonly edition?: number | undefined
}

const FILTER_NAMES = optionNames<InboxFilter>({ run: true, tool: true, assignee: true, limit: true })
const APPROVE_NAMES = optionNames<ApproveOptions>({ note: true, edition: true })
const EDIT_NAMES = optionNames<EditOptions>({ edition: true })
const CHANGE_NAMES = ['input', 'patch']

export function checkInboxFilter(filter: InboxFilter): void {
  checkOptionNames(filter, FILTER_NAMES, 'The options of inbox.list')
}

/** The decisions that people can make at an inbox, in memory or in a database. */
export function inboxVerbs({ decide, openItem }: InboxParts): Verbs {
  const inTurn = turns()
  const say = (id: string, decision: ReviewDecision, deciding: Deciding): Promise<void> => inTurn(id, () => decide(id, decision, deciding))
  return {
    approve: async (id, by, options = {}) => {
      checkOptionNames(options, APPROVE_NAMES, 'The options of inbox.approve')
      const { edition, note } = options
      return say(id, { action: 'continue', ...(note === undefined ? {} : { note }) }, { by, edition })
    },
    edit: async (id, change, by, options = {}) => {
      checkOptionNames(options, EDIT_NAMES, 'The options of inbox.edit')
      const { edition } = options
      return inTurn(id, async () => {
        const edit = changeOf(change)
        await checkEdit(await openItem(id), edit)
        await decide(id, { action: 'edit', ...edit }, { by, edition })
      })
    },
    answer: (id, value, by) =>
      inTurn(id, async () => {
        const { answerSchema } = (await openItem(id)).request
        const issues = answerSchema === undefined ? undefined : await answerIssues(value, answerSchema)
        if (issues !== undefined) throw new InboxError('invalid_answer', `The answer does not fit request '${id}': ${issues}`)
        await decide(id, { action: 'answer', value }, { by })
      }),
    reject: (id, reason, by) => say(id, { action: 'reject', ...reasonOf(reason) }, { by }),
    stop: (id, reason, by) => say(id, { action: 'stop', ...reasonOf(reason) }, { by }),
    expire: (id, by) => inTurn(id, async () => decide(id, decisionOnTimeout((await openItem(id)).request), { by })),
  }
}

/** Decisions about one request count in the order of their calls, also where a check takes time. The first one is made at once. */
function turns(): (id: string, speak: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>()
  return (id, speak) => {
    const before = last.get(id)
    const turn = before === undefined ? speak() : before.then(speak)
    const over = turn
      .catch(() => {})
      .then(() => {
        if (last.get(id) === over) last.delete(id)
      })
    last.set(id, over)
    return turn
  }
}

function reasonOf(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}

/** Refuses an edit that does not fit, while the request is still open. An edit of a question is refused by its kind. */
export async function checkEdit({ request, ballot }: InboxItem, change: InputChange): Promise<void> {
  const edited: ReviewRequest = { ...request, input: editionInput(request, ballot?.edit) }
  const issues = request.kind === 'approval' ? await editIssues(edited, change) : undefined
  if (issues === undefined) return
  const stop = issues.endsWith('.') || issues.endsWith('?') ? '' : '.'
  throw new InboxError('invalid_answer', `The edit does not fit request '${request.id}', which stays open: ${issues}${stop}`)
}

export function changeOf(change: InputChange): InputChange {
  checkOptionNames(change, CHANGE_NAMES, 'The fields of an edit')
  const { input, patch }: { readonly input?: unknown; readonly patch?: unknown } = change
  if ((input === undefined) === (patch === undefined))
    throw new InboxError(
      'invalid_answer',
      `An edit needs the whole input as \`input\`, or a merge patch as \`patch\`${input === undefined ? '' : ', and not both'}. The request stays open.`,
    )
  return input === undefined ? { patch } : { input }
}
