import { excerpt } from '../../../schema/quote.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { nearestNames } from '../../../tool/resolve/nearest-names.ts'
import { describeJson, isList, isObject, type JsonObject } from './json.ts'
import type { PathSegment } from './path-segment.ts'
import { writeKey } from './path-segment.ts'
import { pathOf, type Place } from './place.ts'

const LONGEST_LIST = 200
const MOST_COMPARED = 1000

/** Says where the walk stopped and what there is instead. */
export function describeMiss(place: Place, segment: PathSegment, places: number): ToolError {
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
