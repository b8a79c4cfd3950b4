import { isRecord, type JsonSchema } from '../../../schema/json-schema.ts'
import { linearPattern } from '../../../schema/linear-pattern.ts'
import { excerpt, toJsonText } from '../../../schema/quote.ts'
import type { Node, OpenApiDocument } from './openapi-document.ts'
import { Unfit } from './unfit.ts'

/** A request has no fields that only the service may set; a response none that only a client may. */
export type Direction = 'request' | 'response'

/** Words that mean the same in both, with a value of any kind. */
const SAME = [
  'title',
  'description',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
  'deprecated',
  'examples',
  'minContains',
  'maxContains',
  'dependentRequired',
  'contentEncoding',
  'contentMediaType',
] as const

const ONE = [
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const NAMED = ['properties', 'patternProperties', 'dependentSchemas']

/** They give a schema another root, so that a reference inside it means something else. */
const OTHER_ROOTS = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef', '$recursiveAnchor']

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

const LONGEST_DEFAULT = 100

/**
 * Turns schemas of a document into JSON Schema 2020-12. A referred schema is converted once and stays a reference, so that cycles stay cycles
 * and nothing is multiplied.
 */
export class SchemaConverter {
  readonly #document: OpenApiDocument
  readonly #direction: Direction
  /** By reference: its name among the definitions, its schema, and the references in it. */
  readonly #definitions = new Map<string, Definition>()
  readonly #names = new Set<string>()
  /** The references of what is being converted. */
  #seen = new Set<string>()

  constructor(document: OpenApiDocument, direction: Direction) {
    this.#document = document
    this.#direction = direction
  }

  /** A schema with all that it refers to. */
  whole(schema: unknown): JsonSchema {
    const before = this.#seen
    this.#seen = new Set()
    try {
      return withDefinitions(this.convert(schema), this.#reached(this.#seen))
    } finally {
      this.#seen = before
    }
  }

  /** Several schemas inside one, which holds what they refer to. `build` calls `convert`. */
  around(build: () => JsonSchema): JsonSchema {
    const before = this.#seen
    this.#seen = new Set()
    try {
      return withDefinitions(build(), this.#reached(this.#seen))
    } finally {
      this.#seen = before
    }
  }

  convert(schema: unknown): JsonSchema {
    if (schema === true || schema === undefined) return {}
    if (schema === false) return { not: {} }
    if (!isRecord(schema)) throw new Unfit('a schema of it is no object')
    const { $ref: reference } = schema
    if (typeof reference !== 'string') return this.#plain(schema)
    const target = { $ref: `#/$defs/${this.#define(reference)}` }
    const { $ref: _reference, ...beside } = schema
    if (this.#document.isOld) return typeof beside['description'] === 'string' ? { ...target, description: beside['description'] } : target
    return { ...this.#plain(beside), ...target }
  }

  /** The name of a definition; escaping is not needed in it. */
  #define(reference: string): string {
    this.#seen.add(reference)
    const known = this.#definitions.get(reference)
    if (known !== undefined) return known.name
    const target = this.#document.at(reference)
    const definition: Definition = { name: this.#nameOf(reference), schema: {}, references: new Set() }
    this.#definitions.set(reference, definition)
    const before = this.#seen
    this.#seen = definition.references
    try {
      definition.schema = this.convert(target)
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      definition.problem = error
    } finally {
      this.#seen = before
    }
    return definition.name
  }

  #nameOf(reference: string): string {
    const last = decodeURIComponent(reference.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_]/g, '_') || 'schema'
    let name = last
    for (let number = 2; this.#names.has(name); number++) name = `${last}_${number}`
    this.#names.add(name)
    return name
  }

  /** All definitions that can be reached from some references. */
  #reached(references: ReadonlySet<string>): readonly Definition[] {
    const found = new Set<Definition>()
    const open = [...references]
    for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
      const definition = this.#definitions.get(reference)
      if (definition === undefined || found.has(definition)) continue
      if (definition.problem !== undefined) throw definition.problem
      found.add(definition)
      for (const each of definition.references) open.push(each)
    }
    return [...found]
  }

  #plain(schema: Node): JsonSchema {
    const root = OTHER_ROOTS.find((word) => schema[word] !== undefined)
    if (root !== undefined) throw new Unfit(`a schema of it uses ${root}, which is not supported`)
    const made: Record<string, unknown> = {}
    const type = typesOf(schema['type'])
    if (type !== undefined) made['type'] = type
    for (const word of SAME) if (schema[word] !== undefined) made[word] = schema[word]
    for (const word of ONE) if (schema[word] !== undefined) made[word] = this.#one(schema[word], word)
    for (const word of SEVERAL) {
      const list = schema[word]
      if (Array.isArray(list) && list.length > 0) made[word] = list.map((each: unknown) => this.convert(each))
    }
    for (const word of NAMED) if (isRecord(schema[word])) made[word] = this.#named(schema[word])
    this.#dropOtherSide(schema, made)
    tidy(made, schema)
    this.#discriminate(schema, made)
    return this.#document.isOld && schema['nullable'] === true ? nullable(made) : made
  }

  #one(value: unknown, word: string): unknown {
    if (typeof value === 'boolean' && word !== 'items') return value
    if (Array.isArray(value)) return this.convert({ anyOf: value as unknown })
    return this.convert(value)
  }

  #named(given: Node): Node {
    if (Object.hasOwn(given, '__proto__')) throw new Unfit("a schema of it has a field '__proto__'")
    return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, this.convert(each)]))
  }

  /** Fields that only the other side may set are not there, and so not required. */
  #dropOtherSide(schema: Node, made: Record<string, unknown>): void {
    const mark = this.#direction === 'request' ? 'readOnly' : 'writeOnly'
    const { properties } = schema
    if (!isRecord(properties)) return
    const dropped = Object.entries(properties).flatMap(([name, each]) => (this.#isMarked(each, mark) ? [name] : []))
    if (dropped.length === 0) return
    made['properties'] = Object.fromEntries(Object.entries(made['properties'] as Node).filter(([name]) => !dropped.includes(name)))
    if (Array.isArray(made['required'])) made['required'] = made['required'].filter((name) => !dropped.includes(String(name)))
  }

  #isMarked(schema: unknown, mark: string): boolean {
    if (!isRecord(schema)) return false
    if (schema[mark] === true) return true
    if (typeof schema['$ref'] !== 'string') return false
    try {
      return this.#document.follow(schema)[mark] === true
    } catch {
      return false
    }
  }

  /** Each option of a union with a discriminator takes only the values that name it. */
  #discriminate({ discriminator, ...schema }: Node, made: Record<string, unknown>): void {
    if (!isRecord(discriminator) || typeof discriminator['propertyName'] !== 'string') return
    const field = discriminator['propertyName']
    const mapping = isRecord(discriminator['mapping']) ? Object.entries(discriminator['mapping']) : []
    for (const word of ['oneOf', 'anyOf']) {
      const options = schema[word]
      const converted = made[word]
      if (
        !Array.isArray(options) ||
        !Array.isArray(converted) ||
        !options.every((each) => isRecord(each) && typeof each['$ref'] === 'string')
      )
        continue
      made[word] = options.map((option: Node, index) => {
        const reference = String(option['$ref'])
        const last = reference.split('/').at(-1)
        const named = mapping.filter(([, target]) => target === reference || target === last).map(([value]) => value)
        const values = named.length > 0 ? named : [last]
        return { allOf: [converted[index] as unknown, { type: 'object', properties: { [field]: { enum: values } }, required: [field] }] }
      })
    }
  }
}

interface Definition {
  readonly name: string
  schema: JsonSchema
  readonly references: Set<string>
  problem?: Unfit
}

function withDefinitions(schema: JsonSchema, definitions: readonly Definition[]): JsonSchema {
  if (definitions.length === 0) return schema
  const named = definitions.map(({ name, schema: each }) => [name, each] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...schema, $defs: Object.fromEntries(named) }
}

/** A type that does not exist says nothing. */
function typesOf(type: unknown): unknown {
  if (!Array.isArray(type)) return TYPES.has(type) ? type : undefined
  const known = [...new Set(type.filter((each) => TYPES.has(each)))]
  return known.length === 0 ? undefined : known
}

/** Documents in the wild have mistakes in their schemas: what has no meaning is left out. Defaults are told, not filled in. */
function tidy(made: Record<string, unknown>, schema: Node): void {
  for (const word of ['exclusiveMinimum', 'exclusiveMaximum'] as const) {
    const bound = word === 'exclusiveMinimum' ? 'minimum' : 'maximum'
    if (typeof made[word] !== 'boolean') continue
    if (made[word] && typeof made[bound] === 'number') {
      made[word] = made[bound]
      delete made[bound]
    } else delete made[word]
  }
  for (const word of ['title', 'description', 'format', 'pattern', 'contentEncoding', 'contentMediaType'])
    if (made[word] !== undefined && typeof made[word] !== 'string') delete made[word]
  for (const word of ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'])
    if (made[word] !== undefined && typeof made[word] !== 'number') delete made[word]
  if (!(typeof made['multipleOf'] === 'number' && made['multipleOf'] > 0)) delete made['multipleOf']
  for (const word of COUNTS) if (!(Number.isSafeInteger(made[word]) && (made[word] as number) >= 0)) delete made[word]
  if (made['uniqueItems'] !== undefined && typeof made['uniqueItems'] !== 'boolean') delete made['uniqueItems']
  if (!Array.isArray(made['required']) || made['required'].length === 0) delete made['required']
  else made['required'] = [...new Set(made['required'].filter((name) => typeof name === 'string'))]
  if (made['enum'] !== undefined && (!Array.isArray(made['enum']) || made['enum'].length === 0)) delete made['enum']
  if (made['examples'] !== undefined && !Array.isArray(made['examples'])) delete made['examples']
  if (made['deprecated'] !== undefined && typeof made['deprecated'] !== 'boolean') delete made['deprecated']
  if (typeof made['pattern'] === 'string' && !runs(made['pattern'])) {
    describe(made, `Pattern: ${excerpt(made['pattern'], LONGEST_DEFAULT)}`)
    delete made['pattern']
  }
  if (schema['default'] !== undefined) describe(made, `Default: ${excerpt(toJsonText(schema['default']), LONGEST_DEFAULT)}.`)
}

const COUNTS = ['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties', 'minContains', 'maxContains']

function describe(made: Record<string, unknown>, sentence: string): void {
  const said = typeof made['description'] === 'string' ? made['description'].trim() : ''
  made['description'] = said === '' ? sentence : `${said} ${sentence}`
}

/** Patterns in the wild are those of other languages too. */
function runs(pattern: string): boolean {
  try {
    linearPattern(pattern)
    return true
  } catch {
    return false
  }
}

/** `nullable` of 3.0: the value may also be null. */
function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  const { description, title, ...rest } = schema
  if (typeof type === 'string' && schema['allOf'] === undefined && schema['oneOf'] === undefined && schema['anyOf'] === undefined)
    return {
      ...schema,
      type: [type, 'null'],
      ...(Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}),
    }
  if (Object.keys(rest).length === 0) return schema
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    anyOf: [rest, { type: 'null' }],
  }
}
