import { isRecord, type JsonSchema } from '../json-schema.ts'
import { below } from './building.ts'
import { type Codec, described, NoEncoding, setOwn, type Trail } from './codec.ts'
import { keptRules } from './moved-rules.ts'
import type { Node } from './scalar-codecs.ts'
import { textCodec } from './text-codec.ts'

const COUNTS = ['minItems', 'maxItems']

/** A list of items of one kind. */
export function arrayCodec({ schema, building, spot, telling }: Node): Codec {
  const counts = keptRules(schema, COUNTS, telling, building)
  for (const keyword of ['uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'])
    if (schema[keyword] !== undefined && schema[keyword] !== false) telling.move(keyword, schema[keyword])
  if (schema['items'] === false) {
    // Only the empty list fits. Its items need a type all the same.
    telling.move('items', false)
    return described(listOf({ type: 'array', items: { type: 'string' } }, EMPTY), telling.text)
  }
  const item = building.build(schema['items'] ?? true, below(spot, '[]', false))
  return described(listOf({ type: 'array', items: item.schema, ...counts }, item), telling.text)
}

const EMPTY: Codec = {
  schema: {},
  isSame: true,
  fits: () => false,
  decode: (value) => value,
  encode: () => {
    throw new NoEncoding('The list must be empty.')
  },
}

function listOf(schema: JsonSchema, item: Codec): Codec {
  return {
    schema,
    isSame: item.isSame,
    fits: (value) => Array.isArray(value) && value.every(item.fits),
    decode: (value, trail) => (Array.isArray(value) ? value.map((each, index) => item.decode(each, trail.step([index], [index]))) : value),
    encode: (value) => {
      if (Array.isArray(value)) return value.map((each) => item.encode(each))
      throw new NoEncoding('The value is no list.')
    },
  }
}

/** A list of entries, `{ key, value }`, that stands for properties whose names are not known. */
export interface Entries {
  readonly schema: JsonSchema
  readonly fits: (value: unknown) => boolean
  /** Adds the entries to an object that may already have properties. */
  readonly decodeInto: (target: Record<string, unknown>, list: readonly unknown[], trail: Trail) => void
  readonly encode: (entries: readonly (readonly [string, unknown])[]) => unknown
  readonly value: Codec
}

/** The entries of a map, or of the rest of an object. */
export function entriesOf(values: unknown, { schema, building, spot, telling }: Node, declared: readonly string[] = []): Entries {
  const { rules, report } = building
  const value = building.build(values, { ...below(spot, '{}', false), depth: spot.depth + 1 })
  telling.move('keys', true)
  const { propertyNames } = schema
  if (propertyNames !== undefined && !isAnyName(propertyNames)) telling.move('propertyNames', propertyNames)
  report.properties += 2
  const entry = {
    type: 'object',
    properties: { key: { type: 'string' }, value: value.schema },
    required: ['key', 'value'],
    ...(rules.closes ? { additionalProperties: false } : {}),
  }
  return {
    value,
    schema: { type: 'array', items: entry },
    fits: (list) => Array.isArray(list) && list.every((each) => isEntry(each) && value.fits(each.value)),
    decodeInto: (target, list, trail) => {
      for (const [index, each] of list.entries()) {
        const at = trail.into(index)
        if (!isEntry(each)) return at.refuse('must be an entry: { key, value }')
        const { key } = each
        if (declared.includes(key)) at.into('key').refuse('names a property of its own')
        if (Object.hasOwn(target, key)) at.into('key').refuse('repeats the key of another entry')
        if (key === '__proto__') at.into('key').refuse('cannot be __proto__')
        setOwn(target, key, value.decode(each.value, trail.step([index, 'value'], [key])))
      }
    },
    encode: (entries) => entries.map(([key, each]) => ({ key, value: value.encode(each) })),
  }
}

function isAnyName(names: unknown): boolean {
  return isRecord(names) && Object.keys(names).every((keyword) => keyword === 'type' && names[keyword] === 'string')
}

function isEntry(value: unknown): value is { readonly key: string; readonly value: unknown } {
  return isRecord(value) && typeof value['key'] === 'string' && Object.hasOwn(value, 'value') && Object.keys(value).length === 2
}

/** An object whose names are not known, as a list of entries. */
export function mapCodec(values: unknown, node: Node): Codec {
  const { schema, building, telling } = node
  const { limits } = building.rules
  if (node.spot.depth >= limits.depth) return textCodec(schema, `nested deeper than ${limits.depth} objects: sent as JSON text`, node)
  const entries = entriesOf(values, node)
  const counts: Record<string, unknown> = {}
  for (const [keyword, count] of [
    ['minProperties', 'minItems'],
    ['maxProperties', 'maxItems'],
  ] as const) {
    const given = schema[keyword]
    if (given === undefined) continue
    const { keywords, mostMinItems } = building.rules
    const isKept = keywords.has(count) && (count === 'maxItems' || Number(given) <= mostMinItems)
    if (isKept) counts[count] = given
    else telling.move(keyword, given)
  }
  telling.say('A list of entries.')
  return described(
    {
      schema: { ...entries.schema, ...counts },
      isSame: false,
      fits: entries.fits,
      decode: (value, trail) => {
        const map: Record<string, unknown> = {}
        if (Array.isArray(value)) entries.decodeInto(map, value, trail)
        else if (isRecord(value))
          for (const [key, each] of Object.entries(value)) setOwn(map, key, entries.value.decode(each, trail.step([key], [key])))
        else return value
        return map
      },
      encode: (value) => {
        if (isRecord(value)) return entries.encode(Object.entries(value))
        throw new NoEncoding('The value is no object.')
      },
    },
    telling.text,
  )
}
