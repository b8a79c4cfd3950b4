import type { Scored } from './learner.ts'
import type { Evidence, Ranking } from './ranking.ts'

/** Two English texts about nothing in common are about this near to each other. */
const UNRELATED = 0.25

/**
 * How well a tool fits a request, from 0 to 1, whatever the other tools are: by the words that it covers, by meaning, and by traces. The best
 * tool for a part of a request is judged by that part too.
 */
export function relevanceOf(ranking: Ranking, evidence: Evidence, { place, traces }: Scored): number {
  const { allowed, bestOfClauses } = evidence
  const served = traces === undefined ? 0 : Math.max(traces.nearest, traces.middle) * (0.5 + 0.5 * Math.min(1, traces.votes * 4))
  let fits = fit(ranking.coverage(place, evidence), evidence.meaning[place] as number)
  for (const { place: best, terms, meaning } of bestOfClauses)
    if (best === place) fits = Math.max(fits, fit(ranking.coverage(place, { terms, allowed }), meaning))
  return Math.min(1, Math.max(fits, served))
}

function fit(covered: number, meaning: number): number {
  const near = Math.max(0, (meaning - UNRELATED) / (1 - UNRELATED))
  return 1 - (1 - covered) * (1 - near)
}
