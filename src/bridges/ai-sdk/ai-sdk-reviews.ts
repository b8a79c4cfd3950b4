import type { ModelMessage } from 'ai'
import { InboxError } from '../../review/inbox-error.ts'
import { ruleOf } from '../../tool/deciders.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { CHANNELS } from '../channels.ts'
import { type ParkedReviews, parkedReviews, type ParkedReviewsOptions, parkedRunsBy } from '../parked-reviews.ts'
import type { ParkedRuns } from '../parked-runs.ts'
import type { OpenRequest } from '../tool-run.ts'
import { ApprovalSeals, isSealable } from './approval-seals.ts'
import { rejectDeniedCalls } from './denied-runs.ts'

/** The options of `aiSdkReviews`. */
export interface AiSdkReviewsOptions extends ParkedReviewsOptions {
  /**
   * Signs what this process asks. With the same secret in every process, an approval counts also after a restart, for the gate before the
   * whole tool. Without it, an approval counts only where the call waits; elsewhere the person is asked again. With it, `edit`, `reject` and
   * `stop` at such a gate are refused, since other processes would not know of them, unless the decider must be known.
   */
  readonly secret?: string | Uint8Array | undefined
}

const NAMES = optionNames<AiSdkReviewsOptions>({ expiry: true, maxCalls: true, secret: true, clock: true })

/** The calls that wait for an approval in memory. */
export interface AiSdkReviews extends ParkedReviews {
  /**
   * Rejects at once the calls that these messages deny; without it, that happens at the next call of a tool, or by expiry. The `reviews` of
   * `toAiSdk` reject the durable calls of its caller too.
   */
  readonly rejectDenied: (messages: readonly ModelMessage[]) => Promise<void>
}

/** What is behind `reviews`. */
export interface ReviewedRuns {
  readonly runs: ParkedRuns
  /** Set where the approvals of an earlier process count. */
  readonly seals: ApprovalSeals | undefined
}

const reviewedRuns = new WeakMap<AiSdkReviews, ReviewedRuns>()

/**
 * Keeps the calls that wait for an approval. Make one for the process and pass it to every `toAiSdk`, so that a call that parks in one
 * request can go on in the next.
 * @example
 * const reviews = aiSdkReviews({ expiry: '15m' })
 * const { tools, toolApproval } = toAiSdk([refund], { reviews, session: 'chat-7' })
 */
export function aiSdkReviews(options: AiSdkReviewsOptions = {}): AiSdkReviews {
  checkOptionNames(options, NAMES, 'The options of aiSdkReviews')
  const seals = options.secret === undefined ? undefined : new ApprovalSeals(options.secret)
  const runs = parkedRunsBy(options, 'aiSdkReviews')
  const here = parkedReviews(runs, CHANNELS.aiSdk)
  const reviews: AiSdkReviews = {
    ...(seals === undefined ? here : knownElsewhere(here, runs)),
    rejectDenied: async (messages) => rejectDeniedCalls({ runs, seals }, messages),
  }
  reviewedRuns.set(reviews, { runs, seals })
  return reviews
}

/**
 * The same `reviews`, which take no decision that another process would need and cannot know. An approval under a seal continues the call there
 * as it was shown: an edit, a rejection or a stop that is prepared here would be lost. Where the decider must be known, such an approval
 * continues nothing.
 */
function knownElsewhere(here: ParkedReviews, runs: ParkedRuns): ParkedReviews {
  const check = (id: string): void => {
    const isMeant = ({ request }: OpenRequest, toolCallId: string): boolean => request.id === id || toolCallId === id
    const isLost = runs.waiting.some(({ run, identity: { tool, toolCallId } }) =>
      run.open.some(
        (each) => isMeant(each, toolCallId) && isSealable(each.request, tool) && ruleOf(each.request, each.reviewers) === undefined,
      ),
    )
    if (isLost)
      throw new InboxError(
        'not_permitted',
        `'${id}' can be approved in any process with the same 'secret', and the others do not know what is decided here. Deny the call in the conversation. To edit, reject or stop it, make it a durable run, or leave out 'secret'.`,
      )
  }
  return {
    ...here,
    edit: async (id, ...decision) => (check(id), here.edit(id, ...decision)),
    reject: async (id, ...decision) => (check(id), here.reject(id, ...decision)),
    stop: async (id, ...decision) => (check(id), here.stop(id, ...decision)),
  }
}

/** The runs that `reviews` decides about. */
export function reviewedRunsOf(reviews: AiSdkReviews): ReviewedRuns {
  const runs = reviewedRuns.get(reviews)
  if (runs !== undefined) return runs
  throw new ConfigurationError('invalid_option', "'reviews' of toAiSdk must be made by aiSdkReviews().")
}

/** The same `reviews` for one caller: a conversation denies the calls of nobody else, and durable ones too. */
export function reviewsOfCaller(reviews: AiSdkReviews, owner: string, rejectRuns: AiSdkReviews['rejectDenied']): AiSdkReviews {
  const behind = reviewedRunsOf(reviews)
  const own: AiSdkReviews = {
    ...reviews,
    rejectDenied: async (messages) => {
      rejectDeniedCalls(behind, messages, owner)
      await rejectRuns(messages)
    },
  }
  reviewedRuns.set(own, behind)
  return own
}
