import type { Scored } from './learner.ts'
import type { Evidence, Ranking } from './ranking.ts'

const MAX_WORDS = 4

/** Why a tool is in an answer. */
export function reasonsFor(ranking: Ranking, evidence: Evidence, { place, traces }: Scored): string[] {
  const reasons: string[] = []
  const shared = ranking.shared(place, evidence).slice(0, MAX_WORDS)
  if (shared.length > 0) reasons.push(`shares the words ${shared.join(', ')}`)
  const meaning = evidence.meaning[place] as number
  if (meaning > 0.4) reasons.push(`is near in meaning (${meaning.toFixed(2)})`)
  if (traces !== undefined && traces.votes > 0.02)
    reasons.push(`served similar requests (${Math.round(traces.votes * 100)} % of the nearest)`)
  if (traces !== undefined && traces.against > 0.02)
    reasons.push(`failed similar requests (${Math.round(traces.against * 100)} % of the nearest)`)
  const clause = evidence.bestOfClauses.find((best) => best.place === place)
  if (clause !== undefined) reasons.push(`fits best the part '${clause.clause.slice(0, 60)}'`)
  return reasons
}
