import { answerIssues } from '../review/answer-issues.ts'
import { castVote } from '../review/cast-vote.ts'
import type { ApproveOptions, InputChange } from '../review/inbox.ts'
import { InboxError } from '../review/inbox-error.ts'
import { changeOf, checkEdit } from '../review/inbox-verbs.ts'
import { maskedBySchema } from '../review/masked-item.ts'
import { asJudged, type Decider, identified } from '../tool/deciders.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { checkOptionNames } from '../tool/option-names.ts'
import type { Clock } from '../tool/ports/clock.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import { ParkedRuns } from './parked-runs.ts'
import type { OpenRequest } from './tool-run.ts'
import { namelessVotes } from './votes-text.ts'

/** How long and how many calls wait in memory. */
export interface ParkedReviewsOptions {
  /** How long a call waits in memory for a decision; an hour by default. Then it is withdrawn. */
  readonly expiry?: Duration | undefined
  /** How many calls may wait, 1000 by default; one more, and the oldest is withdrawn. */
  readonly maxCalls?: number | undefined
  readonly clock?: Clock | undefined
}

/** A request that waits for the approval of a call. */
export interface ParkedReview {
  readonly toolCallId: string
  /** What the model calls the tool. */
  readonly toolName: string
  readonly request: ReviewRequest
  /** Who must decide, and what an approval that names nobody means, where the word of anybody is not enough. */
  readonly needs?: string | undefined
  /** The prepared decision, with secrets masked; it takes effect when the call is approved. */
  readonly decision?: ReviewDecision | undefined
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/**
 * The calls that wait for an approval in memory, and a way to decide more than yes or no. What is decided here takes effect when the
 * conversation goes on with an approval of the call; a denial rejects all. `id` is the id of the tool call or, where it waits for
 * several decisions, that of the request. Requests of durable runs are not here: they are decided in `runtime.inbox`. Where there are `reviewers` or `approvals`, a decider who may not decide gets an `InboxError`.
 */
export interface ParkedReviews {
  /** The open requests, oldest call first. */
  readonly list: () => readonly ParkedReview[]
  /** Says who approves. An approval in the conversation names nobody, and does not count by itself where the decider must be known. */
  readonly approve: (id: string, by?: Decider, options?: Pick<ApproveOptions, 'note'>) => Promise<void>
  /** The approved call runs with another input. An edit that does not fit is refused, and the request stays open. */
  readonly edit: (id: string, change: InputChange, by?: Decider) => Promise<void>
  /** Answers a question. A value that does not fit is refused, and the question stays open. */
  readonly answer: (id: string, value: unknown, by?: Decider) => Promise<void>
  /** Rejects one of several requests of a call that is approved. */
  readonly reject: (id: string, reason?: string, by?: Decider) => Promise<void>
  /** Ends the run of the tool at the request, once the call is approved. */
  readonly stop: (id: string, reason?: string, by?: Decider) => Promise<void>
}

/** The runs that wait in memory, by the options of a program; `whose` names their function: `aiSdkReviews`. */
export function parkedRunsBy({ expiry = '1h', maxCalls = 1000, clock }: ParkedReviewsOptions, whose: string): ParkedRuns {
  if (!Number.isInteger(maxCalls) || maxCalls < 1)
    throw new ConfigurationError('invalid_option', `'maxCalls' of ${whose} must be a whole number from 1 on, not ${String(maxCalls)}.`)
  return new ParkedRuns({ expiryMs: toMilliseconds(expiry, `The expiry of ${whose}`), maxCalls, clock })
}

/** Decides about runs in memory. `channel` says how the decisions come. */
export function parkedReviews(runs: ParkedRuns, channel: string): ParkedReviews {
  const prepare = async (id: string, decision: ReviewDecision, by: Decider | undefined): Promise<void> => {
    const { reviewers } = openRequest(runs, id)
    const judged = await judgedDecision(() => openRequest(runs, id), { decision, by, reviewers }, { channel, now: () => runs.now() })
    openRequest(runs, id).prepared = judged
  }
  return {
    list: () =>
      runs.waiting.flatMap(({ run, identity, expiresAt }) =>
        run.open.map(({ request, prepared }) => ({
          toolCallId: identity.toolCallId,
          toolName: identity.name,
          request,
          ...needsOf(request),
          ...(prepared === undefined ? {} : { decision: shownDecision(request, prepared) }),
          expiresAt,
        })),
      ),
    approve: async (id, by, how = {}) => {
      checkOptionNames(how, ['note'], 'The options of reviews.approve')
      return prepare(id, { action: 'continue', ...(how.note === undefined ? {} : { note: how.note }) }, by)
    },
    edit: async (id, change, by) => prepare(id, { action: 'edit', ...changeOf(change) }, by),
    answer: (id, value, by) => prepare(id, { action: 'answer', value }, by),
    reject: (id, reason, by) => prepare(id, { action: 'reject', ...because(reason) }, by),
    stop: (id, reason, by) => prepare(id, { action: 'stop', ...because(reason) }, by),
  }
}

interface Made {
  readonly decision: ReviewDecision
  readonly by: Decider | undefined
  readonly reviewers: OpenRequest['reviewers']
}

interface Judging {
  readonly channel: string
  readonly now: () => number
}

/**
 * A decision about a request in memory, as it counts: it fits the kind of the request, its answer or edit fits, and its decider is known and
 * may decide. Throws an `InboxError` where it does not count. `find` throws where the request is not open any more.
 */
export async function judgedDecision(find: () => OpenRequest, made: Made, { channel, now }: Judging): Promise<ReviewDecision> {
  const { decision, by } = made
  const { id, answerSchema } = find().request
  const isAnswer = decision.action === 'answer'
  const issues = isAnswer && answerSchema !== undefined ? await answerIssues(decision.value, answerSchema) : undefined
  if (issues !== undefined) throw new InboxError('invalid_answer', `The answer does not fit '${id}': ${issues}`)
  if (decision.action === 'edit') await checkEdit({ request: find().request, status: 'open', requestedAt: 0 }, decision)
  const decider = await identified(by, made.reviewers, { channel })
  // The request may have been decided or withdrawn meanwhile.
  const { request, reviewers } = find()
  if (decision.action === 'continue' || decision.action === 'edit' || isAnswer) {
    if (isAnswer !== (request.kind === 'question'))
      throw new InboxError('invalid_answer', `'${id}' is ${isAnswer ? 'an approval: approve it or edit it' : 'a question: answer it'}.`)
  }
  const at = now()
  const cast = castVote({ request, status: 'open', requestedAt: at }, { decision, decider, at, reviewers })
  if ('ballot' in cast)
    throw new InboxError(
      'not_permitted',
      `'${id}' needs ${request.deciders?.count} approvals, and a conversation gives one. Pass the handler of an inbox, which counts them, as \`review\`.`,
    )
  return asJudged(cast.decision, request.id)
}

function shownDecision(request: ReviewRequest, decision: ReviewDecision): ReviewDecision {
  return maskedBySchema({ request, decision, status: 'open', requestedAt: 0 }).decision ?? decision
}

function openRequest(runs: ParkedRuns, id: string): OpenRequest {
  const found = runs.waiting.flatMap(({ run, identity }) =>
    run.open.filter(({ request }) => request.id === id || identity.toolCallId === id),
  )
  const [only, ...others] = found
  if (only === undefined)
    throw new InboxError(
      'unknown_request',
      `Nothing that waits in memory is known as '${id}'. It may be decided, or withdrawn. A request of a durable run is decided in \`runtime.inbox\`.`,
    )
  if (others.length === 0) return only
  const ids = found.map(({ request }) => `'${request.id}' (${request.tool})`).join(', ')
  throw new InboxError('invalid_answer', `'${id}' waits for ${found.length} decisions. Name one by the id of its request: ${ids}.`)
}

function needsOf(request: ReviewRequest): Pick<ParkedReview, 'needs'> {
  const needs = namelessVotes(request, 'the conversation')
  return needs === '' ? {} : { needs }
}

function because(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}
