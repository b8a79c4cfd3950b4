import type { Finding } from './finding.ts'
import type { PlanFigures } from './plan-figures.ts'
import type { Place, Survey } from './survey.ts'
import { forwardParts } from './undoable-steps.ts'

const MOST_NAMED = 3

/** One finding for all steps without latency or reliability: sums leave them out. */
export function checkEstimates({ root, places }: Survey, figures: ReadonlyMap<Place, PlanFigures>): readonly Finding[] {
  const steps = unknownSteps(root, figures)
  const unknown = places.filter((place) => steps.has(place))
  if (unknown.length === 0) return []
  const named = unknown.slice(0, MOST_NAMED).map(({ path }) => `'${path}'`)
  const more = unknown.length - named.length
  return [
    {
      severity: 'note',
      code: 'unknown_estimates',
      path: root.path,
      message: `Latency or reliability is not known of ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}: sums leave them out.`,
      hint: 'Declare estimates: { latencyMs, p99Ms, reliability, costUsd }. recordFigures measures them.',
    },
  ]
}

function unknownSteps(root: Place, figures: ReadonlyMap<Place, PlanFigures>): ReadonlySet<Place> {
  const open = new Set([root])
  const steps = new Set<Place>()
  for (const place of open) {
    const { latencyMs, reliability } = figures.get(place) ?? {}
    if ([latencyMs, reliability].every((figure) => figure?.value !== undefined && !figure.isBound)) continue
    if (!followsFromParts(place)) steps.add(place)
    else for (const { place: inner } of forwardParts(place)) if (inner !== undefined) open.add(inner)
  }
  return steps
}

/** The figures of some tools cannot be computed from those of their parts. */
function followsFromParts({ plan, parts }: Place): boolean {
  const { latencyMs, reliability } = plan.figures(parts.map(() => ({ latencyMs: 1, reliability: 1 })))
  return parts.length > 0 && latencyMs !== undefined && reliability !== undefined
}
