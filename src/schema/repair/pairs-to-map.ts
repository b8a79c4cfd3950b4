import { isRecord, isSameJson, type JsonSchema } from '../json-schema.ts'
import { nameForm } from './name-words.ts'
import { after, isReading, type Outcome, type Reading } from './reading.ts'
import { type SchemaNode, takes } from './schema-node.ts'
import type { Misfit, Walk } from './walk.ts'

const NAMES: ReadonlySet<string> = new Set(['key', 'name', 'k'])
const VALUES: ReadonlySet<string> = new Set(['value', 'val', 'v'])
const MOST_PAIRS = 1000

/**
 * A list of names and values where a map is taken: `[{ key: 'a', value: 1 }]` or `[['a', 1]]`. Undefined for another list. A name with two
 * values is no map.
 */
export function pairsToMap({ node, value, place, walk }: Misfit): Outcome | undefined {
  const known = new Set(Object.keys(node.properties).map(nameForm))
  const isMap = known.size === 0 && node.others !== undefined
  if (!takes(node, 'object') || takes(node, 'array') || !Array.isArray(value) || value.length === 0 || value.length > MOST_PAIRS)
    return undefined
  const entries = new Map<string, unknown>()
  const columns = isMap ? keyAndValue(value, node, walk) : undefined
  for (const item of value as readonly unknown[]) {
    const pair = columns === undefined || !isRecord(item) ? pairOf(item) : ([String(item[columns[0]]), item[columns[1]]] as const)
    if (pair === undefined) return undefined
    const [name, each] = pair
    if (!isMap && !known.has(nameForm(name))) return undefined
    if (entries.has(name) && !isSameJson(entries.get(name), each)) return { because: `the field '${name}' is given twice` }
    entries.set(name, each)
  }
  const map = Object.fromEntries(entries)
  const fixed = walk.fix(node.schema, map, { ...place, depth: place.depth + 1 })
  return isReading(fixed) ? after({ path: place.path, from: value, to: map, rule: 'pairs to map', cost: 2 }, fixed) : fixed
}

/** The names of the two fields that all items have, where one has texts that the map does not take as values, and the other such values. */
function keyAndValue(items: readonly unknown[], { others }: SchemaNode, walk: Walk): readonly [key: string, value: string] | undefined {
  const [first] = items
  const names = isRecord(first) ? Object.keys(first) : []
  const [one = '', other = ''] = names
  if (others === undefined || names.length !== 2) return undefined
  const isPair = (key: string, value: string): boolean =>
    items.every(
      (item) =>
        isRecord(item) &&
        Object.keys(item).length === 2 &&
        typeof item[key] === 'string' &&
        !walk.fits(others, item[key]) &&
        walk.fits(others, item[value]),
    )
  return isPair(one, other) ? [one, other] : isPair(other, one) ? [other, one] : undefined
}

/**
 * A map where a list of items is taken: `{ 'AB-100': 2 }` for items with a name and a number, `{ 'AB-100': { quantity: 2 } }` for items of which each lacks
 * its name. One field only must be able to have the keys.
 */
export function mapToPairs({ node, value, place, walk }: Misfit): readonly Reading[] {
  const items = node.schema['items']
  const item = isRecord(items) ? walk.read(items) : undefined
  const entries = isRecord(value) ? Object.entries(value) : []
  const names = Object.keys(item?.properties ?? {})
  if (item === undefined || entries.length === 0 || entries.length > MOST_PAIRS || entries.some(([key]) => names.includes(key))) return []
  const list = entries.every(([, each]) => isRecord(each)) ? keyedItems(entries, item) : pairedItems(entries, item, walk)
  if (list === undefined) return []
  const fixed = walk.fix(node.schema, list, { ...place, depth: place.depth + 1 })
  return isReading(fixed) ? [after({ path: place.path, from: value, to: list, rule: 'map to pairs', cost: 2 }, fixed)] : []
}

type Entries = readonly (readonly [key: string, value: unknown])[]

function pairedItems(entries: Entries, { properties }: SchemaNode, walk: Walk): readonly unknown[] | undefined {
  const names = Object.keys(properties)
  const isListed = (each: string): boolean => walk.read(properties[each] ?? {}).listed !== undefined
  const content = names.find((each) => VALUES.has(nameForm(each)) || (!isListed(each) && !takesText(properties[each])))
  const name = names.find(
    (each) => each !== content && (NAMES.has(nameForm(each)) || isListed(each) || properties[each]?.['type'] === 'string'),
  )
  if (names.length !== 2) return undefined
  if (name !== undefined && content !== undefined) return entries.map(([key, each]) => ({ [name]: key, [content]: each }))
  const [first = '', second = ''] = names
  const [one, other] = [[first, second] as const, [second, first] as const].filter(([keyed, valued]) =>
    entries.every(([key, each]) => walk.fits(properties[keyed] ?? {}, key) && walk.fits(properties[valued] ?? {}, each)),
  )
  // Only the one way round may fit.
  return one === undefined || other !== undefined ? undefined : entries.map(([key, each]) => ({ [one[0]]: key, [one[1]]: each }))
}

function keyedItems(entries: Entries, { properties, required }: SchemaNode): readonly unknown[] | undefined {
  const lacking = [...required].filter(
    (name) => !entries.some(([, each]) => isRecord(each) && Object.keys(each).some((key) => nameForm(key) === nameForm(name))),
  )
  const [name, ...more] = lacking
  if (name === undefined || more.length > 0 || properties[name]?.['type'] !== 'string') return undefined
  return entries.map(([key, each]) => ({ [name]: key, ...(isRecord(each) ? each : {}) }))
}

function takesText(schema: JsonSchema | undefined): boolean {
  return schema?.['type'] !== 'integer' && schema?.['type'] !== 'number' && schema?.['type'] !== 'boolean'
}

/** `['Accept', 'text/html']` or `Accept=text/html` for an item that has nothing but a name and a value. */
export function pairToItem({ node, value, place, walk }: Misfit): Outcome | undefined {
  const names = Object.keys(node.properties)
  const name = names.find((each) => NAMES.has(nameForm(each)))
  const content = names.find((each) => VALUES.has(nameForm(each)))
  if (!place.path.endsWith(']') || names.length !== 2 || name === undefined || content === undefined) return undefined
  const [first, second] = typeof value === 'string' || Array.isArray(value) ? (pairOf(value) ?? []) : []
  if (first === undefined) return undefined
  const item = { [name]: first, [content]: second }
  const fixed = walk.fix(node.schema, item, { ...place, depth: place.depth + 1 })
  return isReading(fixed) ? after({ path: place.path, from: value, to: item, rule: 'pair named', cost: 3 }, fixed) : undefined
}

function pairOf(item: unknown): readonly [name: string, value: unknown] | undefined {
  const [, variable, content] =
    typeof item === 'string' ? (/^([A-Za-z_][\w.-]{0,63})=(.*)$/s.exec(item) ?? /^([A-Z][\w-]{0,63}): (\S[^:]*)$/.exec(item) ?? []) : []
  if (variable !== undefined) return [variable, content]
  if (Array.isArray(item)) return item.length === 2 && typeof item[0] === 'string' ? [item[0], item[1]] : undefined
  const keys = isRecord(item) ? Object.keys(item) : []
  const [only = ''] = keys
  if (isRecord(item) && keys.length === 1) return [only, item[only]]
  const name = keys.find((key) => NAMES.has(nameForm(key)))
  const value = keys.find((key) => VALUES.has(nameForm(key)))
  if (!isRecord(item) || keys.length !== 2 || name === undefined || value === undefined) return undefined
  const told = item[name]
  return typeof told === 'string' ? [told, item[value]] : undefined
}
