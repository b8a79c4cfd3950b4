import { isRecord, type JsonSchema } from '../json-schema.ts'
import { isQualifier } from './droppable-field.ts'
import type { FailedSearch, OtherSearch } from './first-page.ts'
import { nameWords } from './name-words.ts'
import { fieldPlace, rootPlace } from './place.ts'
import type { RepairChange } from './reading.ts'
import { NodeReader, type SchemaNode, takes } from './schema-node.ts'

const NOTHING =
  /\b(?:nothing (?:\w+ )?(?:found|matche[ds]|matches)|no (?:[\w-]+ ){0,3}(?:found|match(?:es|ed|ing)?|results?|hits)|found (?:nothing|no)\b|(?:0|zero) (?:results|matches|hits)|empty result|(?:returned|has|yielded) no|did not match any)/
const QUERY = /^(?:q|query|search|search query|search term|search text|keywords?|terms?|text|phrase)$/
const SEARCHES = /\b(?:search|searches|find|finds|list|lists|query|queries|browse|browses|filter|filters|look up|looks up)\b/

/** Fields that are no filters: how much is returned, in which order and in which form. */
const FORM: ReadonlySet<string> = new Set(
  'page size limit per offset skip start cursor token sort sorted order top count max results fields format include expand with view'.split(
    ' ',
  ),
)
/** Filters that say whose data may be seen. Without them a search would see more than the caller asked to see. */
const WHOSE: ReadonlySet<string> = new Set(
  'tenant org organization organisation workspace owner user role permission scope visibility public safe safesearch site domain namespace project team'.split(
    ' ',
  ),
)

interface Search extends FailedSearch {
  /** Name and description of the tool. */
  readonly about: string
}

/**
 * A search that asks for less, one step broader than the one that found nothing: the query without its quotes, then without its rarest
 * optional filter. Undefined where the error does not say that a search found nothing, for a look-up by an id, and where nothing is left to
 * leave out.
 */
export function broaderQuery(schema: JsonSchema, { input, message, about }: Search): OtherSearch | undefined {
  if (!isRecord(input) || !NOTHING.test(message.toLowerCase())) return undefined
  const reader = new NodeReader(schema)
  const node = reader.read(schema)
  const names = Object.keys(node.properties).filter((name) => input[name] !== undefined)
  const fields = names.map((name) => {
    const inside = reader.read(node.properties[name] ?? {})
    return { name, inside, place: fieldPlace(rootPlace(schema, {}), name, { schema: inside.schema, descriptions: {} }) }
  })
  if (fields.some(({ place, name }) => place.kind === 'id' && node.required.has(name))) return undefined
  const queries = fields.filter(({ place }) => QUERY.test(place.words.join(' ')))
  if (queries.length === 0 && !SEARCHES.test(about.toLowerCase())) return undefined
  for (const { name } of queries) {
    const from = input[name]
    const to = typeof from === 'string' ? withoutQuotes(from) : undefined
    if (to !== undefined) return step(input, { path: name, from, to, rule: 'quotes of the query dropped', cost: 5 })
  }
  const filters = fields.filter(
    ({ name, inside, place }) =>
      !node.required.has(name) && !queries.some((each) => each.name === name) && place.kind === 'plain' && isFilter(inside, name),
  )
  const rarest = filters.toSorted((one, other) => shareOf(one.inside) - shareOf(other.inside))[0]
  return rarest === undefined
    ? undefined
    : step(input, { path: rarest.name, from: input[rarest.name], to: undefined, rule: 'filter dropped', cost: 5 })
}

function step(input: Readonly<Record<string, unknown>>, change: RepairChange): OtherSearch {
  const next: Record<string, unknown> = { ...input, [change.path]: change.to }
  if (change.to === undefined) delete next[change.path]
  return { input: next, changes: [change] }
}

/** The words of exact phrases; undefined if there are none. */
function withoutQuotes(query: string): string | undefined {
  const bare = query
    .replace(/["“”„«»]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return bare === '' || !/["“”„«»]/.test(query) ? undefined : bare
}

/** Without a field that has a default another value would apply; a switch may widen a search as well as narrow it. */
function isFilter(node: SchemaNode, name: string): boolean {
  if (node.schema['default'] !== undefined || takes(node, 'object') || (takes(node, 'boolean') && node.listed === undefined)) return false
  const words = nameWords(name)
  return !isQualifier(words) && !words.some((word) => FORM.has(word) || WHOSE.has(word))
}

/** About which share of all things passes a filter: one of three listed values a third of them, a free text almost none. */
function shareOf(node: SchemaNode): number {
  if (node.listed !== undefined) return 1 / Math.max(node.listed.length, 1)
  return takes(node, 'string') || takes(node, 'array') ? 0.001 : 0.01
}
