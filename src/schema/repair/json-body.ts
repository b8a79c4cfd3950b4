import { isRecord } from '../json-schema.ts'
import { type Outcome, reading } from './reading.ts'
import { takes } from './schema-node.ts'
import type { Misfit } from './walk.ts'

/** What is sent to a service, as a text. */
const BODIES: ReadonlySet<string> = new Set(['body', 'content', 'data', 'payload'])

/** A text that is JSON as a whole: not a path into it, a schema of it or a line of it. */
const SAYS_JSON = /\bjson\b(?![\s-]*(?:path|pointer|lines?|schema|patch|logic|file|key|field|web))/

/** An object or a list where a text of JSON is taken: the schema or its description says so, or the type of the content that is sent with it. */
export function jsonBody({ node, value, place, walk }: Misfit): Outcome | undefined {
  if (!takes(node, 'string') || takes(node, 'object') || takes(node, 'array') || node.listed !== undefined || place.kind !== 'plain')
    return undefined
  if (!isRecord(value) && !Array.isArray(value)) return undefined
  const isSent = walk.facts.sendsJson && BODIES.has(place.words.at(-1) ?? '')
  if (!isSent && node.schema['contentMediaType'] !== 'application/json' && !SAYS_JSON.test(place.text)) return undefined
  const text = JSON.stringify(value)
  return walk.fits(node.schema, text)
    ? reading({ path: place.path, from: value, to: text, rule: 'value to JSON text', cost: 2 })
    : undefined
}
