import type { PlanFigures } from './plan-figures.ts'
import type { Place, Survey } from './survey.ts'

/** The tools that can fail: every one that is not known to be reliable in all cases. */
export function fallibleSteps({ upwards }: Survey, figures: ReadonlyMap<Place, PlanFigures>): ReadonlySet<Place> {
  const fallible = new Set<Place>()
  for (const place of upwards) if (canFail(place, figures.get(place), fallible)) fallible.add(place)
  return fallible
}

/** What follows from the parts is asked of the plan, with parts that fail always: a part of unknown reliability counts as one that can fail. */
function canFail({ plan, parts }: Place, figures: PlanFigures | undefined, fallible: ReadonlySet<Place>): boolean {
  if (parts.length === 0 || figures?.reliability.source === 'declared') return figures?.reliability.value !== 1
  const extremes = parts.map(({ place }) => ({ reliability: place === undefined || fallible.has(place) ? 0 : 1 }))
  return plan.figures(extremes).reliability !== 1
}
