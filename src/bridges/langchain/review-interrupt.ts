import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
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
  /** Why the last resume value did not count. */
  readonly problem?: string | undefined
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
  | (ResumedReview & { readonly action: 'approve'; readonly note?: string | undefined })
  /** The call goes on with another input: all of it, or a JSON merge patch over the shown one. */
  | (ResumedReview & { readonly action: 'edit'; readonly input: unknown })
  | (ResumedReview & { readonly action: 'edit'; readonly patch: unknown })
  | (ResumedReview & { readonly action: 'answer'; readonly value: unknown })
  | (ResumedReview & { readonly action: 'reject'; readonly reason?: string | undefined })
  /** Ends the run of the tool. */
  | (ResumedReview & { readonly action: 'stop'; readonly reason?: string | undefined })

/** The interrupt that shows a request. */
export function reviewInterrupt(request: ReviewRequest, { toolCallId, name }: CallIdentity, problem: string | undefined): ReviewInterrupt {
  return { type: 'toolwright_review', id: request.id, toolCallId, toolName: name, request, ...(problem === undefined ? {} : { problem }) }
}

/** The id that a resume value names. */
export function resumedId(value: unknown): string | undefined {
  const id = isRecord(value) ? value['id'] : undefined
  return typeof id === 'string' ? id : undefined
}

const ACTIONS = ['approve', 'edit', 'answer', 'reject', 'stop']

/** The decision in a resume value, which may come from a client; or what is wrong with it. */
export function readResume(value: Readonly<Record<string, unknown>>): ReviewDecision | { readonly problem: string } {
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
