import type { Decider } from '../tool/deciders.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest } from '../tool/review.ts'
import type { Ballot } from './ballot.ts'

/** A request in an inbox, as it was when it was read. */
export interface InboxItem {
  readonly request: ReviewRequest
  /** `withdrawn`: the call was cancelled, lost a race, or waited too long. */
  readonly status: 'open' | 'decided' | 'withdrawn'
  /** Milliseconds since the epoch. */
  readonly requestedAt: number
  /** The durable run that waits for it. */
  readonly run?: string | undefined
  readonly assignee?: string | undefined
  readonly decision?: ReviewDecision | undefined
  /** The votes so far, where a request needs several and has one. */
  readonly ballot?: Ballot | undefined
  /** When its own time is up; without it, it waits for ever. */
  readonly expiresAt?: number | undefined
  /** When it was decided or withdrawn. */
  readonly closedAt?: number | undefined
}

/** Which requests an inbox lists; all open ones by default. */
export interface InboxFilter {
  readonly run?: string | undefined
  readonly tool?: string | undefined
  readonly assignee?: string | undefined
  /** At most so many, those that wait longest. */
  readonly limit?: number | undefined
}

/** What can happen to a request of an inbox. */
export type InboxEvent = 'requested' | 'decided' | 'withdrawn'

/** The whole input anew, or a JSON merge patch over it. */
export type InputChange = { readonly input: unknown } | { readonly patch: unknown }

/** How an edit of an inbox is given. */
export interface EditOptions {
  /** The edition of the input that the decider has seen: that of the ballot. 0, the original input, by default. */
  readonly edition?: number | undefined
}

/** How an approval of an inbox is given. */
export interface ApproveOptions extends EditOptions {
  readonly note?: string | undefined
}

/**
 * Where requests wait for people. The first decision counts; a later one gets an `InboxError` that says who decided and what.
 * All of it is asynchronous, so that an inbox may live in a database.
 */
export interface Inbox {
  /** Pass it as `review`. A request waits for its own time-out; without one, for ever. */
  readonly handler: ReviewHandler
  /** The open requests, oldest first. */
  readonly list: (filter?: InboxFilter) => Promise<readonly InboxItem[]>
  /** An open request, or one that was closed not long ago. */
  readonly get: (id: string) => Promise<InboxItem | undefined>
  /** Where several must approve, one of them. After an edit, the edition that the decider has seen must be named. */
  readonly approve: (id: string, by?: Decider, options?: ApproveOptions) => Promise<void>
  /**
   * Where several must approve, the others approve the edited input, and earlier approvals no longer count. A second edit changes the input
   * of the first, and names the edition that its editor has seen.
   */
  readonly edit: (id: string, change: InputChange, by?: Decider, options?: EditOptions) => Promise<void>
  /** A value that does not fit the answer schema is refused, and the question stays open. */
  readonly answer: (id: string, value: unknown, by?: Decider) => Promise<void>
  readonly reject: (id: string, reason?: string, by?: Decider) => Promise<void>
  readonly stop: (id: string, reason?: string, by?: Decider) => Promise<void>
  /** Lets the request's own action on time-out happen now. */
  readonly expire: (id: string, by?: Decider) => Promise<void>
  /** Says who should decide, and where there are reviewers, who alone may; undefined takes it back. */
  readonly assign: (id: string, assignee: string | undefined, by?: Decider) => Promise<void>
  /** Calls back at every such event; the returned function ends that. */
  readonly on: (event: InboxEvent, listener: (item: InboxItem) => void) => () => void
}
