import { isRecord, isSameJson, type JsonSchema } from '../json-schema.ts'

/** Two schemas of which a value must fit both, as one. `false` takes nothing. */
export type Merged = JsonSchema | false

/** Keywords of which the larger, or the smaller, of two holds. */
const LARGER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const SMALLER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const MOST_PAIRS = 16

/** Handled together below. */
const SHAPE: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'patternProperties', 'items', 'prefixItems'],
  ...['unevaluatedProperties', 'description', 'title', 'default'],
])

/** Rules that cannot be put together stand here, each with its keyword: they are told and enforced, but not expressed. */
export const LEFT_OVER = Symbol('leftOver')

/** A rule that could not be put together with another of its keyword. */
export interface LeftOver {
  readonly keyword: string
  readonly value: unknown
}

/** The rules of a merged schema that it does not express. */
export function leftOversOf(schema: JsonSchema): readonly LeftOver[] {
  return ((schema as Record<symbol, unknown>)[LEFT_OVER] as readonly LeftOver[] | undefined) ?? []
}

/** Merges by keyword. References and `allOf` must be gone. */
export function mergeSchemas(a: Merged, b: Merged): Merged {
  if (a === false || b === false) return false
  const type = commonTypes(a['type'], b['type'])
  const options = commonOptions(a, b)
  if (type === false || options === false) return false
  const leftOver: LeftOver[] = [...leftOversOf(a), ...leftOversOf(b)]
  const merged: Record<string, unknown> = { ...texts(a, b), ...type, ...options, ...fieldsOf(a, b), ...itemsOf(a, b, leftOver) }
  for (const keyword of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (SHAPE.has(keyword)) continue
    if (!(keyword in a) || !(keyword in b)) merged[keyword] = keyword in a ? a[keyword] : b[keyword]
    else merged[keyword] = together(keyword, [a[keyword], b[keyword]], leftOver)
  }
  return leftOver.length === 0 ? merged : Object.assign(merged, { [LEFT_OVER]: leftOver })
}

function together(keyword: string, [a, b]: readonly [unknown, unknown], leftOver: LeftOver[]): unknown {
  if (isSameJson(a, b)) return a
  if (LARGER.includes(keyword)) return Math.max(Number(a), Number(b))
  if (SMALLER.includes(keyword)) return Math.min(Number(a), Number(b))
  if (keyword === 'uniqueItems') return a === true || b === true
  // Of two unions, every pair of options. Those that contradict each other are dropped later.
  if (keyword === 'anyOf' && Array.isArray(a) && Array.isArray(b) && a.length * b.length <= MOST_PAIRS)
    return a.flatMap((one) => (b as readonly unknown[]).map((other) => ({ allOf: [one, other] })))
  leftOver.push({ keyword, value: b })
  return a
}

function texts(a: JsonSchema, b: JsonSchema): JsonSchema {
  const both = ['title', 'description'].flatMap((keyword) => {
    const found = [...new Set([a[keyword], b[keyword]].filter((each) => typeof each === 'string'))]
    return found.length === 0 ? [] : [[keyword, found.join(' ')]]
  })
  const standard = 'default' in a ? { default: a['default'] } : 'default' in b ? { default: b['default'] } : {}
  return { ...Object.fromEntries(both), ...standard }
}

function commonTypes(a: unknown, b: unknown): JsonSchema | false {
  if (a === undefined || b === undefined) return a === undefined && b === undefined ? {} : { type: a ?? b }
  const [left, right] = [listOf(a), listOf(b)]
  const takes = (list: readonly unknown[], type: unknown): boolean => list.includes(type) || (type === 'integer' && list.includes('number'))
  const common = [...new Set([...left.filter((each) => takes(right, each)), ...right.filter((each) => takes(left, each))])]
  return common.length === 0 ? false : { type: common.length === 1 ? common[0] : common }
}

function listOf(types: unknown): readonly unknown[] {
  return Array.isArray(types) ? types : [types]
}

/** The values that a schema lists. */
export function optionsOf(schema: JsonSchema): readonly unknown[] | undefined {
  const { enum: options } = schema
  const listed = Array.isArray(options) ? (options as readonly unknown[]) : undefined
  if (!('const' in schema)) return listed
  const constant = schema['const']
  return listed === undefined || listed.some((each) => isSameJson(each, constant)) ? [constant] : []
}

function commonOptions(a: JsonSchema, b: JsonSchema): JsonSchema | false {
  const [left, right] = [optionsOf(a), optionsOf(b)]
  const common = left?.filter((each) => right === undefined || right.some((other) => isSameJson(each, other))) ?? right
  if (common === undefined) return {}
  return common.length === 0 ? false : { enum: common }
}

function fieldsOf(a: JsonSchema, b: JsonSchema): JsonSchema {
  const [left, right] = [fields(a), fields(b)]
  const properties: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])) {
    const parts = [fieldSchema(a, left, name), fieldSchema(b, right, name)].filter((each) => each !== undefined)
    Object.defineProperty(properties, name, { value: parts.length === 1 ? parts[0] : { allOf: parts }, enumerable: true })
  }
  const required = new Set([a['required'], b['required']].flatMap((each) => (Array.isArray(each) ? (each as readonly unknown[]) : [])))
  const rest = [closure(a), closure(b)].filter((each) => each !== undefined)
  const patterns = [a['patternProperties'], b['patternProperties']].filter(isRecord)
  return {
    ...(left === undefined && right === undefined ? {} : { properties }),
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(rest.length === 0 ? {} : { additionalProperties: rest.length === 1 ? rest[0] : rest.includes(false) ? false : { allOf: rest } }),
    ...(patterns.length === 0 ? {} : { patternProperties: patterns.reduce(bothOf) }),
  }
}

/** The schemas of both, under one name as one. */
function bothOf(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const twice = Object.keys(b).filter((name) => Object.hasOwn(a, name))
  return { ...a, ...b, ...Object.fromEntries(twice.map((name) => [name, { allOf: [a[name], b[name]] }])) }
}

function fields({ properties }: JsonSchema): Readonly<Record<string, unknown>> | undefined {
  return isRecord(properties) ? properties : undefined
}

/** What a schema says of one property, be it declared or not. */
function fieldSchema(schema: JsonSchema, known: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  if (known !== undefined && Object.hasOwn(known, name)) return known[name]
  // A pattern may allow it; validation says.
  return isRecord(schema['patternProperties']) ? undefined : schema['additionalProperties']
}

/** What a schema says of undeclared properties. */
export function closure(schema: JsonSchema): unknown {
  const { additionalProperties, unevaluatedProperties } = schema
  return additionalProperties ?? (unevaluatedProperties === undefined ? undefined : unevaluatedProperties)
}

function itemsOf(a: JsonSchema, b: JsonSchema, leftOver: LeftOver[]): JsonSchema {
  const tuple = a['prefixItems'] ?? b['prefixItems']
  if (tuple === undefined) {
    const parts = [a['items'], b['items']].filter((each) => each !== undefined)
    return parts.length === 0 ? {} : { items: parts.length === 1 ? parts[0] : { allOf: parts } }
  }
  const [first, second] = a['prefixItems'] === undefined ? [b, a] : [a, b]
  for (const keyword of ['prefixItems', 'items']) if (keyword in second) leftOver.push({ keyword, value: second[keyword] })
  return { prefixItems: tuple, ...('items' in first ? { items: first['items'] } : {}) }
}
