import type { Reviewers } from '../tool/deciders.ts'
import type { Principal } from '../tool/principal.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { obstacleOn } from './approval-way.ts'
import type { Finding } from './finding.ts'
import type { PlacedPart, Place, Survey } from './survey.ts'

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

/** A gate passes one input. A tool inside that has this input and would try another one does not do so behind it. */
export function checkChangedInputs({ places }: Survey): readonly Finding[] {
  const found = new Set(places.filter(({ plan }) => plan.gated === true).flatMap((gate) => changing(gate.parts)))
  return Array.from(found, ({ path }) => ({
    severity: 'warning',
    code: 'repair_behind_gate',
    path,
    message: `'${path}' repairs no input: a gate around it passes the given one, and no other input runs behind it.`,
    hint: 'Put the gate inside, heal(gate(tool)): then a person is asked about the repaired input.',
  }))
}

/** The tools that change the input which they share with the whole. */
function changing(parts: readonly PlacedPart[]): readonly Place[] {
  return parts.flatMap(({ part, place }) => {
    if (part.takes !== 'input' || place === undefined) return []
    return place.plan.changesInput === true ? [place] : changing(place.parts)
  })
}
