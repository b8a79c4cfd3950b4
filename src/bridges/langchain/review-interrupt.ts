import type { Ballot } from '../../review/ballot.ts'
import type { EditOptions } from '../../review/inbox.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { equalAnswers } from '../../tool/equal-answers.ts'
import { ownFields } from '../../tool/own-fields.ts'
import { reviewableData } from '../../tool/reviewable-json.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { neededVotes } from '../votes-text.ts'
import type { CallIdentity } from '../call-identity.ts'

/** The value of an interrupt: a question to a person. It is data, and secrets in it are masked. */
export interface ReviewInterrupt {
  readonly type: 'toolwright_review'
  /** The id of the request. The resume value names it, so that a decision counts for what was shown, and for nothing else. */
  readonly id: string
  readonly toolCallId: string
  /** What the model calls the tool. The request may be about a part of it. */
  readonly toolName: string
  readonly request: ReviewRequest
  /** The approvals so far, where a request needs several. */
  readonly approvals?: ReviewProgress | undefined
  /** Why the last resume value did not count. */
  readonly problem?: string | undefined
}

/** How far a request is that needs several approvals, or equal answers. */
export interface ReviewProgress {
  readonly given: number
  readonly needed: number
  /** `1 of 2 approvals: one more is needed.`, who may give them, and what one of them does. */
  readonly text: string
  /** The edition of the input that is voted on. After an edit, an approval names it. */
  readonly edition: number
  /** The input of that edition, where it was edited; with secrets masked. */
  readonly input?: unknown
}

/** What every decision names. */
export interface ResumedReview {
  /** The id of the interrupt. */
  readonly id: string
  /** The name of the decider. It is a claim: where deciders must be known, `reviewers.identify` proves it. */
  readonly by?: string | undefined
}

/** The decision of a person, for `new Command({ resume })`. */
export type ReviewResume =
  | (ResumedReview & EditOptions & { readonly action: 'approve'; readonly note?: string | undefined })
  /** The call goes on with another input: all of it, or a JSON merge patch over the shown one. */
  | (ResumedReview & EditOptions & { readonly action: 'edit'; readonly input: unknown })
  | (ResumedReview & EditOptions & { readonly action: 'edit'; readonly patch: unknown })
  | (ResumedReview & { readonly action: 'answer'; readonly value: unknown })
  | (ResumedReview & { readonly action: 'reject'; readonly reason?: string | undefined })
  /** Ends the run of the tool. */
  | (ResumedReview & { readonly action: 'stop'; readonly reason?: string | undefined })

/** A request as an interrupt shows it. */
export interface AskedReview {
  readonly request: ReviewRequest
  readonly ballot?: Ballot | undefined
}

/** The interrupt that shows a request. */
export function reviewInterrupt(asked: AskedReview, { toolCallId, name }: CallIdentity, problem: string | undefined): ReviewInterrupt {
  const { request } = asked
  const approvals = progressOf(asked)
  return {
    type: 'toolwright_review',
    id: request.id,
    toolCallId,
    toolName: name,
    // A checkpointer keeps it as JSON.
    request: { ...request, input: reviewableData(request.input) },
    ...(approvals === undefined ? {} : { approvals }),
    ...(problem === undefined ? {} : { problem }),
  }
}

function progressOf({ request, ballot = { edition: 0, votes: [] } }: AskedReview): ReviewProgress | undefined {
  const needed = request.deciders?.count ?? 1
  if (needed < 2) return undefined
  const { edition, votes, input } = ballot
  const isQuestion = request.kind === 'question'
  const given = isQuestion
    ? Math.max(0, ...votes.map(({ value }) => equalAnswers(votes, value).length))
    : votes.filter((each) => each.edition === edition).length
  const more = needed - given
  const missing = more === 1 ? 'one more is needed' : `${more} more are needed`
  const after = more === 1 ? 'With it, the call goes on.' : 'After each, the graph interrupts again.'
  const text = `${given} of ${needed} ${isQuestion ? 'equal answers' : 'approvals'}: ${missing}. ${neededVotes(request)} One of them is a vote, and names its voter ('by'). ${after}`
  return { given, needed, text, edition, ...(input === undefined ? {} : { input }) }
}

/** The id that a resume value names. */
export function resumedId(value: unknown): string | undefined {
  const id = isRecord(value) ? ownFields(value)['id'] : undefined
  return typeof id === 'string' ? id : undefined
}

const ACTIONS = ['approve', 'edit', 'answer', 'reject', 'stop']

/** A decision, and the edition of the input that its decider has seen. */
export interface Resumed {
  readonly decision: ReviewDecision
  readonly edition: number | undefined
}

/** The decision in a resume value, which may come from a client; or what is wrong with it. Only its own fields count. */
export function readResume(given: Readonly<Record<string, unknown>>): Resumed | { readonly problem: string } {
  const value = ownFields(given)
  const { edition } = value
  if (edition !== undefined && !(typeof edition === 'number' && Number.isInteger(edition) && edition >= 0))
    return { problem: "'edition' of a resume value must be a whole number from 0 on." }
  const read = readDecision(value)
  return 'problem' in read ? read : { decision: read, edition }
}

function readDecision(value: Readonly<Record<string, unknown>>): ReviewDecision | { readonly problem: string } {
  const { action, by, note, reason } = value
  if ([by, note, reason].some((each) => each !== undefined && typeof each !== 'string'))
    return { problem: "'by', 'note' and 'reason' of a resume value must be text." }
  const who = { ...(typeof by === 'string' ? { by } : {}), ...(typeof note === 'string' ? { note } : {}) }
  const why = typeof reason === 'string' ? { reason } : {}
  switch (action) {
    case 'approve':
      return { action: 'continue', ...who }
    case 'edit':
      if ('patch' in value === 'input' in value) return { problem: "To edit, resume with either 'input' or 'patch'." }
      return 'patch' in value ? { action, patch: value['patch'], ...who } : { action, input: value['input'], ...who }
    case 'answer':
      return 'value' in value ? { action, value: value['value'], ...who } : { problem: "To answer, resume with a 'value'." }
    case 'reject':
    case 'stop':
      return { action, ...why, ...who }
    default:
      return { problem: `There is no action ${quote(action)}. Use one of: ${ACTIONS.join(', ')}.` }
  }
}
