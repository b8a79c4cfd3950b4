import { isRecord, type JsonSchema, someSubschema } from '../../schema/json-schema.ts'
import { ShapeReader } from '../../schema/shape.ts'
import { ApplyingSchemas, TAKES_TOO_LONG } from './applying-schemas.ts'
import { hasPatterns, NamePatterns } from './name-patterns.ts'
import { SchemaReferences } from './schema-references.ts'
import { isCredentialName, isSensitiveName } from './sensitive-name.ts'
import { silentSchemas } from './silent-schemas.ts'
import { NotShowable } from './walk.ts'

/** The schemas that describe one value. */
export class Described {
  readonly schemas: readonly JsonSchema[]
  /** What the schemas say: a secret, no secret, or undefined if they do not say. */
  readonly isDeclared: boolean | undefined
  /** Whether the schemas say anything of the value. */
  readonly isEmpty: boolean
  /** Of the fields and items that all values of these schemas share. */
  readonly known = new Map<string | number, Described>()

  constructor(schemas: readonly JsonSchema[]) {
    this.schemas = schemas
    this.isEmpty = schemas.every((schema) => Object.keys(schema).length === 0)
    const said = schemas.flatMap(declaration)
    this.isDeclared = said.length === 0 ? undefined : said.includes(true)
  }

  /** A value is a secret when its schema says so, or else when its name does. */
  isSecret(name?: string): boolean {
    return this.isDeclared ?? (name !== undefined && isSensitiveName(name))
  }

  /** Whether the names of the fields are secrets themselves. */
  get hidesNames(): boolean {
    return this.schemas.some(({ propertyNames }) => isRecord(propertyNames) && declaration(propertyNames).includes(true))
  }

  /** Whether a schema lists a field of this name. */
  lists(key: string): boolean {
    return this.schemas.some(({ properties }) => isRecord(properties) && Object.hasOwn(properties, key))
  }
}

export const UNDESCRIBED = new Described([])

/** The keys of what all other fields and all other items share. Names of fields are kept with a letter before them. */
const OTHER_FIELDS = 'o'
const OTHER_ITEMS = 'i'

/**
 * Reads off a schema which values are secrets, through references and all applicators. `not` is left out: it describes no value.
 * Without `isExact`, a schema counts if it describes a value in any case; with it, only the options of a union, the branches of a condition
 * and the dependent schemas that apply to the value. Where that cannot be decided, those that the value could fit.
 */
export class SecretFields {
  readonly #root: JsonSchema
  readonly #references: SchemaReferences
  readonly #exact: Exact | undefined
  readonly #patterns: NamePatterns
  #described: Described | undefined
  #secretNames: ReadonlySet<string> | undefined

  constructor(root: JsonSchema, isExact = false) {
    this.#root = root
    this.#references = new SchemaReferences(root)
    this.#patterns = new NamePatterns(root)
    this.#exact = isExact ? exactOf(root, this.#references) : undefined
  }

  root(value: unknown): Described {
    this.#patterns.start(value)
    if (this.#exact !== undefined) return this.#expand([this.#root], value)
    return (this.#described ??= this.#expand([this.#root], undefined))
  }

  /** Whether a field is a secret. A field in a place that the schema does not describe is one if a field of its name is, anywhere in the schema. */
  isSecret(described: Described, name: string | undefined): boolean {
    if (described.isDeclared !== undefined || name === undefined || !described.isEmpty) return described.isSecret(name)
    return described.isSecret(name) || (this.#secretNames ??= declaredNames(this.#root)).has(name)
  }

  field(described: Described, key: string, value: unknown): Described {
    if (described.schemas.length === 0) return UNDESCRIBED
    const name = described.lists(key) ? `p${key}` : described.schemas.some(hasPatterns) ? undefined : OTHER_FIELDS
    return this.#shared(described, name, {
      value,
      of: () => fieldSchemas(described.schemas, key, (pattern) => this.#isMatch(pattern, key)),
    })
  }

  item(described: Described, index: number, value: unknown): Described {
    if (described.schemas.length === 0) return UNDESCRIBED
    const longest = described.schemas.reduce((most, schema) => Math.max(most, prefixOf(schema).length), 0)
    const isContained = (contains: JsonSchema): boolean => this.#exact === undefined || couldApply(this.#exact, contains, value)
    const of = (): readonly unknown[] => itemSchemas(described.schemas, index, isContained)
    return this.#shared(described, index < longest ? index : OTHER_ITEMS, { value, of })
  }

  /** Undefined where it takes too long to find out: a log then hides by both answers. To guess would let padding hide a field from a person. */
  #isMatch(pattern: string, key: string): boolean | undefined {
    const isMatch = this.#patterns.matches(pattern, key)
    if (isMatch === undefined && this.#exact !== undefined) throw new NotShowable(TAKES_TOO_LONG)
    return isMatch
  }

  /** The same for all values, unless the value decides. */
  #shared(described: Described, name: string | number | undefined, { value, of }: Wanted): Described {
    if (this.#exact !== undefined || name === undefined) return this.#expand(of(), value)
    let found = described.known.get(name)
    if (found === undefined) described.known.set(name, (found = this.#expand(of(), undefined)))
    return found
  }

  #expand(given: readonly unknown[], value: unknown): Described {
    const found = new Set<JsonSchema>()
    const left = [...given]
    while (left.length > 0) {
      const schema = left.pop()
      if (!isRecord(schema) || found.has(schema) || this.#exact?.silent.has(schema) === true) continue
      found.add(schema)
      left.push(...this.#references.of(schema), ...listOf(schema['allOf']), ...this.#chosen(schema, value))
    }
    return found.size === 0 ? UNDESCRIBED : new Described([...found])
  }

  #chosen(schema: JsonSchema, value: unknown): readonly unknown[] {
    const { anyOf, oneOf, if: condition, then, else: otherwise } = schema
    const dependent = Object.entries({ ...dependents(schema['dependencies']), ...dependents(schema['dependentSchemas']) })
    const exact = this.#exact
    if (exact === undefined)
      return [...listOf(anyOf), ...listOf(oneOf), condition, then, otherwise, ...dependent.map(([, each]) => each)].filter(isRecord)
    return [
      ...optionsFor(exact, listOf(anyOf), value),
      ...optionsFor(exact, listOf(oneOf), value),
      ...branchesFor(exact, schema, value),
      ...dependent.flatMap(([key, each]) => (isRecord(value) && Object.hasOwn(value, key) ? [each] : [])),
    ].filter(isRecord)
  }
}

/** Decides by a value. The reader has a short look, which is all there is where the engine cannot decide. */
interface Exact {
  readonly reader: ShapeReader
  readonly applying: ApplyingSchemas
  /** Schemas of which it need not be decided whether they apply. */
  readonly silent: ReadonlySet<unknown>
  /** Whether the engine accepts nothing that the short look rules out. */
  readonly isLookSound: boolean
}

function exactOf(root: JsonSchema, references: SchemaReferences): Exact {
  const silent = silentSchemas(root, { referred: (schema) => references.of(schema), speaks })
  return { reader: new ShapeReader(root), applying: new ApplyingSchemas(root), silent, isLookSound: references.isOneResource }
}

/** Whether a schema declares a secret or none, or lists a field under the name of a credential. */
function speaks(schema: JsonSchema): boolean {
  return declaration(schema).length > 0 || Object.keys(dependents(schema['properties'])).some(isCredentialName)
}

function couldApply({ reader, applying, silent }: Exact, schema: JsonSchema, value: unknown): boolean {
  return !silent.has(schema) && (applying.accepts(schema, value) ?? reader.couldBe(schema, value))
}

function optionsFor(exact: Exact, options: readonly unknown[], value: unknown): readonly JsonSchema[] {
  const { reader, applying, silent, isLookSound } = exact
  const schemas = options.filter(isRecord)
  if (schemas.every((each) => silent.has(each))) return []
  const likely = reader.candidates(schemas, value)
  if (!isLookSound || options.includes(true)) return applying.options(options, likely, value)
  // A check of the only option would cost a walk through all of the value at each level, and change nothing.
  return likely.length === 1 || likely.every((each) => silent.has(each)) ? likely : applying.options(likely, likely, value)
}

function branchesFor(exact: Exact, { if: condition, then, else: otherwise }: JsonSchema, value: unknown): readonly unknown[] {
  const { reader, applying, silent } = exact
  if (!isRecord(condition)) return condition === true ? [then] : condition === false ? [otherwise] : [then, otherwise]
  if ([condition, then, otherwise].every((each) => !isRecord(each) || silent.has(each))) return []
  const holds = applying.accepts(condition, value)
  if (holds === undefined) return reader.couldBe(condition, value) ? [condition, then, otherwise] : [otherwise]
  return holds ? [condition, then] : [otherwise]
}

interface Wanted {
  readonly value: unknown
  readonly of: () => readonly unknown[]
}

/** Additional fields are those that the same schema does not name; unevaluated ones those that no schema of the value names. */
function fieldSchemas(schemas: readonly JsonSchema[], key: string, isMatch: (pattern: string) => boolean | undefined): readonly unknown[] {
  const found: unknown[] = []
  let isEvaluated = false
  for (const schema of schemas) {
    const { properties, additionalProperties } = schema
    let isNamed = isRecord(properties) && Object.hasOwn(properties, key)
    if (isNamed) found.push((properties as Readonly<Record<string, unknown>>)[key])
    for (const [pattern, each] of Object.entries(dependents(schema['patternProperties']))) {
      const answer = isMatch(pattern)
      if (answer !== false) found.push(each)
      isNamed ||= answer === true
    }
    isEvaluated ||= isNamed || additionalProperties !== undefined
    if (!isNamed) found.push(additionalProperties)
  }
  if (!isEvaluated) found.push(...schemas.map(({ unevaluatedProperties }) => unevaluatedProperties))
  return found
}

/** `contains` describes the items that fit it. */
function itemSchemas(schemas: readonly JsonSchema[], index: number, isContained: (contains: JsonSchema) => boolean): readonly unknown[] {
  const found: unknown[] = []
  let isEvaluated = false
  for (const schema of schemas) {
    const { items, additionalItems, contains } = schema
    const prefix = prefixOf(schema)
    const own: unknown = index < prefix.length ? prefix[index] : Array.isArray(items) ? additionalItems : items
    isEvaluated ||= own !== undefined
    found.push(own)
    if (isRecord(contains) && isContained(contains)) found.push(contains)
  }
  if (!isEvaluated) found.push(...schemas.map(({ unevaluatedItems }) => unevaluatedItems))
  return found
}

/** The items with schemas of their own: `prefixItems`, or a list in `items` as draft-07 writes it. */
function prefixOf({ prefixItems, items }: JsonSchema): readonly unknown[] {
  return Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
}

function dependents(named: unknown): Readonly<Record<string, unknown>> {
  return isRecord(named) ? named : {}
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}

/** The names of the fields that are declared as secrets, anywhere in a schema. */
function declaredNames(root: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>()
  someSubschema(root, ({ properties }) => {
    for (const [name, each] of Object.entries(dependents(properties)))
      if (isRecord(each) && declaration(each).includes(true)) names.add(name)
    return false
  })
  return names
}

function declaration({ sensitive, writeOnly, format }: JsonSchema): readonly boolean[] {
  const said = [sensitive, writeOnly].filter((each) => typeof each === 'boolean')
  return format === 'password' && sensitive !== false ? [...said, true] : said
}

const logged = new WeakMap<JsonSchema, SecretFields>()

/** The fields that a log hides by a schema. A schema that cannot change is read once. */
export function secretFieldsOf(schema: JsonSchema): SecretFields {
  if (!Object.isFrozen(schema)) return new SecretFields(schema)
  let fields = logged.get(schema)
  if (fields === undefined) logged.set(schema, (fields = new SecretFields(schema)))
  return fields
}
