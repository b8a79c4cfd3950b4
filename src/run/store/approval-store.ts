import type { InboxItem } from '../../review/inbox.ts'

/** A request as it is stored. Times are milliseconds since the epoch. */
export interface ApprovalRow {
  readonly id: string
  /** Null for a request of a call outside runs. */
  readonly run: string | null
  readonly request: string
  readonly status: InboxItem['status']
  readonly assignee: string | null
  readonly decision: string | null
  /** The votes so far, where a request needs several. */
  readonly ballot: string | null
  /** Rises with every vote, from 0. */
  readonly ballotNo: number
  readonly requestedAt: number
  readonly expiresAt: number | null
  readonly closedAt: number | null
}

/** A request that was found by its id. */
export interface FoundRequest extends ApprovalRow {
  /** Its run was cancelled, and it does not belong to an undoing: nobody would read a decision. */
  readonly isOver: boolean
  /** The time of the store, when it was read. */
  readonly readAt: number
}

/** A decision that is to be stored. */
export interface NewDecision {
  readonly request: string
  readonly run: string | null
  readonly path: string
  readonly decision: string
  /** The entry of the run with the decision in it. */
  readonly entry: string
  /** Of the ballot that was read: the decision does not count if another vote came in between. */
  readonly ballotNo: number
}

/** A vote that is to be stored, one of several that a request needs. */
export interface NewVote {
  readonly request: string
  readonly run: string | null
  /** The ballot with the vote in it. */
  readonly ballot: string
  /** Of the ballot that was read. */
  readonly ballotNo: number
  /** For those who follow the run. */
  readonly event: string
}

/** A request that is to be stored. */
export interface NewRequest {
  readonly id: string
  readonly path: string
  readonly tool: string
  readonly kind: string
  readonly request: string
  readonly timeoutMs: number | undefined
}

/** Which requests a store lists. */
export interface RequestFilter {
  readonly run?: string | undefined
  readonly tool?: string | undefined
  /** Fingerprints of the name of an assignee, under any of the keys. */
  readonly assigneePrints?: readonly string[] | undefined
  readonly limit: number
}

/** Requests to people. */
export interface ApprovalStore {
  /**
   * Records a decision, in the request and in the journal of its run. A waiting run is queued, a running one is told. Requires that the
   * request is open with this ballot, and that its run was not cancelled, unless it belongs to an undoing. Gives whether it counts: of two
   * decisions the first one does. One statement.
   */
  readonly decide: (decision: NewDecision) => Promise<boolean>
  /** Records a vote that does not decide, and tells of it in the events of the run. Requires the same as a decision. One statement. */
  readonly vote: (vote: NewVote) => Promise<boolean>
  readonly findRequest: (id: string) => Promise<FoundRequest | undefined>
  /** Open requests, oldest first. */
  readonly listRequests: (filter: RequestFilter) => Promise<readonly ApprovalRow[]>
  /** Records a request of a call outside runs. One that is there already stays as it is. One statement. */
  readonly ask: (request: NewRequest) => Promise<void>
  /** Withdraws an open request. One statement. */
  readonly withdraw: (id: string) => Promise<void>
  /** Gives an open request to somebody, or to nobody. Gives false where it is not open. One statement. */
  readonly assign: (id: string, assignee: { readonly name: string; readonly print: string } | undefined) => Promise<boolean>
}
