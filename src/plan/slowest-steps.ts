import type { PlanFigures } from './plan-figures.ts'
import { partPath, type Place, type Survey } from './survey.ts'

/** A step, and what it adds to the time of the whole. */
export interface SlowStep {
  readonly path: string
  readonly ms: number
}

const MOST = 3

/** Small enough not to make another step the slowest. */
const NUDGE_MS = 0.001

/** The steps on the critical path of a tool that take the longest. */
export function slowestSteps({ upwards }: Survey, figures: ReadonlyMap<Place, PlanFigures>, whole: Place): readonly SlowStep[] {
  const slowest = new Map<Place, readonly SlowStep[]>()
  for (const place of upwards) {
    slowest.set(place, slowestOf(place, figures, slowest))
    if (place === whole) break
  }
  return (slowest.get(whole) ?? []).map(({ path, ms }) => ({ path: `${whole.path}${path}`, ms }))
}

/** Paths here begin at the place. A tool whose time does not follow from its parts is a step itself. */
function slowestOf(
  place: Place,
  figures: ReadonlyMap<Place, PlanFigures>,
  inside: ReadonlyMap<Place, readonly SlowStep[]>,
): readonly SlowStep[] {
  const own = figures.get(place)?.latencyMs
  if (own?.value === undefined) return []
  const weights = own.source === 'derived' ? weightsOf(place, figures) : []
  const steps = place.parts.flatMap((each, index) => {
    const weight = weights[index] ?? 0
    if (weight === 0 || each.place === undefined) return []
    const from = partPath(place, each.part, '')
    return (inside.get(each.place) ?? []).map(({ path, ms }) => ({ path: from + path, ms: ms * weight }))
  })
  return steps.length === 0 ? [{ path: '', ms: own.value }] : steps.toSorted((a, b) => b.ms - a.ms).slice(0, MOST)
}

/** How often the time of each part counts in that of the whole: not at all for a branch that others outlast, five times for five rounds. */
function weightsOf({ plan, parts }: Place, figures: ReadonlyMap<Place, PlanFigures>): readonly number[] {
  const times = parts.map(({ place }) => ({ latencyMs: place === undefined ? undefined : figures.get(place)?.latencyMs.value }))
  const total = plan.figures(times).latencyMs ?? 0
  return times.map(({ latencyMs }, index) => {
    if (latencyMs === undefined) return 0
    const nudged = times.with(index, { latencyMs: latencyMs + NUDGE_MS })
    return Math.round(((plan.figures(nudged).latencyMs ?? 0) - total) / NUDGE_MS)
  })
}
