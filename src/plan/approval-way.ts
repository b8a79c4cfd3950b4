import { type DeciderRule, isSamePerson, type Reviewers } from '../tool/deciders.ts'
import type { Principal } from '../tool/principal.ts'
import type { ReviewHandler } from '../tool/review.ts'

/** On which way an approval can reach a gate. Undefined members are those of a handler that declares nothing. */
export interface ApprovalWay extends Pick<ReviewHandler, 'deciders' | 'counts'> {
  readonly reviewers: Reviewers | undefined
  /** The caller, if it is known before a call. */
  readonly principal: Principal | undefined
  /** A call may bring another caller. */
  readonly isOpen: boolean
}

/** Why no approval can reach a gate on this way, and what to do. */
export interface Obstacle {
  readonly why: string
  readonly cure: string
}

/** The obstacle on the way to a gate with this rule; undefined if somebody can approve. */
export function obstacleOn(way: ApprovalWay, approvals: DeciderRule | undefined): Obstacle | undefined {
  const { deciders = 'claimed', counts = false, reviewers } = way
  // Everybody may decide.
  if (approvals === undefined && reviewers === undefined) return undefined
  const { count = 1, of } = approvals ?? {}
  const excluded = exclusion(way, approvals)
  if (excluded !== undefined) return excluded
  if (count > 1 && !counts) return { why: `it needs ${count} approvals, and the reviewer gives one`, cure: ASK_INBOX }
  if (deciders === 'principals') return undefined
  if (deciders === 'unnamed') return { why: `${MUST_BE_KNOWN}, and the answers of the reviewer name nobody`, cure: ASK_INBOX }
  if (reviewers?.identify !== undefined) return undefined
  if (deciders === 'claimed')
    return {
      why: `${MUST_BE_KNOWN}, and the reviewer gives a name for which nobody vouches`,
      cure: `Set 'reviewers.identify'. ${OR_INBOX}`,
    }
  const permission = reviewers !== undefined ? 'review:<tool>' : typeof of === 'string' ? of : undefined
  return permission === undefined
    ? undefined
    : {
        why: `its decider needs the permission ${permission}, and a signed answer has a name and no permissions`,
        cure: `Set 'reviewers.identify'. ${OR_INBOX}`,
      }
}

const MUST_BE_KNOWN = 'its decider must be authenticated'
const ASK_INBOX = "Pass the handler of an inbox, such as createInbox(), as 'review', and decide there with principals."
const OR_INBOX = "Or pass the handler of an inbox as 'review', and decide there with principals."

/** The caller is excluded, and is not known, or too few others are named. */
function exclusion({ principal, isOpen }: ApprovalWay, approvals: DeciderRule | undefined): Obstacle | undefined {
  if (approvals?.excludeRequester !== true) return undefined
  const { count, of } = approvals
  if (principal === undefined)
    return isOpen
      ? undefined
      : {
          why: 'its caller cannot approve it, and no call has a caller',
          cure: "Pass 'principal', or say `excludeRequester: false` at the gate.",
        }
  if (of === undefined || typeof of === 'string') return undefined
  const others = of.filter((id, at) => !isSamePerson(id, principal.id) && of.findIndex((other) => isSamePerson(id, other)) === at)
  if (others.length >= count) return undefined
  const enough = others.length === 0 ? 'nobody' : `only ${others.join(', ')}`
  return {
    why: `its caller '${principal.id}' cannot approve it, and of those who may, ${enough} is left for ${count} ${count === 1 ? 'approval' : 'approvals'}`,
    cure: "Name more people in 'of', or let somebody else call it.",
  }
}
