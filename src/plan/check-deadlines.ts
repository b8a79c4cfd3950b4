import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { durationText } from '../tool/duration-text.ts'
import { DEFAULT_DEADLINE_MS } from '../tool/engine/call-root.ts'
import type { Finding } from './finding.ts'
import type { PlanFigure, PlanFigures } from './plan-figures.ts'
import { partPath, type Place, type Survey } from './survey.ts'
import { forwardParts } from './undoable-steps.ts'

/** Compares the deadline of the whole, and every deadline of a tool inside, with the expected time. */
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

/** Inside another tool only its own deadline counts: the deadline around it is compared with the whole. */
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

/** Steps that a run would refuse to begin every time, by the declared estimates. */
function refusedParts(place: Place, limit: TimeLimit): readonly Finding[] {
  if (place.plan.keepsTime !== true) return []
  return place.parts.flatMap(({ part }): Finding[] => {
    const p99Ms = part.estimates?.p99Ms ?? part.tool.estimates.p99Ms
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

/** The time in which a tool of a plan has to end. */
interface TimeLimit {
  readonly ms: number
  /** No deadline is given: this is the default of every call. */
  readonly isDefault: boolean
}

/** For every tool the time that is left for it at most, by the deadlines around it and its own. In several places, the shortest counts. Compensations have their own time. */
function timeLimits({ root, upwards }: Survey, givenMs: number | undefined): ReadonlyMap<Place, TimeLimit> {
  const named = Math.min(givenMs ?? Infinity, root.behaviour.deadlineMs ?? Infinity)
  const isDefault = named === Infinity && givenMs === undefined
  const limits = new Map<Place, TimeLimit>([[root, { ms: isDefault ? DEFAULT_DEADLINE_MS : named, isDefault }]])
  for (const place of upwards.toReversed()) {
    const around = limits.get(place)
    if (around === undefined) continue
    for (const { place: inner } of forwardParts(place)) {
      if (inner === undefined) continue
      const limit = shorter(around, inner.behaviour.deadlineMs)
      if (limit.ms < (limits.get(inner)?.ms ?? Infinity) || !limits.has(inner)) limits.set(inner, limit)
    }
  }
  return limits
}

function shorter(around: TimeLimit, ownMs: number | undefined): TimeLimit {
  return ownMs === undefined || ownMs >= around.ms ? around : { ms: ownMs, isDefault: false }
}

/** A step, and the time that it adds to the whole. */
interface SlowStep {
  readonly path: string
  readonly ms: number
}

const MOST = 3

/** Small enough not to make another step the slowest. */
const NUDGE_MS = 0.001

/** The steps on the critical path of a tool that take the longest. */
function slowestSteps({ upwards }: Survey, figures: ReadonlyMap<Place, PlanFigures>, whole: Place): readonly SlowStep[] {
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
