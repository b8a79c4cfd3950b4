import type { PlanNode } from '../tool/plan-node.ts'
import type { Finding } from './finding.ts'
import { partPath, type Place, type PlacedPart, type Survey } from './survey.ts'
import { forwardParts, isCompensated, isUndone } from './undoable-steps.ts'

/** The facts of a plan that the rules about its order use. */
export interface OrderFacts {
  /** The tools that can fail. */
  readonly fallible: ReadonlySet<Place>
  readonly undoable: ReadonlySet<Place>
  /** The tools that cannot be undone, and that nobody approves. */
  readonly loose: Loose
  /** The tools that may run without an approval and outside of a saga that undoes them. */
  readonly ungated: ReadonlyMap<Place, Way>
}

export function orderFacts(plan: Survey, fallible: ReadonlySet<Place>, undoable: ReadonlySet<Place>): OrderFacts {
  return { fallible, undoable, loose: looseSteps(plan, fallible, undoable), ungated: ungatedPlaces(plan) }
}

/**
 * In a sequence, an irreversible step must not come before a step that can fail, unless a person approves it or a saga undoes it; nor must it
 * run again where it can fail. A step counts wherever it lies in the tree: taking a sequence apart into smaller ones changes nothing.
 */
export function checkOrder({ fallible, undoable, loose, ungated }: OrderFacts): readonly Finding[] {
  const findings: Finding[] = []
  for (const [place, way] of ungated) {
    forwardParts(place).forEach((each, index) => {
      if (each.place === undefined || !loose.has(each.place) || isUndoneBy(place, each, undoable)) return
      const danger = dangerAfter(index, { place, path: way.path, fallible })
      if (danger === undefined) return
      const start = { path: partPath(place, each.part, way.path), gate: way.gate }
      for (const step of looseInside(each.place, start, loose)) findings.push(describe(step, danger))
    })
  }
  return findings
}

/** The way to a step, with a gate on it that does not always ask. */
export interface Way {
  readonly path: string
  readonly gate: PlanNode | undefined
}

/** A gate that asks every time: a person answers for the step. */
function isApproved({ gated, asks = 'always' }: PlanNode): boolean {
  return gated === true && asks === 'always'
}

/** The gate that is the most of a safeguard on a way: one that asks sometimes. */
export function gateOn(way: PlanNode | undefined, plan: PlanNode): PlanNode | undefined {
  if (plan.gated !== true) return way
  return way?.asks === 'sometimes' ? way : plan
}

/** What to do about a step that cannot be undone. */
export const PUT_IT_LAST =
  "Put it last, put a gate before it, undo it in a saga, or declare its effect if it can be undone ('write') or changes nothing ('read')."

/** The failure that may follow a step, in words. */
interface Danger {
  readonly severity: Finding['severity']
  readonly what: string
}

interface Sequence {
  readonly place: Place
  readonly path: string
  readonly fallible: ReadonlySet<Place>
}

/** An adapter cannot declare that it never throws, so this is only a warning. */
function dangerAfter(index: number, { place, path, fallible }: Sequence): Danger | undefined {
  const { plan } = place
  const parts = forwardParts(place)
  if (isRepeated(place, parts[index] as PlacedPart, fallible))
    return { severity: 'error', what: 'it runs again after that, and then it can fail' }
  if (plan.order !== 'sequence') return undefined
  const later = parts.slice(index + 1)
  const next = later.find((each) => canFail(each, fallible))
  if (next !== undefined) return { severity: 'error', what: `'${partPath(place, next.part, path)}' after it can fail` }
  const adapter = later.find(({ part }) => part.adapter !== undefined)?.part.adapter
  return adapter === undefined
    ? undefined
    : { severity: 'warning', what: `the adapter ${adapter.name} after it is a function that may throw` }
}

/** It runs several times, and one time may fail when another has done its work. */
function isRepeated({ plan }: Place, each: PlacedPart, fallible: ReadonlySet<Place>): boolean {
  return plan.repeats === true && canFail(each, fallible)
}

function describe({ path, gate }: Way, { severity, what }: Danger): Finding {
  const message = `'${path}' cannot be undone, and ${what}.`
  return behindGate({ severity, code: 'irreversible_before_fallible', path, message, hint: PUT_IT_LAST }, gate)
}

/** The same for a step behind a gate that does not always ask: whether it asks cannot be known before a run, unless it never does. */
export function behindGate(finding: Finding, gate: PlanNode | undefined): Finding {
  if (gate === undefined) return finding
  return {
    ...finding,
    severity: gate.asks === 'sometimes' ? 'note' : finding.severity,
    message: `${finding.message} ${gateText(gate)}`,
    hint: `${finding.hint} A gate without a predicate always asks.`,
  }
}

function gateText({ asks, condition = '' }: PlanNode): string {
  // It may end with the author's own sentence.
  const when = condition.replace(/\.$/, '')
  return asks === 'never' ? `Its gate asks a person ${when}.` : `A person approves it ${when.startsWith('when ') ? 'only ' : ''}${when}.`
}

/** For each place, the parts inside that may come before a fallible step. A place without such parts is such a step itself. */
type Loose = ReadonlyMap<Place, readonly PlacedPart[]>

function looseSteps({ upwards }: Survey, fallible: ReadonlySet<Place>, undoable: ReadonlySet<Place>): Loose {
  const loose = new Map<Place, readonly PlacedPart[]>()
  for (const place of upwards) {
    const { tool, plan } = place
    const parts = forwardParts(place)
    if (isApproved(plan) || tool.effect !== 'irreversible') continue
    const settled = plan.order === 'sequence' ? parts.findLastIndex((each) => canFail(each, fallible)) : 0
    const inside = parts.filter(
      (each, index) =>
        index >= settled &&
        each.place !== undefined &&
        loose.has(each.place) &&
        !isRepeated(place, each, fallible) &&
        !isUndoneBy(place, each, undoable),
    )
    if (inside.length > 0 || !parts.some(({ part }) => part.tool.effect === 'irreversible' && !isCompensated(part)))
      loose.set(place, inside)
  }
  return loose
}

/** A saga undoes it when a later part fails. */
function isUndoneBy(whole: Place, each: PlacedPart, undoable: ReadonlySet<Place>): boolean {
  return whole.plan.compensates === true && isUndone(whole, each, undoable)
}

function canFail({ place }: PlacedPart, fallible: ReadonlySet<Place>): boolean {
  return place === undefined || fallible.has(place)
}

/** The paths of the steps themselves, each tool once. */
export function looseInside(place: Place, start: Way, loose: Loose): readonly Way[] {
  const ways = new Map([[place, { ...start, gate: gateOn(start.gate, place.plan) }]])
  const found: Way[] = []
  for (const [outer, way] of ways) {
    const inside = loose.get(outer) ?? []
    if (inside.length === 0) found.push(way)
    for (const { part, place: inner } of inside)
      if (inner !== undefined && !ways.has(inner))
        ways.set(inner, { path: partPath(outer, part, way.path), gate: gateOn(way.gate, inner.plan) })
  }
  return found
}

function ungatedPlaces({ root, upwards }: Survey): ReadonlyMap<Place, Way> {
  const ways = new Map<Place, Way>()
  if (!isApproved(root.plan)) ways.set(root, { path: root.path, gate: gateOn(undefined, root.plan) })
  // A place that is reached without a gate too counts as reached without one.
  for (const mayCross of [false, true])
    for (const place of upwards.toReversed()) {
      const way = ways.get(place)
      if (way === undefined) continue
      for (const { part, place: inner } of place.parts) {
        if (inner === undefined || isApproved(inner.plan) || isCompensated(part) || ways.has(inner)) continue
        const gate = gateOn(way.gate, inner.plan)
        if (mayCross || gate === undefined) ways.set(inner, { path: partPath(place, part, way.path), gate })
      }
    }
  return ways
}
