import type { Clock } from '../tool/ports/clock.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { asJudged, identified, type Identified, type Reviewers } from '../tool/deciders.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest, ReviewWait } from '../tool/review.ts'
import type { Ballot } from './ballot.ts'
import { castVote, checkAssigner } from './cast-vote.ts'
import type { Inbox, InboxEvent, InboxItem } from './inbox.ts'
import { warn } from '../tool/warn.ts'
import { InboxError, refusal } from './inbox-error.ts'
import { checkInboxFilter, type Deciding, inboxVerbs } from './inbox-verbs.ts'
import { maskedBySchema } from './masked-item.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `createInbox`. */
export interface InboxOptions {
  /** How many closed requests are remembered, for errors of late decisions; 1000 by default. */
  readonly history?: number | undefined
}

const NAMES = optionNames<InboxOptions>({ history: true })

const CHANNEL = 'inbox'

/**
 * Makes an inbox in memory: requests wait in it until somebody decides. It is lost with the process.
 * @example
 * const inbox = createInbox()
 * inbox.on('requested', ({ request }) => void inbox.approve(request.id, 'ada'))
 * const result = await gate(issueRefund).call({ orderId: 'A1', amount: 250 }, { review: inbox.handler })
 * console.log(result.ok) // true
 */
export function createInbox(options: InboxOptions = {}): Inbox {
  checkOptionNames(options, NAMES, 'The options of createInbox')
  const { history = 1000 } = options
  if (!Number.isInteger(history) || history < 0)
    throw new ConfigurationError('invalid_option', 'The history of an inbox must be a whole number from 0 on.')
  const open = new Map<string, InboxEntry>()
  const closed = new Map<string, InboxEntry>()
  const listeners = new Map<InboxEvent, Set<(item: InboxItem) => void>>()

  const announce = (event: InboxEvent, { shown }: InboxEntry): void => {
    for (const listener of listeners.get(event) ?? []) {
      try {
        listener(shown)
      } catch (error) {
        warn(undefined, `A listener of an inbox threw: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  const close = (entry: InboxEntry, event: 'decided' | 'withdrawn'): void => {
    const { id } = entry.request
    open.delete(id)
    closed.set(id, entry)
    for (const oldest of closed.keys()) {
      if (closed.size <= history) break
      closed.delete(oldest)
    }
    announce(event, entry)
  }

  const openEntry = (id: string): InboxEntry => {
    const entry = open.get(id)
    if (entry !== undefined) return entry
    throw (
      closed.get(id)?.refusal ?? new InboxError('unknown_request', `No request '${id}' is known here. It may have been closed long ago.`)
    )
  }

  /** Nothing is awaited between the look and the decision: of two who decide at once, one is first. */
  const decide = async (id: string, decision: ReviewDecision, { by, edition }: Deciding): Promise<void> => {
    const known = identified(by, openEntry(id).reviewers, { channel: CHANNEL })
    const decider = known instanceof Promise ? await known : known
    const entry = openEntry(id)
    if (entry.vote(decision, decider, edition)) close(entry, 'decided')
  }

  /** A recorded run that is resumed makes its open request again: all that wait for it get the one decision. */
  const enter = (request: ReviewRequest, fresh: InboxEntry): InboxEntry => {
    const known = open.get(request.id)
    if (known === undefined) {
      closed.delete(request.id)
      open.set(request.id, fresh)
      return fresh
    }
    if (known.request.inputHash === request.inputHash && known.request.path === request.path) return known
    throw new Error(`another request with the id '${request.id}' is open`)
  }

  const handler: ReviewHandler = {
    channel: CHANNEL,
    deciders: 'principals',
    counts: true,
    review: (request, wait) =>
      new Promise((resolve, reject) => {
        const { signal } = wait
        signal.throwIfAborted()
        const fresh = new InboxEntry(request, wait)
        const entry = enter(request, fresh)
        const take = (decision: ReviewDecision): void => {
          signal.removeEventListener('abort', giveUp)
          resolve(decision)
        }
        const giveUp = (): void => {
          reject(signal.reason as Error)
          entry.waiting.delete(take)
          if (entry.waiting.size > 0) return
          entry.withdraw(signal.reason instanceof Error ? signal.reason.message : 'It was withdrawn.')
          close(entry, 'withdrawn')
        }
        entry.waiting.add(take)
        signal.addEventListener('abort', giveUp, { once: true })
        if (entry === fresh) announce('requested', entry)
      }),
  }

  return {
    handler,
    list: async (filter = {}) => {
      checkInboxFilter(filter)
      const { run, tool, assignee, limit } = filter
      if (run !== undefined) return []
      return [...open.values()]
        .filter(({ request, assignee: own }) => (tool ?? request.tool) === request.tool && (assignee ?? own) === own)
        .slice(0, limit)
        .map(({ shown }) => shown)
    },
    get: async (id) => (open.get(id) ?? closed.get(id))?.shown,
    ...inboxVerbs({ decide, openItem: async (id) => openEntry(id).item }),
    assign: async (id, assignee, by) => {
      const { reviewers } = openEntry(id)
      const decider = await identified(by, reviewers, { channel: CHANNEL })
      const entry = openEntry(id)
      checkAssigner(entry.item, decider, reviewers)
      entry.assignee = assignee
    },
    on: (event, listener) => {
      const own = (item: InboxItem): void => listener(item)
      listeners.set(event, (listeners.get(event) ?? new Set()).add(own))
      return () => void listeners.get(event)?.delete(own)
    },
  }
}

type End = { readonly decision: ReviewDecision } | { readonly withdrawn: string }

/** One request in an inbox, from the first asking to its end. */
class InboxEntry {
  readonly request: ReviewRequest
  /** The waiting callers: more than one where a recorded run was resumed while its request was open. */
  readonly waiting = new Set<(decision: ReviewDecision) => void>()
  assignee: string | undefined
  readonly reviewers: Reviewers | undefined
  #ballot: Ballot | undefined
  readonly #clock: Clock
  readonly #requestedAt: number
  #closedAt: number | undefined
  #end: End | undefined

  constructor(request: ReviewRequest, { clock, reviewers }: ReviewWait) {
    this.request = request
    this.reviewers = reviewers
    this.#clock = clock
    this.#requestedAt = clock.now()
  }

  get item(): InboxItem {
    const decision = this.#end !== undefined && 'decision' in this.#end ? this.#end.decision : undefined
    return {
      request: this.request,
      status: this.#end === undefined ? 'open' : decision === undefined ? 'withdrawn' : 'decided',
      requestedAt: this.#requestedAt,
      ...(this.assignee === undefined ? {} : { assignee: this.assignee }),
      ...(decision === undefined ? {} : { decision }),
      ...(this.#ballot === undefined ? {} : { ballot: this.#ballot }),
      ...(this.#closedAt === undefined ? {} : { closedAt: this.#closedAt }),
    }
  }

  /** The same for readers: secrets that people typed are masked. */
  get shown(): InboxItem {
    return maskedBySchema(this.item)
  }

  /** Whether the vote has decided the request. */
  vote(given: ReviewDecision, decider: Identified | undefined, edition: number | undefined): boolean {
    const { reviewers } = this
    const cast = castVote(this.item, { decision: given, decider, edition, at: this.#clock.now(), reviewers })
    if ('ballot' in cast) {
      this.#ballot = cast.ballot
      return false
    }
    const decision = asJudged(Object.freeze(cast.decision), this.request.id)
    this.#close({ decision })
    for (const take of this.waiting) take(decision)
    this.waiting.clear()
    return true
  }

  withdraw(reason: string): void {
    this.#close({ withdrawn: reason })
  }

  /** The error for a decision that comes too late; undefined while it is open. */
  get refusal(): InboxError | undefined {
    return refusal(this.item, this.#end !== undefined && 'withdrawn' in this.#end ? this.#end.withdrawn : undefined)
  }

  #close(end: End): void {
    this.#end = end
    this.#closedAt = this.#clock.now()
  }
}
