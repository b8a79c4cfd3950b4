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
  /** The tools that run without an approval and outside of a saga that undoes them, with their paths. */
  readonly ungated: ReadonlyMap<Place, string>
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
  for (const [place, path] of ungated) {
    forwardParts(place).forEach((each, index) => {
      if (each.place === undefined || !loose.has(each.place) || isUndoneBy(place, each, undoable)) return
      const danger = dangerAfter(index, { place, path, fallible })
      if (danger === undefined) return
      for (const step of looseInside(each.place, partPath(place, each.part, path), loose)) findings.push(describe(step, danger))
    })
  }
  return findings
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

function describe(path: string, { severity, what }: Danger): Finding {
  return {
    severity,
    code: 'irreversible_before_fallible',
    path,
    message: `'${path}' cannot be undone, and ${what}.`,
    hint: PUT_IT_LAST,
  }
}

/** For each place, the parts inside that may come before a fallible step. A place without such parts is such a step itself. */
type Loose = ReadonlyMap<Place, readonly PlacedPart[]>

function looseSteps({ upwards }: Survey, fallible: ReadonlySet<Place>, undoable: ReadonlySet<Place>): Loose {
  const loose = new Map<Place, readonly PlacedPart[]>()
  for (const place of upwards) {
    const { tool, plan } = place
    const parts = forwardParts(place)
    if (plan.gated === true || tool.effect !== 'irreversible') continue
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
function looseInside(place: Place, path: string, loose: Loose): readonly string[] {
  const paths = new Map([[place, path]])
  const found: string[] = []
  for (const [outer, outerPath] of paths) {
    const inside = loose.get(outer) ?? []
    if (inside.length === 0) found.push(outerPath)
    for (const { part, place: inner } of inside)
      if (inner !== undefined && !paths.has(inner)) paths.set(inner, partPath(outer, part, outerPath))
  }
  return found
}

function ungatedPlaces({ root, upwards }: Survey): ReadonlyMap<Place, string> {
  const paths = new Map<Place, string>()
  if (root.plan.gated !== true) paths.set(root, root.path)
  for (const place of upwards.toReversed()) {
    const path = paths.get(place)
    if (path === undefined) continue
    for (const { part, place: inner } of place.parts)
      if (inner !== undefined && inner.plan.gated !== true && !isCompensated(part) && !paths.has(inner))
        paths.set(inner, partPath(place, part, path))
  }
  return paths
}
