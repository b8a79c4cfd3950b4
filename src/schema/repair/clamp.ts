import type { JsonSchema } from '../json-schema.ts'
import type { Place } from './place.ts'

const SIZES =
  /^(?:page ?size|per ?page|max ?results?|max ?items|num ?results|results? ?(?:limit|count|per ?page)|page ?limit|items ?per ?page|max ?rows|top ?k|top ?n|page|page ?number|page ?no|page ?index|offset|skip|start ?index)$/
const OPEN = /^(?:limit|count|size|top|n|max|first|last|take|rows)$/
const RESULTS = /\b(?:results?|items?|rows?|records?|entries|hits|matches|pages?|return(?:ed)?|documents?)\b/
const OTHER =
  /\b(?:credit|quota|speed|spend(?:ing)?|money|rate|budget|withdraw|transfer|price|order|buy|sell|dose|token|memory|storage|upload|file|users?|seats?)\b/

/** Whether a number out of its bounds may be moved to the bound: only the size or the number of a page of results. */
export function mayClamp({ words, text, kind }: Place, { type }: JsonSchema, about: string): boolean {
  if (kind !== 'plain' || type !== 'integer') return false
  const name = words.join(' ')
  if (OTHER.test(`${name} ${text}`)) return false
  if (SIZES.test(name)) return true
  return OPEN.test(name) && (RESULTS.test(text) || !OTHER.test(about))
}

/** The nearest number within the bounds; undefined if none is out of them. */
export function nearestBound({ minimum, maximum }: JsonSchema, value: number): number | undefined {
  if (typeof minimum === 'number' && value < minimum) return minimum
  return typeof maximum === 'number' && value > maximum ? maximum : undefined
}
