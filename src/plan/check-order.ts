import type { Finding } from './finding.ts'
import { partPath, type Place, type PlacedPart, type Survey } from './survey.ts'

/**
 * In a sequence, what cannot be undone must not stand before what can fail, unless a person stands before it. A step counts wherever it
 * lies in the tree: taking a sequence apart into smaller ones changes nothing.
 */
export function checkOrder(plan: Survey, fallible: ReadonlySet<Place>): readonly Finding[] {
  const loose = looseSteps(plan, fallible)
  const findings: Finding[] = []
  for (const [place, path] of ungatedPlaces(plan)) {
    if (place.plan.inOrder !== true) continue
    place.parts.forEach((each, index) => {
      if (each.place === undefined || !loose.has(each.place)) return
      const next = place.parts.slice(index + 1).find((later) => canFail(later, fallible))
      if (next === undefined) return
      const after = partPath(place, next.part, path)
      for (const step of looseInside(each.place, partPath(place, each.part, path), loose)) findings.push(describe(step, after))
    })
  }
  return findings
}

function describe(path: string, after: string): Finding {
  return {
    severity: 'error',
    code: 'irreversible_before_fallible',
    path,
    message: `'${path}' cannot be undone, and '${after}' after it can fail.`,
    hint: "Put it last, put a gate before it, or declare its effect if it can be undone ('write') or changes nothing ('read').",
  }
}

/** By place, the parts inside that may still stand before something fallible. A place without such parts is such a step itself. */
type Loose = ReadonlyMap<Place, readonly PlacedPart[]>

function looseSteps({ upwards }: Survey, fallible: ReadonlySet<Place>): Loose {
  const loose = new Map<Place, readonly PlacedPart[]>()
  for (const place of upwards) {
    const { tool, plan, parts } = place
    if (plan.gated === true || tool.effect !== 'irreversible') continue
    const settled = plan.inOrder === true ? parts.findLastIndex((each) => canFail(each, fallible)) : 0
    const inside = parts.filter((each, index) => index >= settled && each.place !== undefined && loose.has(each.place))
    if (inside.length > 0 || !parts.some(({ part }) => part.tool.effect === 'irreversible')) loose.set(place, inside)
  }
  return loose
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

/** The tools that can be reached without passing a person, and by which path. */
function ungatedPlaces({ root, upwards }: Survey): ReadonlyMap<Place, string> {
  const paths = new Map<Place, string>()
  if (root.plan.gated !== true) paths.set(root, root.path)
  for (const place of upwards.toReversed()) {
    const path = paths.get(place)
    if (path === undefined) continue
    for (const { part, place: inner } of place.parts)
      if (inner !== undefined && inner.plan.gated !== true && !paths.has(inner)) paths.set(inner, partPath(place, part, path))
  }
  return paths
}
