import type { ModelMessage, ToolApprovalRequest } from 'ai'
import { digest } from '../../tool/journal/hash.ts'
import type { CallIdentity } from '../call-identity.ts'
import type { ParkedRun, ParkedRuns } from '../parked-runs.ts'
import { requestsOf } from './approval-claim.ts'

/** A request for approval in a conversation, as a run knows it. */
export interface AnsweredRun {
  readonly name: string
  /** Undefined where no run is kept any more. */
  readonly parked: ParkedRun | undefined
}

/**
 * The run that an answer is about. The SDK makes the id of an approval after we are asked, and ids of calls repeat. So an id belongs to the asking
 * that was open when it came first, if the conversation did not have it before, and if the text that was shown is not that of another asking.
 */
export function answeredRun(runs: ParkedRuns, identity: CallIdentity, request: ToolApprovalRequest): AnsweredRun | undefined {
  const { owner, key } = identity
  const isKnown = (name: string): boolean => runs.get(name) !== undefined || runs.endingOf(owner, name) !== undefined
  const name = answerName(identity, request)
  if (isKnown(name)) return { name, parked: runs.get(name) }
  const text = shownName(identity, request.reason)
  const asked = isKnown(text) ? text : key
  const parked = runs.get(asked)
  if (parked === undefined) return asked === text ? { name: text, parked } : undefined
  // A client may make up ids without end: only one that decides something is remembered.
  if (!parked.isAskedAs(asked)) return { name: asked, parked }
  return runs.bind(parked, name, asked) ? { name, parked } : undefined
}

interface Showing {
  readonly shown: ParkedRun
  /** The text as the SDK gets it. */
  readonly sealed: (reason: string) => string
}

/**
 * What a person reads of the run that is shown as this call, and by which its answer is known. If the same text was shown before as this call for
 * something else, it says which one it is.
 */
export function namedReason(runs: ParkedRuns, identity: CallIdentity, { shown, sealed }: Showing): string {
  const { owner, key } = identity
  const isElsewhere = (name: string): boolean => {
    const other = runs.get(name)
    return other === undefined ? runs.endingOf(owner, name) !== undefined : other !== shown || !shown.isAskedAs(name)
  }
  const plain = sealed(shown.reason)
  const [first] = shown.openAs(key)
  const reason = isElsewhere(shownName(identity, plain)) ? sealed(`${shown.reason}\n[asked again: ${first?.id}]`) : plain
  runs.bind(shown, shownName(identity, reason), key)
  return reason
}

/** The names of the approvals of this call id that a conversation has already. */
export function earlierAnswers(identity: CallIdentity, messages: readonly ModelMessage[]): ReadonlySet<string> {
  return new Set(requestsOf(identity, messages).map((each) => answerName(identity, each)))
}

/** Of one answer. */
export function answerName({ key }: CallIdentity, { approvalId }: Pick<ToolApprovalRequest, 'approvalId'>): string {
  return digest(`${key}\nanswer\n${approvalId}`)
}

/** Of what a person was shown. Old versions of the SDK do not keep it, and programs may write it anew. */
export function shownName({ key }: CallIdentity, reason: unknown): string {
  return digest(`${key}\nshown\n${typeof reason === 'string' ? reason : ''}`)
}
