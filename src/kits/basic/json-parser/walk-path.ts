import { isList, isObject, type Json } from './json.ts'
import { describeMiss } from './describe-miss.ts'
import type { PathSegment } from './path-segment.ts'
import { type Place, placeAt } from './place.ts'
import { sliceIndexes } from './slice.ts'

export interface Found {
  readonly value: Json
  /** What a reader should know: places that were left out. */
  readonly warnings: readonly string[]
}

/** Follows a path. A wildcard or a slice makes a list of all that the rest of the path leads to. */
export function walkPath(root: Json, segments: readonly PathSegment[]): Found {
  let places: readonly Place[] = [{ value: root, parent: undefined, step: '' }]
  let isProjected = false
  const warnings: string[] = []
  for (const segment of segments) {
    const next: Place[] = []
    let missed = 0
    for (const place of places) {
      const found = stepFrom(place, segment)
      if (found === undefined) missed++
      else for (const each of found) next.push(each)
    }
    const [first] = places
    if (missed > 0 && missed === places.length && first !== undefined) throw describeMiss(first, segment, missed)
    if (missed > 0) warnings.push(`${missed} of ${places.length} places have no ${nameOf(segment)} and are left out.`)
    places = next
    isProjected ||= segment.kind === 'wildcard' || segment.kind === 'slice'
  }
  return { value: isProjected ? places.map(({ value }) => value) : (places[0]?.value ?? null), warnings }
}

/** Undefined where a place has nothing of the kind. */
function stepFrom(place: Place, segment: PathSegment): readonly Place[] | undefined {
  const { value } = place
  switch (segment.kind) {
    case 'key':
      if (isObject(value) && Object.hasOwn(value, segment.key)) return [placeAt(place, segment.key)]
      return isList(value) && !segment.quoted && /^\d+$/.test(segment.key) ? itemAt(place, value, Number(segment.key)) : undefined
    case 'index':
      return isList(value) ? itemAt(place, value, segment.index) : undefined
    case 'wildcard':
      if (isList(value)) return value.map((_, index) => placeAt(place, index))
      return isObject(value) ? Object.keys(value).map((key) => placeAt(place, key)) : undefined
    case 'slice':
      return isList(value) ? sliceIndexes(value.length, segment).map((index) => placeAt(place, index)) : undefined
  }
}

function itemAt(place: Place, list: readonly Json[], index: number): readonly Place[] | undefined {
  const position = index < 0 ? index + list.length : index
  return position >= 0 && position < list.length ? [placeAt(place, position)] : undefined
}

function nameOf(segment: PathSegment): string {
  if (segment.kind === 'key') return `'${segment.key}'`
  return segment.kind === 'index' ? `item ${segment.index}` : 'parts'
}
