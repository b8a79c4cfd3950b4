import type { Deciding } from '../../run/approvals/decide-approval.ts'
import { answerIssues } from '../../review/answer-issues.ts'
import { fenced } from '../../review/describe-request.ts'
import { editionInput } from '../../review/edition-input.ts'
import { InboxError } from '../../review/inbox-error.ts'
import { checkEdit } from '../../review/inbox-verbs.ts'
import type { Inbox, InboxFilter, InboxItem } from '../../review/inbox.ts'
import { jsonProblem } from '../../tool/input/json-problem.ts'
import { printable } from '../../tool/printable.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { ago } from '../ago.ts'
import { byWhom, nextOf } from '../decide-request.ts'
import { describeItem } from '../describe-item.ts'
import { approveCommand, type Whereabouts } from '../follow-up.ts'
import { shortId } from '../match-id.ts'
import { jsonText, onTerminal, told } from '../output.ts'
import { editableInput, withProblem } from './edited-input.ts'
import type { EditedText } from './edit-text.ts'
import type { Choice, Prompts } from './prompts.ts'

export interface ReviewSession {
  readonly inbox: Pick<Inbox, 'list' | 'get' | 'on'>
  readonly filter: InboxFilter
  /** Records a decision on the request of this id, if it counts. */
  readonly decide: (id: string, deciding: Pick<Deciding, 'decision' | 'edition'>) => Promise<InboxItem>
  readonly prompts: Prompts
  readonly edit: (text: string) => Promise<EditedText>
  /** The flags for the commands that are shown. */
  readonly where: Whereabouts
}

const MOST_LISTED = 200
const QUIT = 'quit'
const AGAIN = 'again'

/**
 * Lets a person look at open requests and decide them one by one. What is decided is what was shown: a decision names the request and the
 * edition of its input. If a request closes while somebody looks at it, nothing is decided, and the next decision has to be confirmed by a
 * word that nobody can have typed before.
 */
export async function reviewSession(session: ReviewSession): Promise<void> {
  const { inbox, filter, prompts } = session
  const state = { isInDoubt: false }
  while (!prompts.isClosed()) {
    const items = await inbox.list({ ...filter, limit: MOST_LISTED })
    if (items.length === 0) return prompts.show('Nothing waits for a person.')
    const count =
      items.length === MOST_LISTED ? `The ${MOST_LISTED} oldest requests` : items.length === 1 ? 'One request' : `${items.length} requests`
    const picked = await prompts.pick(`${count} to decide. Which one do you want to see?`, [
      ...items.map(choiceOf),
      { value: AGAIN, label: 'look again', hint: 'for new requests' },
      { value: QUIT, label: 'quit' },
    ])
    if (picked === undefined || picked === QUIT) return
    if (picked !== AGAIN && (await new Looking(session, picked, state).run()) === 'quit') return
  }
}

function choiceOf({ request, requestedAt }: InboxItem): Choice<string> {
  const why = printable(request.why.split('\n')[0] ?? '')
  return {
    value: request.id,
    label: printable(`${shortId(request.id)}  ${request.tool}`),
    hint: `${why.length > 60 ? `${why.slice(0, 57).toWellFormed()}...` : why} (${request.risk} risk, ${ago(requestedAt)})`,
  }
}

type Action = 'skip' | 'approve' | 'edit' | 'answer' | 'reject' | 'stop' | 'quit'

const SKIP: Choice<Action> = { value: 'skip', label: 'skip', hint: 'back to the list, it stays open' }
const OTHERS: readonly Choice<Action>[] = [
  { value: 'reject', label: 'reject', hint: 'the caller is told why, and can adapt' },
  { value: 'stop', label: 'stop', hint: 'ends the whole run' },
  { value: 'quit', label: 'quit' },
]

/** The first choice does nothing: no key that is pressed too often decides. */
function choicesFor({ request }: InboxItem): readonly Choice<Action>[] {
  if (request.about === 'outcome') return [SKIP, { value: 'quit', label: 'quit' }]
  if (request.kind === 'question') return [SKIP, { value: 'answer', label: 'answer' }, ...OTHERS]
  return [
    SKIP,
    { value: 'approve', label: 'approve', hint: 'as it is shown' },
    { value: 'edit', label: 'edit', hint: 'change the input in $EDITOR, then approve' },
    ...OTHERS,
  ]
}

const DONE: Readonly<Record<ReviewDecision['action'], string>> = {
  continue: 'Approved',
  edit: 'Approved with another input:',
  answer: 'Answered',
  reject: 'Rejected',
  stop: 'Stopped the run at',
}

/** Whether the next decision has to be confirmed, since somebody may have been typing about another request. */
interface Doubt {
  isInDoubt: boolean
}

/** One person looks at one request. */
class Looking {
  readonly #session: ReviewSession
  readonly #id: string
  readonly #doubt: Doubt
  /** Aborted when the request is decided by somebody else, or withdrawn. */
  readonly #closed = new AbortController()

  constructor(session: ReviewSession, id: string, doubt: Doubt) {
    this.#session = session
    this.#id = id
    this.#doubt = doubt
  }

  async run(): Promise<'quit' | 'list'> {
    const { inbox } = this.#session
    const close = ({ request }: InboxItem): void => {
      if (request.id === this.#id) this.#closed.abort()
    }
    const offs = [inbox.on('decided', close), inbox.on('withdrawn', close)]
    try {
      return await this.#look()
    } finally {
      for (const off of offs) off()
    }
  }

  async #look(): Promise<'quit' | 'list'> {
    const { inbox, prompts, where } = this.#session
    const item = await inbox.get(this.#id)
    if (item === undefined || item.status !== 'open') return this.#tellClosed()
    prompts.show(describeItem(item))
    if (item.request.about === 'outcome')
      prompts.show(`Find out what happened, then say it with: ${onTerminal(approveCommand(item, where))}`)
    for (;;) {
      const action = await prompts.pick('What do you decide?', choicesFor(item), { signal: this.#closed.signal })
      if (this.#closed.signal.aborted) return this.#tellClosed()
      if (action === 'quit' || (action === undefined && prompts.isClosed())) return 'quit'
      if (action === undefined || action === 'skip') return 'list'
      const decision = await this.#decisionFor(action, item)
      if (this.#closed.signal.aborted) return this.#tellClosed()
      if (decision !== undefined && (await this.#isMeant())) return this.#decide(item, decision)
      if (this.#closed.signal.aborted) return this.#tellClosed()
    }
  }

  /** Undefined if the person changes their mind. */
  async #decisionFor(action: Exclude<Action, 'skip' | 'quit'>, item: InboxItem): Promise<ReviewDecision | undefined> {
    if (action === 'approve') return { action: 'continue' }
    if (action === 'edit') return this.#edit(item)
    if (action === 'answer') return this.#answer(item)
    const reason = await this.#line('Why? The caller reads it; it may be empty.')
    return reason === undefined ? undefined : { action, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }
  }

  /** A text that does not fit is opened again, as it was left, with the reason above it. */
  async #edit(item: InboxItem): Promise<ReviewDecision | undefined> {
    const { edit, prompts } = this.#session
    const editable = editableInput(item.ballot?.edit === undefined ? item.request.input : editionInput(item.request, item.ballot.edit))
    let { text } = editable
    for (;;) {
      const edited = await edit(text)
      if ('problem' in edited) {
        prompts.show(told(edited.problem))
        return undefined
      }
      if (this.#closed.signal.aborted) return undefined
      try {
        const change = editable.changeIn(edited.text)
        if (change === undefined) {
          prompts.show('Nothing was changed.')
          return undefined
        }
        await checkEdit(item, change)
        const isPatch = 'patch' in change
        prompts.show(
          `${isPatch ? 'The changed fields' : 'The new input'}:\n${fenced(jsonText(isPatch ? change.patch : change.input, 2)).trimEnd()}`,
        )
        return (await this.#agrees('Approve with this?', 'approve')) ? { action: 'edit', ...change } : undefined
      } catch (error) {
        const problem = told(error instanceof Error ? error.message : String(error))
        prompts.show(problem)
        if (!(await this.#agrees('Edit it again?', 'edit'))) return undefined
        text = withProblem(edited.text, problem)
      }
    }
  }

  async #answer({ request: { answerSchema } }: InboxItem): Promise<ReviewDecision | undefined> {
    const { prompts } = this.#session
    const isText = answerSchema?.['type'] === 'string'
    let initial: string | undefined
    for (;;) {
      const typed = await this.#line(isText ? 'Your answer' : 'Your answer, as JSON', initial)
      if (typed === undefined) return undefined
      initial = typed
      try {
        const value = isText ? typed : (JSON.parse(typed) as unknown)
        const issues = answerSchema === undefined ? undefined : await answerIssues(value, answerSchema)
        if (issues === undefined) return { action: 'answer', value }
        prompts.show(told(`The answer does not fit: ${issues}`))
      } catch (error) {
        prompts.show(told(`This is not valid JSON. ${jsonProblem(typed, error)}.`))
      }
    }
  }

  /** After a request that closed under the hands of a person, keys may still be on their way. */
  async #isMeant(): Promise<boolean> {
    if (!this.#doubt.isInDoubt) return true
    const code = crypto.randomUUID().slice(0, 4)
    const typed = await this.#line(
      `Another request was closed while you looked at it. Type ${code} to decide this one, ${shortId(this.#id)}.`,
    )
    return typed?.trim() === code
  }

  async #decide(item: InboxItem, decision: ReviewDecision): Promise<'list'> {
    const { decide, prompts } = this.#session
    try {
      const decided = await decide(this.#id, { decision, edition: item.ballot?.edition ?? 0 })
      this.#doubt.isInDoubt = false
      prompts.show(printable(`${DONE[decision.action]} ${shortId(this.#id)}${byWhom(decided)}. ${nextOf(decided)}`.trimEnd()))
    } catch (error) {
      if (!(error instanceof InboxError)) throw error
      this.#doubt.isInDoubt = true
      prompts.show(told(error.message))
      await prompts.quiet()
    }
    return 'list'
  }

  async #tellClosed(): Promise<'list'> {
    const { inbox, prompts } = this.#session
    this.#doubt.isInDoubt = true
    const item = await inbox.get(this.#id)
    const how =
      item?.status === 'decided'
        ? `was decided${byWhom(item)} meanwhile`
        : item?.status === 'open'
          ? 'has changed'
          : 'was withdrawn meanwhile'
    prompts.show(printable(`Request ${shortId(this.#id)} ${how}. You have decided nothing.`))
    await prompts.quiet()
    return 'list'
  }

  async #agrees(message: string, yes: string): Promise<boolean> {
    const choices: readonly Choice<'no' | 'yes'>[] = [
      { value: 'no', label: 'go back' },
      { value: 'yes', label: yes },
    ]
    return (await this.#session.prompts.pick(message, choices, { signal: this.#closed.signal })) === 'yes'
  }

  #line(message: string, initial?: string): Promise<string | undefined> {
    return this.#session.prompts.line(message, { signal: this.#closed.signal, initial })
  }
}
