import { isRecord, type JsonSchema } from '../json-schema.ts'
import type { Case } from './case.ts'
import { type Answer, matches, type Scalar } from './judge.ts'
import { ANYTHING, isAnything, isBareType, largest, schemaOf, schemasIn, smallest } from './keywords.ts'

/** How the schemas inside a case are read. */
interface Reading {
  readonly cases: (schema: JsonSchema) => readonly Case[]
  readonly allOf: (list: readonly JsonSchema[]) => JsonSchema
  readonly judge: (value: Scalar, schema: JsonSchema) => Answer
}

/** A rule for all fields whose name matches. */
interface NamePattern {
  readonly source: string
  readonly schema: JsonSchema
}

/** What a case says about the fields of an object. */
export class Fields {
  readonly #parts: readonly JsonSchema[]
  readonly #reader: Reading
  /** The names under `properties`. */
  readonly keys: ReadonlySet<string>
  readonly required: ReadonlySet<string>
  readonly patterns: readonly NamePattern[]
  /** By name of a field, the names that it asks for. */
  readonly dependencies: readonly (readonly [key: string, needed: readonly string[]])[]
  /** At least and at most so many fields. */
  readonly least: number
  readonly most: number
  /** A typed tool with this schema drops the fields that it does not declare. */
  readonly isClosing: boolean
  /** What fields must be that nothing else is said about. */
  readonly rest: JsonSchema
  /** What the names of fields must be. */
  readonly names: JsonSchema
  /** All names that a field can have, where `propertyNames` lists them. */
  readonly listedNames: readonly string[] | undefined
  /** The fields of a schema that says no more of them: most are like that. */
  readonly #plain: Readonly<Record<string, unknown>> | undefined
  #known: Map<string, JsonSchema> | undefined

  constructor(parts: readonly JsonSchema[], reader: Reading) {
    this.#parts = parts
    this.#reader = reader
    this.#plain = plainFields(parts)
    this.keys = new Set(parts.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])))
    this.required = new Set(parts.flatMap(({ required }) => namesIn(required)))
    this.patterns = entriesOf(parts, 'patternProperties').map(([source, schema]) => ({ source, schema: schemaOf(schema) }))
    this.dependencies = entriesOf(parts, 'dependentRequired').map(([key, needed]) => [key, namesIn(needed)])
    this.least = largest(parts, 'minProperties', 0)
    this.most = smallest(parts, 'maxProperties')
    this.isClosing = parts.some(({ properties }) => isRecord(properties)) && !parts.some(isOpen)
    this.rest = reader.allOf(schemasUnder(parts, 'additionalProperties'))
    this.names = reader.allOf(schemasUnder(parts, 'propertyNames'))
    this.listedNames = isAnything(this.names) ? undefined : listed(reader.cases(this.names))
  }

  /** What a field of this name must be. */
  field(key: string): JsonSchema {
    if (this.#plain !== undefined) return Object.hasOwn(this.#plain, key) ? schemaOf(this.#plain[key]) : this.rest
    const known = (this.#known ??= new Map())
    let schema = known.get(key)
    if (schema === undefined) {
      schema = this.#reader.allOf(this.#parts.flatMap((part) => said(part, key)))
      known.set(key, schema)
    }
    return schema
  }

  presenceOf(key: string): 'always' | 'maybe' | 'never' {
    if (this.required.has(key)) return 'always'
    const field = this.field(key)
    if (this.most === 0 || (!isBareType(field) && this.#reader.cases(field).length === 0)) return 'never'
    return this.takesName(key) === 'no' ? 'never' : 'maybe'
  }

  takesName(key: string): Answer {
    return isAnything(this.names) ? 'yes' : this.#reader.judge(key, this.names)
  }

  /** What declares a field of this name, so that it is not dropped; undefined where nothing does. */
  declaration(key: string): JsonSchema | undefined {
    if (this.#plain !== undefined && isRecord(this.#plain[key]) && Object.hasOwn(this.#plain, key)) return this.#plain[key]
    const declared = this.#parts.flatMap((part) => declaredBy(part, key))
    return declared.length === 0 ? undefined : this.#reader.allOf(declared)
  }

  /** What is filled in where the field is missing. */
  defaultOf(key: string): { readonly value: unknown } | undefined {
    for (const { properties } of this.#parts) {
      const schema = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
      if (isRecord(schema) && 'default' in schema) return { value: schema['default'] }
    }
    return undefined
  }

  /** `const` or `enum` stand right under the name. */
  isTag(key: string): boolean {
    return this.#parts.some(({ properties }) => {
      const schema = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
      return isRecord(schema) && ('const' in schema || 'enum' in schema)
    })
  }
}

const BESIDE_FIELDS = ['patternProperties', 'if', 'dependentSchemas']

function plainFields(parts: readonly JsonSchema[]): Readonly<Record<string, unknown>> | undefined {
  const [only] = parts
  if (parts.length !== 1 || !isRecord(only?.['properties'])) return undefined
  return BESIDE_FIELDS.some((keyword) => only[keyword] !== undefined) ? undefined : only['properties']
}

function isOpen(part: JsonSchema): boolean {
  return (part['additionalProperties'] ?? false) !== false || (part['unevaluatedProperties'] ?? false) !== false
}

function said(part: JsonSchema, key: string): readonly JsonSchema[] {
  const found = [...named(part, key), ...matching(part, key)]
  const other = part['additionalProperties']
  return found.length > 0 || other === undefined ? found : [schemaOf(other)]
}

/** The part, as a typed tool reads it, speaks of the field. */
export function declares(part: JsonSchema, key: string): boolean {
  return declaredBy(part, key).length > 0
}

/** As a typed tool reads its schema: a rule for all other fields counts if it says something, a condition counts always. */
function declaredBy(part: JsonSchema, key: string): readonly JsonSchema[] {
  const { additionalProperties: other, required, dependentSchemas } = part
  const own = isRecord(part['properties']) && Object.hasOwn(part['properties'], key) && part['properties'][key] === false
  const found = [...(own ? [] : named(part, key)), ...matching(part, key)]
  if (found.length === 0 && isRecord(other) && Object.keys(other).length > 0) found.push(other)
  const conditions = [part['if'], part['then'], part['else'], ...(isRecord(dependentSchemas) ? Object.values(dependentSchemas) : [])]
  for (const condition of conditions) if (isRecord(condition)) found.push(...declaredBy(condition, key))
  return found.length === 0 && Array.isArray(required) && required.includes(key) ? [{}] : found
}

function named({ properties }: JsonSchema, key: string): JsonSchema[] {
  return isRecord(properties) && Object.hasOwn(properties, key) ? [schemaOf(properties[key])] : []
}

function matching({ patternProperties }: JsonSchema, key: string): JsonSchema[] {
  if (!isRecord(patternProperties)) return []
  return Object.entries(patternProperties).flatMap(([source, schema]) => (matches(source, key) === 'no' ? [] : [schemaOf(schema)]))
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
}

function entriesOf(parts: readonly JsonSchema[], keyword: string): readonly (readonly [string, unknown])[] {
  return parts.flatMap((part) => (isRecord(part[keyword]) ? Object.entries(part[keyword]) : []))
}

function schemasUnder(parts: readonly JsonSchema[], keyword: string): readonly JsonSchema[] {
  return parts.flatMap((part) => (part[keyword] === undefined ? [] : [schemaOf(part[keyword])]))
}

function listed(cases: readonly Case[]): readonly string[] | undefined {
  if (cases.some((each) => each.values === undefined)) return undefined
  return cases.flatMap((each) => namesIn(each.values))
}

/** What a case says about the items of an array. */
export class Items {
  readonly #parts: readonly JsonSchema[]
  readonly #reader: Reading
  /** So many items have a schema of their own. */
  readonly prefixLength: number
  readonly least: number
  /** What allows no item ends the array. */
  readonly most: number
  readonly isUnique: boolean
  /** Missing items may be filled in. */
  readonly hasDefaults: boolean
  readonly #known: JsonSchema[] = []

  constructor(parts: readonly JsonSchema[], reader: Reading) {
    this.#parts = parts
    this.#reader = reader
    this.prefixLength = Math.max(0, ...parts.map((part) => prefixOf(part).length))
    this.least = largest(parts, 'minItems', 0)
    this.most = Math.min(this.#end, smallest(parts, 'maxItems'))
    this.isUnique = parts.some(({ uniqueItems }) => uniqueItems === true)
    this.hasDefaults = parts.some(({ items }) => schemasIn(items).some((each) => 'default' in each))
  }

  /** What the item at an index must be. */
  item(index: number): JsonSchema {
    const at = Math.min(index, this.prefixLength)
    return (this.#known[at] ??= this.#reader.allOf(this.#parts.map((part) => itemOf(part, at))))
  }

  get #end(): number {
    for (let index = 0; index <= this.prefixLength; index++) {
      if (this.#reader.cases(this.item(index)).length === 0) return index
    }
    return Infinity
  }
}

/** 2020-12 has `prefixItems`, before that a tuple was a list under `items`. */
function prefixOf({ prefixItems, items }: JsonSchema): readonly JsonSchema[] {
  return schemasIn(Array.isArray(prefixItems) ? prefixItems : items)
}

function itemOf(part: JsonSchema, index: number): JsonSchema {
  const own = prefixOf(part)[index]
  if (own !== undefined) return own
  return schemaOf((Array.isArray(part['items']) ? part['additionalItems'] : part['items']) ?? ANYTHING)
}
