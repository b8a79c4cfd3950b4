import type { Scored } from './learner.ts'
import type { Evidence, Ranking } from './ranking.ts'

/** Two English texts about nothing in common are about this near to each other. */
const UNRELATED = 0.25

/** How well a tool fits a request, from 0 to 1, whatever the other tools are: by the words that it covers, by meaning, and by traces. */
export function relevanceOf(ranking: Ranking, evidence: Evidence, { place, traces }: Scored): number {
  const covered = ranking.coverage(place, evidence)
  const near = Math.max(0, ((evidence.meaning[place] as number) - UNRELATED) / (1 - UNRELATED))
  const served = traces === undefined ? 0 : Math.max(traces.nearest, traces.middle) * (0.5 + 0.5 * Math.min(1, traces.votes * 4))
  return Math.min(1, Math.max(1 - (1 - covered) * (1 - near), served))
}
