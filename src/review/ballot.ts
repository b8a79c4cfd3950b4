import type { ReviewVote } from '../tool/deciders.ts'
import type { ReviewDecision } from '../tool/review.ts'
import type { InputChange } from './inbox.ts'

/** The votes on a request that needs several, and the input that they approve. Votes on a question are answers. */
export interface Ballot {
  /** 0 is the original input; every edit makes the next one, which all must approve anew. */
  readonly edition: number
  /** The edit that is being voted on: all edits so far, as one change of the original. */
  readonly edit?: InputChange | undefined
  /** The input that will run, where it was edited; with secrets masked, as in the request. */
  readonly input?: unknown
  /** In their order, also those on earlier editions. */
  readonly votes: readonly ReviewVote[]
}

/** A vote decides the request, or leaves it open with one vote more. */
export type Cast = { readonly decision: ReviewDecision } | { readonly ballot: Ballot }
