import { dereference, isRecord, type JsonSchema } from '../json-schema.ts'

/** A schema as the walk needs it: references followed, `allOf` joined, keywords read. */
export interface SchemaNode {
  readonly schema: JsonSchema
  /** Undefined where any type is taken. */
  readonly types: ReadonlySet<string> | undefined
  /** The listed values with their labels; undefined where values are not listed. */
  readonly listed: readonly ListedValue[] | undefined
  /** The options of a union that is more than a list of values. */
  readonly options: readonly JsonSchema[] | undefined
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: ReadonlySet<string>
  /** The schema of other fields; undefined where they are undeclared and dropped. */
  readonly others: JsonSchema | undefined
  /** The schemas of fields by patterns of their names. */
  readonly patterns: readonly (readonly [pattern: string, schema: JsonSchema])[]
  readonly format: string | undefined
  readonly pattern: string | undefined
}

export interface ListedValue {
  readonly value: unknown
  readonly labels: readonly string[]
}

const MOST_REFERENCES = 50

/** Reads the schemas of one root, each once. */
export class NodeReader {
  readonly root: JsonSchema
  readonly #nodes = new WeakMap<JsonSchema, SchemaNode>()

  constructor(root: JsonSchema) {
    this.root = root
  }

  read(schema: JsonSchema): SchemaNode {
    let node = this.#nodes.get(schema)
    if (node === undefined) {
      node = nodeOf(this.#joined(schema, 0))
      this.#nodes.set(schema, node)
    }
    return node
  }

  /** The schema itself with the rules of its references and of `allOf`. Both sides of a field hold. */
  #joined(schema: JsonSchema, depth: number): JsonSchema {
    if (depth > MOST_REFERENCES) return {}
    const target = dereference(schema['$ref'], this.root)
    const parts = [target, ...(Array.isArray(schema['allOf']) ? schema['allOf'] : [])].filter(isRecord)
    if (parts.length === 0) return schema
    let joined: JsonSchema = schema
    for (const part of parts) joined = join(joined, this.#joined(part, depth + 1))
    return joined
  }
}

function join(one: JsonSchema, other: JsonSchema): JsonSchema {
  const joined: Record<string, unknown> = { ...other, ...one }
  const names = [...listOf(one['required']), ...listOf(other['required'])]
  if (names.length > 0) joined['required'] = names
  if (isRecord(one['properties']) && isRecord(other['properties'])) {
    const both = { ...other['properties'], ...one['properties'] }
    for (const name of Object.keys(one['properties'])) {
      const theirs = other['properties'][name]
      if (isRecord(theirs) && isRecord(both[name])) both[name] = { allOf: [both[name], theirs] }
    }
    joined['properties'] = both
  }
  return joined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function nodeOf(schema: JsonSchema): SchemaNode {
  const { type, format, pattern } = schema
  const options = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].filter(isRecord)
  const labelled = options.length > 0 ? labelledValues(options) : undefined
  const listed = ownValues(schema) ?? labelled
  return {
    schema: labelled === undefined ? schema : withDescriptions(schema, options),
    types: typesOf(type, listed),
    listed,
    options: options.length > 0 && labelled === undefined ? options : undefined,
    properties: propertiesOf(schema),
    required: new Set(listOf(schema['required']).filter((each) => typeof each === 'string')),
    others: othersOf(schema),
    patterns: isRecord(schema['patternProperties']) ? Object.entries(schema['patternProperties']).filter(isPattern) : [],
    format: typeof format === 'string' ? format : undefined,
    pattern: typeof pattern === 'string' ? pattern : undefined,
  }
}

/** What an option with several values tells of them holds for the list of all values. */
function withDescriptions(schema: JsonSchema, options: readonly JsonSchema[]): JsonSchema {
  const told = options.flatMap(({ enum: list, description }) =>
    Array.isArray(list) && typeof description === 'string' ? [description] : [],
  )
  return told.length === 0 ? schema : { ...schema, description: [schema['description'] ?? '', ...told].join(' ').trim() }
}

function typesOf(type: unknown, listed: SchemaNode['listed']): ReadonlySet<string> | undefined {
  if (typeof type === 'string') return new Set([type])
  if (Array.isArray(type)) return new Set(type.filter((each) => typeof each === 'string'))
  return listed === undefined ? undefined : new Set(listed.map(({ value }) => (value === null ? 'null' : typeof value)))
}

function ownValues({ const: constant, enum: values, ...schema }: JsonSchema): readonly ListedValue[] | undefined {
  const list = constant !== undefined ? [constant] : Array.isArray(values) ? values : undefined
  if (list === undefined) return undefined
  const names = schema['x-enumNames'] ?? schema['enumNames'] ?? schema['x-enum-varnames']
  return list.map((value, index) => ({ value, labels: [names, schema['enumDescriptions']].flatMap((each) => labelAt(each, index)) }))
}

function labelAt(names: unknown, index: number): readonly string[] {
  const name: unknown = Array.isArray(names) ? names[index] : undefined
  return typeof name === 'string' ? [name] : []
}

/** `oneOf: [{ const: 'p1', title: 'Starter' }]` lists values with labels. */
function labelledValues(options: readonly JsonSchema[]): readonly ListedValue[] | undefined {
  const values: ListedValue[] = []
  for (const { const: constant, enum: list, title, description, type } of options) {
    const labels = [title, description].filter((each) => typeof each === 'string')
    if (constant !== undefined && !isObject(constant)) values.push({ value: constant, labels })
    else if (Array.isArray(list)) values.push(...list.map((value: unknown) => ({ value, labels: list.length === 1 ? labels : [] })))
    else if (type === 'null') values.push({ value: null, labels: [] })
    else return undefined
  }
  return values
}

function isPattern(entry: readonly [string, unknown]): entry is readonly [string, JsonSchema] & [string, unknown] {
  return isRecord(entry[1])
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  if (!isRecord(properties)) return {}
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, isRecord(each) ? each : {}]))
}

function othersOf({ additionalProperties: others, properties, patternProperties }: JsonSchema): JsonSchema | undefined {
  if (isRecord(others)) return others
  if (others === true || isRecord(patternProperties)) return {}
  return others === undefined && !isRecord(properties) ? {} : undefined
}

/** Whether the node takes values of this JSON type. */
export function takes({ types }: SchemaNode, type: string): boolean {
  return types === undefined || types.has(type) || (type === 'integer' && types.has('number'))
}
