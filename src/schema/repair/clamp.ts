import type { JsonSchema } from '../json-schema.ts'
import type { Place } from './place.ts'
import type { Walk } from './walk.ts'

/** The number of a page or its first result. Below its bound it is the first one; beyond it there is no such page. */
const POSITIONS = /^(?:page|page ?number|page ?no|page ?index|offset|skip|start ?index)$/
/** The most results of a page. Fewer than none mean all of them, which no bound says. */
const SIZES =
  /^(?:page ?size|per ?page|max ?results?|max ?items|num ?results|results? ?(?:limit|count|per ?page)|page ?limit|items ?per ?page|max ?(?:rows|records|entries|hits|documents|matches|keys|objects)|(?:row|record|item|entry|hit|document|match) ?limit|top ?k|top ?n)$/
/** Names that say how many results are wanted, unless the tool or the field is about something else. */
const OPEN = /^(?:limit|count|top|take|rows)$/
/** Names that say so only with words about results. */
const VAGUE = /^(?:limit|count|size|top|n|max|first|last|take|rows|number)$/
const RESULTS = /\b(?:results?|items?|rows?|records?|entries|hits|matches|pages?|returned|documents?)\b/
/** Names that say how many things a tool that only reads is to show, whatever the things are called. */
const MOST = /^(?:limit|take|top|first)$/
const WANTED = /^(?:the )?(?:max(?:imum|\.)?|most|number of|how many|limit)\b/
/** How a tool that only reads is called. */
export const READS = /^\s*(?:\w+[.:])?(?:list|search|find|get|query|fetch|show|browse|look ?up|read)(?![a-z])/
/** What a read gives back is a result, whatever it is called: `how many orders to return`. */
const RETURNED = /\b(?:to (?:return|show|list|fetch|display)|returned|shown|listed|displayed)\b/
const OTHER =
  /\b(?:credit|quota|speed|spend|money|rate|budget|withdraw|transfer|price|order|buy|sell|dose|dosage|token|memory|storage|upload|file|user|seat|card|account|weight|age)/

/** Whether a field says how many results are wanted. */
export function isResultCount({ words, text, kind }: Place): boolean {
  const name = words.join(' ')
  if (kind !== 'plain' || OTHER.test(`${name} ${text}`)) return false
  return (
    SIZES.test(name) ||
    (MOST.test(name) && WANTED.test(text)) ||
    (VAGUE.test(name) && RESULTS.test(text)) ||
    (text === '' && OPEN.test(name))
  )
}

/** The `size` of a `page` is the size of a page. */
function withPage({ words, group }: Place): readonly string[] {
  return PAGES.has(group.at(-1) ?? '') && /^(?:size|limit)$/.test(words.join(' ')) ? ['page', ...words] : words
}

const PAGES: ReadonlySet<string> = new Set(['page', 'paging', 'pagination'])

interface OutOfBounds {
  readonly place: Place
  readonly schema: JsonSchema
  readonly value: number
}

/** Whether a number out of its bounds may be moved to the bound: only a size to its bound, and a position up to the first one. */
export function mayClamp(
  { place, schema, value }: OutOfBounds,
  { about, hasEffect, isRead }: Pick<Walk, 'about' | 'hasEffect' | 'isRead'>,
): boolean {
  const { text, kind } = place
  const words = withPage(place)
  const { type } = schema
  if (kind !== 'plain' || type !== 'integer' || !Number.isInteger(value)) return false
  const name = words.join(' ')
  const isReturned = RETURNED.test(text) && (isRead || about === '') && !hasEffect
  if (OTHER.test(isReturned ? name : `${name} ${text}`)) return false
  const isBelow = value < (leastOf(schema) ?? Number.NEGATIVE_INFINITY)
  if (isBelow) return POSITIONS.test(name) || (SIZES.test(name) && value >= 0)
  if (POSITIONS.test(name)) return false
  if (SIZES.test(name) || (isReturned && /^max\b/.test(name) && WANTED.test(text))) return true
  if (text !== '' && VAGUE.test(name) && RESULTS.test(text)) return true
  if (text !== '') return MOST.test(name) && WANTED.test(text) && (isReturned || (isRead && !hasEffect && !OTHER.test(about)))
  return OPEN.test(name) && !hasEffect && !OTHER.test(about)
}

/** The nearest number within the bounds; undefined if none is out of them. */
export function nearestBound(schema: JsonSchema, value: number): number | undefined {
  const [least, most] = [leastOf(schema), mostOf(schema)]
  if (least !== undefined && value < least) return least
  return most !== undefined && value > most ? most : undefined
}

/** Whole numbers have a next one, so that an exclusive bound is a bound too. */
function leastOf({ type, minimum, exclusiveMinimum }: JsonSchema): number | undefined {
  if (typeof minimum === 'number') return minimum
  return type === 'integer' && typeof exclusiveMinimum === 'number' ? Math.floor(exclusiveMinimum) + 1 : undefined
}

function mostOf({ type, maximum, exclusiveMaximum }: JsonSchema): number | undefined {
  if (typeof maximum === 'number') return maximum
  return type === 'integer' && typeof exclusiveMaximum === 'number' ? Math.ceil(exclusiveMaximum) - 1 : undefined
}
