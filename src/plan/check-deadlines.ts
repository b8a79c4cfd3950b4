import { durationText } from '../tool/duration-text.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import type { Finding } from './finding.ts'
import { slowestSteps } from './slowest-steps.ts'
import type { PlanFigure, PlanFigures } from './plan-figures.ts'
import type { Place, Survey } from './survey.ts'

/** Compares the deadline of the whole, and every deadline that a tool inside sets itself, with what it is expected to take. */
export function checkDeadlines(plan: Survey, figures: ReadonlyMap<Place, PlanFigures>, deadline: Duration | undefined): readonly Finding[] {
  const given = deadline === undefined ? Infinity : toMilliseconds(deadline, 'The deadline')
  return plan.places.flatMap((place) => {
    const limitMs = Math.min(place === plan.root ? given : Infinity, place.behaviour.deadlineMs ?? Infinity)
    const known = figures.get(place)
    if (known === undefined || limitMs === Infinity) return []
    if (exceeds(known.latencyMs, limitMs)) {
      const slowest = slowestSteps(plan, figures, place).map(({ path, ms }) => `'${path}' ${durationText(ms)}`)
      return [describe(place, { severity: 'error', what: 'takes', figure: known.latencyMs, limitMs, slowest })]
    }
    if (exceeds(known.p99Ms, limitMs))
      return [describe(place, { severity: 'warning', what: 'takes, in one of a hundred calls (p99),', figure: known.p99Ms, limitMs })]
    return []
  })
}

function exceeds({ value }: PlanFigure, limitMs: number): boolean {
  return value !== undefined && value > limitMs
}

interface Excess {
  readonly severity: Finding['severity']
  readonly what: string
  readonly figure: PlanFigure
  readonly limitMs: number
  readonly slowest?: readonly string[]
}

function describe({ path }: Place, { severity, what, figure, limitMs, slowest = [] }: Excess): Finding {
  const took = `${figure.isBound ? 'at least ' : ''}${durationText(figure.value ?? 0)}`
  const where = slowest.length === 0 ? '' : ` The slowest: ${slowest.join(', ')}.`
  return {
    severity,
    code: 'deadline_infeasible',
    path,
    message: `'${path}' ${what} ${took} by its estimates, and the deadline is ${durationText(limitMs)}.${where}`,
    hint: 'Give it more time, run steps side by side, or use faster ones.',
  }
}
