import type { ModelMessage, ToolApprovalRequest } from 'ai'
import { digest } from '../../tool/journal/hash.ts'
import type { CallIdentity } from '../call-identity.ts'
import type { ParkedRun, ParkedRuns } from '../parked-runs.ts'
import { requestsOf } from './approval-claim.ts'
import { requestsShown, withRequests } from './shown-requests.ts'

/** A request for approval in a conversation, as a run knows it. */
export interface AnsweredRun {
  readonly name: string
  /** Undefined where no run is kept any more. */
  readonly parked: ParkedRun | undefined
}

/**
 * The run that an answer is about. The SDK makes the id of an approval after we are asked, and ids of calls repeat. So an id belongs to the asking
 * that its reason names, whichever process made it. Only where the reason is not kept, it belongs to the asking that was open when the id came
 * first, if the conversation did not have it before.
 */
export function answeredRun(runs: ParkedRuns, identity: CallIdentity, request: ToolApprovalRequest): AnsweredRun | undefined {
  const { owner, key } = identity
  const isEnded = (name: string): boolean => runs.endingOf(owner, name) !== undefined
  const name = answerName(identity, request)
  if (runs.get(name) !== undefined || isEnded(name)) return { name, parked: runs.get(name) }
  const asked = typeof request.reason === 'string' ? shownName(identity, requestsShown([request])) : key
  const parked = runs.get(asked)
  if (parked === undefined) return asked !== key && isEnded(asked) ? { name: asked, parked } : undefined
  // A client may make up ids without end: only one that decides something is remembered.
  if (!parked.isAskedAs(asked)) return { name: asked, parked }
  return runs.bind(parked, name, asked) ? { name, parked } : undefined
}

/** What a person reads of the run that is shown as this call. Its last line names the requests: by it the answer is known. */
export function namedReason(runs: ParkedRuns, identity: CallIdentity, shown: ParkedRun): string {
  const { key } = identity
  const ids = shown.openAs(key).map(({ id }) => id)
  runs.bind(shown, shownName(identity, ids), key)
  return withRequests(shown.reason, ids)
}

/** The names of the approvals of this call id that a conversation has already. */
export function earlierAnswers(identity: CallIdentity, messages: readonly ModelMessage[]): ReadonlySet<string> {
  return new Set(requestsOf(identity, messages).map((each) => answerName(identity, each)))
}

/** Of one answer. */
export function answerName({ key }: CallIdentity, { approvalId }: Pick<ToolApprovalRequest, 'approvalId'>): string {
  return digest(`${key}\nanswer\n${approvalId}`)
}

/** Of what a person was shown, by the ids of the requests. */
export function shownName({ key }: CallIdentity, ids: readonly string[]): string {
  return digest(`${key}\nshown\n${ids.join(' ')}`)
}
