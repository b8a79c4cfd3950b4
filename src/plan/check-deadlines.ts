import { durationText } from '../tool/duration-text.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import type { Finding } from './finding.ts'
import { slowestSteps } from './slowest-steps.ts'
import type { PlanFigure, PlanFigures } from './plan-figures.ts'
import { partPath, type Place, type Survey } from './survey.ts'
import { type TimeLimit, timeLimits } from './time-limits.ts'

/** Compares the deadline of the whole, and every deadline that a tool inside sets itself, with what it is expected to take. */
export function checkDeadlines(plan: Survey, figures: ReadonlyMap<Place, PlanFigures>, deadline: Duration | undefined): readonly Finding[] {
  const given = deadline === undefined ? undefined : toMilliseconds(deadline, 'The deadline')
  const limits = timeLimits(plan, given)
  return plan.places.flatMap((place) => {
    const limit = limits.get(place)
    if (limit === undefined) return []
    const refused = refusedParts(place, limit)
    return [...checkPlace(place, { plan, figures, limit: ownLimit(plan, place, limit), isRefused: refused.length > 0 }), ...refused]
  })
}

/** Inside another tool only a deadline of its own counts: what is around it is compared as a whole. */
function ownLimit({ root }: Survey, place: Place, limit: TimeLimit): TimeLimit | undefined {
  if (place === root) return limit
  const { deadlineMs } = place.behaviour
  return deadlineMs === undefined ? undefined : { ms: deadlineMs, isDefault: false }
}

interface Checked {
  readonly plan: Survey
  readonly figures: ReadonlyMap<Place, PlanFigures>
  readonly limit: TimeLimit | undefined
  readonly isRefused: boolean
}

function checkPlace(place: Place, { plan, figures, limit, isRefused }: Checked): readonly Finding[] {
  const known = figures.get(place)
  if (known === undefined || limit === undefined) return []
  if (exceeds(known.latencyMs, limit.ms)) {
    const slowest = slowestSteps(plan, figures, place).map(({ path, ms }) => `'${path}' ${durationText(ms)}`)
    return [describe(place, { severity: limit.isDefault ? 'warning' : 'error', what: 'takes', figure: known.latencyMs, limit, slowest })]
  }
  if (!isRefused && !limit.isDefault && exceeds(known.p99Ms, limit.ms))
    return [describe(place, { severity: 'warning', what: 'takes, in one of a hundred calls (p99),', figure: known.p99Ms, limit })]
  return []
}

function exceeds({ value }: PlanFigure, limitMs: number): boolean {
  return value !== undefined && value > limitMs
}

/** What the run itself would refuse to begin, every time: it goes by what tools say of themselves. */
function refusedParts(place: Place, limit: TimeLimit): readonly Finding[] {
  if (place.plan.keepsTime !== true) return []
  return place.parts.flatMap(({ part }): Finding[] => {
    const { p99Ms } = part.tool.estimates
    if (p99Ms === undefined || p99Ms <= limit.ms) return []
    const path = partPath(place, part)
    return [
      {
        severity: limit.isDefault ? 'warning' : 'error',
        code: 'deadline_infeasible',
        path,
        message: `'${path}' is never begun: it may take ${durationText(p99Ms)} (its p99), and ${deadlineText(limit)}.`,
        hint: 'Give the whole more time, use a faster step, or declare a smaller p99Ms if it is faster.',
      },
    ]
  })
}

function deadlineText({ ms, isDefault }: TimeLimit): string {
  return isDefault ? `a call without a deadline has ${durationText(ms)}, the default` : `the deadline is ${durationText(ms)}`
}

interface Excess {
  readonly severity: Finding['severity']
  readonly what: string
  readonly figure: PlanFigure
  readonly limit: TimeLimit
  readonly slowest?: readonly string[]
}

function describe({ path }: Place, { severity, what, figure, limit, slowest = [] }: Excess): Finding {
  const took = `${figure.isBound ? 'at least ' : ''}${durationText(figure.value ?? 0)}`
  const where = slowest.length === 0 ? '' : ` The slowest: ${slowest.join(', ')}.`
  return {
    severity,
    code: 'deadline_infeasible',
    path,
    message: `'${path}' ${what} ${took} by its estimates, and ${deadlineText(limit)}.${where}`,
    hint: limit.isDefault
      ? 'Name a deadline: of the tool, or in the call.'
      : 'Give it more time, run steps side by side, or use faster ones.',
  }
}
