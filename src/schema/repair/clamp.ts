import type { JsonSchema } from '../json-schema.ts'
import type { Place } from './place.ts'
import type { Walk } from './walk.ts'

const SIZES =
  /^(?:page ?size|per ?page|max ?results?|max ?items|num ?results|results? ?(?:limit|count|per ?page)|page ?limit|items ?per ?page|max ?rows|top ?k|top ?n|page|page ?number|page ?no|page ?index|offset|skip|start ?index)$/
/** Names that say how many results are wanted, unless the tool or the field is about something else. */
const OPEN = /^(?:limit|count|top|take|rows)$/
/** Names that say so only with words about results. */
const VAGUE = /^(?:limit|count|size|top|n|max|first|last|take|rows|number)$/
const RESULTS = /\b(?:results?|items?|rows?|records?|entries|hits|matches|pages?|returned|documents?)\b/
const OTHER =
  /\b(?:credit|quota|speed|spend|money|rate|budget|withdraw|transfer|price|order|buy|sell|dose|dosage|token|memory|storage|upload|file|user|seat|card|account|weight|age)/

/** Whether a number out of its bounds may be moved to the bound: only the size or the number of a page of results. */
export function mayClamp(
  { words, text, kind }: Place,
  { type }: JsonSchema,
  { about, hasEffect }: Pick<Walk, 'about' | 'hasEffect'>,
): boolean {
  if (kind !== 'plain' || type !== 'integer') return false
  const name = words.join(' ')
  if (OTHER.test(`${name} ${text}`)) return false
  if (SIZES.test(name)) return true
  if (text !== '') return VAGUE.test(name) && RESULTS.test(text)
  return OPEN.test(name) && !hasEffect && !OTHER.test(about)
}

/** The nearest number within the bounds; undefined if none is out of them. */
export function nearestBound({ minimum, maximum }: JsonSchema, value: number): number | undefined {
  if (typeof minimum === 'number' && value < minimum) return minimum
  return typeof maximum === 'number' && value > maximum ? maximum : undefined
}
