import type { Reviewers } from '../tool/deciders.ts'
import type { Principal } from '../tool/principal.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { obstacleOn } from './approval-way.ts'
import type { Finding } from './finding.ts'
import type { Survey } from './survey.ts'

interface Asking {
  readonly principal?: Principal | undefined
  readonly review?: Pick<ReviewHandler, 'deciders' | 'counts' | 'isAbsent'> | undefined
  readonly reviewers?: Reviewers | undefined
}

const INBOX: NonNullable<Asking['review']> = { deciders: 'principals', counts: true }

/** A gate that nobody can open refuses every call that it asks about. */
export function checkApprovals({ places }: Survey, { principal, review = INBOX, reviewers }: Asking): readonly Finding[] {
  return places.flatMap(({ tool, plan: { gated, approvals }, path }): Finding[] => {
    if (gated !== true) return []
    const { deciders, counts, isAbsent } = review
    const obstacle =
      isAbsent === true
        ? { why: 'the reviewer can reach nobody', cure: "Pass a 'review' that can." }
        : obstacleOn({ deciders, counts, reviewers, principal, isOpen: true }, approvals)
    if (obstacle === undefined) return []
    const message = `No approval of '${tool.name}' can count: ${obstacle.why}.`
    return [{ severity: 'warning', code: 'unreachable_approval', path, message, hint: obstacle.cure }]
  })
}
