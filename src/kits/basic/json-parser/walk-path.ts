import { excerpt } from '../../../schema/quote.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { nearestNames } from '../../../schema/nearest-names.ts'
import { describeJson, isList, isObject, type Json, type JsonObject } from '../../../json/json.ts'
import { type PathSegment, writeKey } from './parse-path.ts'
import { sliceIndexes } from '../../../json/slice-indexes.ts'

export interface Found {
  readonly value: Json
  /** Notes for the reader: places that were left out. */
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

const LONGEST_LIST = 200
const MOST_COMPARED = 1000

/** Says where the walk stopped and what there is instead. */
function describeMiss(place: Place, segment: PathSegment, places: number): ToolError {
  const where = pathOf(place)
  const more = places > 1 ? ` So it is at ${places} places, of which this is the first.` : ''
  return new ToolError(`${messageOf(place, segment, where)}${more}`, {
    code: 'not_found',
    hint: 'Look at what there is at the place where the walk stopped, correct jsonPath and call again.',
  })
}

function messageOf({ value }: Place, segment: PathSegment, where: string): string {
  if (segment.kind === 'key') {
    if (isObject(value)) return `There is no key '${segment.key}' at ${where}.${keysLike(segment.key, value)}`
    const instead = isList(value)
      ? ` Write ${where}[0]${writeKey(segment.key)} for the first, ${where}[*]${writeKey(segment.key)} for all.`
      : ''
    return `There is no key '${segment.key}' at ${where}: it is ${describeJson(value)}.${instead}${unread(value)}`
  }
  if (segment.kind === 'index' && isList(value)) return `There is no item ${segment.index} at ${where}: it is ${describeJson(value)}.`
  const wanted = { index: 'an index', slice: 'a slice', wildcard: "'*'" }[segment.kind]
  return `${wanted} does not apply at ${where}: it is ${describeJson(value)}.${unread(value)}`
}

function keysLike(key: string, object: JsonObject): string {
  const keys = Object.keys(object)
  if (keys.length === 0) return ' The object is empty.'
  const [near] = nearestNames(key, keys.slice(0, MOST_COMPARED))
  const meant = near === undefined ? '' : ` Did you mean '${near}'?`
  return `${meant} Its keys: ${excerpt(keys.join(', '), LONGEST_LIST)}.`
}

/** JSON inside a text of JSON is a text. */
function unread(value: unknown): string {
  return typeof value === 'string' && /^\s*[[{]/.test(value)
    ? ' The text looks like JSON: take it out first, then parse it in a second call.'
    : ''
}

/** A value and the way that leads to it. The way is written out only for a message. */
interface Place {
  readonly value: Json
  readonly parent: Place | undefined
  readonly step: string | number
}

/** A place below another, which holds such a key or index. */
function placeAt(parent: Place, step: string | number): Place {
  const value = (parent.value as JsonObject & readonly Json[])[step as number] ?? null
  return { value, parent, step }
}

function pathOf(place: Place): string {
  const steps: string[] = []
  for (let each = place; each.parent !== undefined; each = each.parent) {
    steps.push(typeof each.step === 'number' ? `[${each.step}]` : writeKey(each.step))
  }
  return `$${steps.toReversed().join('')}`
}
