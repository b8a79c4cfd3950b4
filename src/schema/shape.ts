import { isComposite } from './json-key.ts'
import { dereference, isRecord, isSameJson, type JsonSchema, someSubschema } from './json-schema.ts'
import { Meter } from './meter.ts'

const MAX_HOPS = 64
const MOST_JOINED = 1000
/** Of an object the tags and the required fields are compared with each option. */
const STEPS_PER_RECORD = 2
const NAMES_PER_STEP = 4

/** A schema that may be anything: what a reference that cannot be followed stands for. */
const ANYTHING: JsonSchema = { additionalProperties: true }

/** Schemas that must all hold (`all`), and lists of options of which one each must hold (`unions`). */
interface Shape {
  readonly all: readonly JsonSchema[]
  readonly unions: readonly (readonly JsonSchema[])[]
}

/** The steps of a look at the options of a union, for any value and more for an object, and whether `const` or `enum` decide. */
interface Looks {
  readonly ofAny: number
  readonly ofRecord: number
  readonly ofValues: boolean
}

/** Reads schemas of one root, with references followed and `allOf` taken apart. Each schema is read once. */
export class ShapeReader {
  readonly #root: JsonSchema
  readonly #shapes = new WeakMap<JsonSchema, Shape>()
  readonly #joined = new Map<string, JsonSchema>()
  readonly #numbers = new WeakMap<JsonSchema, number>()
  readonly #steps = new WeakMap<readonly JsonSchema[], Looks>()
  readonly #tags = new WeakMap<JsonSchema, readonly (readonly [string, JsonSchema])[]>()
  #last = 0
  /** Counts the options that are looked at. */
  readonly meter = new Meter()

  /** Whether a rule compares whole lists. Where none does, all lists could be the same options of a union. */
  readonly comparesLists: boolean

  constructor(root: JsonSchema) {
    this.#root = root
    this.comparesLists = someSubschema(root, ({ const: constant, enum: options }) =>
      [constant, ...(Array.isArray(options) ? options : [])].some((each) => Array.isArray(each)),
    )
  }

  read(schema: JsonSchema): Shape {
    let shape = this.#shapes.get(schema)
    if (shape === undefined) {
      const all: JsonSchema[] = []
      this.#collect(schema, all)
      shape = { all, unions: all.flatMap(unionsOf) }
      this.#shapes.set(schema, shape)
    }
    return shape
  }

  #collect(schema: JsonSchema, all: JsonSchema[]): void {
    if (all.includes(schema) || all.length > MAX_HOPS) return
    all.push(schema)
    if (schema['$ref'] !== undefined) this.#collect(dereference(schema['$ref'], this.#root) ?? ANYTHING, all)
    if (schema['$dynamicRef'] !== undefined) this.#collect(ANYTHING, all)
    for (const part of recordsIn(schema['allOf'])) this.#collect(part, all)
  }

  /** A schema of which all parts, or one of them, must hold. The same parts give the same schema again, so that it is read once. */
  join(keyword: 'allOf' | 'anyOf', parts: readonly JsonSchema[]): JsonSchema | undefined {
    const distinct = new Set(parts.flatMap((part) => this.#partsOfJoined(keyword, part)))
    if (distinct.size <= 1) return parts[0] === undefined ? undefined : [...distinct][0]
    this.meter.spend(distinct.size)
    const key =
      keyword +
      Array.from(distinct, (part) => this.numberOf(part))
        .toSorted((a, b) => a - b)
        .join()
    let joined = this.#joined.get(key)
    if (joined === undefined) {
      joined = { [keyword]: [...distinct] }
      if (this.#joined.size >= MOST_JOINED) this.#joined.clear()
      this.#joined.set(key, joined)
      this.#isJoined.add(joined)
    }
    return joined
  }

  readonly #isJoined = new WeakSet<JsonSchema>()

  #partsOfJoined(keyword: string, part: JsonSchema): readonly JsonSchema[] {
    return this.#isJoined.has(part) && keyword in part ? (part[keyword] as readonly JsonSchema[]) : [part]
  }

  /** Tells schemas apart. */
  numberOf(schema: JsonSchema): number {
    let number = this.#numbers.get(schema)
    if (number === undefined) this.#numbers.set(schema, (number = ++this.#last))
    return number
  }

  /** The options of a union that the value could still be: none that its type, a tag or a missing field rules out. */
  candidates(options: readonly JsonSchema[], value: unknown): readonly JsonSchema[] {
    const { ofAny, ofRecord } = this.#looksAt(options)
    this.meter.spend(isRecord(value) ? ofAny + ofRecord : ofAny)
    const fitting = options.filter((option) => this.#fits(option, value, true))
    if (fitting.length > 0) return fitting
    const tagged = options.filter((option) => this.#fits(option, value, false))
    return tagged.length > 0 ? tagged : options
  }

  /** Whether the candidates for a value that is no object depend on more than its type. */
  looksAtValues(options: readonly JsonSchema[]): boolean {
    return this.#looksAt(options).ofValues
  }

  #looksAt(options: readonly JsonSchema[]): Looks {
    let looks = this.#steps.get(options)
    if (looks === undefined) {
      const all = options.flatMap((option) => this.read(option).all)
      const ofValues = all.some((schema) => 'const' in schema || Array.isArray(schema['enum']))
      looks = { ofAny: sumOf(all, stepsToAllow), ofRecord: sumOf(all, stepsForFields), ofValues }
      this.#steps.set(options, looks)
    }
    return looks
  }

  /** Whether nothing that is read off at once rules this schema out for the value. */
  couldBe(schema: JsonSchema, value: unknown): boolean {
    return this.#fits(schema, value, true)
  }

  #fits(option: JsonSchema, value: unknown, complete: boolean): boolean {
    return this.read(option).all.every((schema) => {
      if (!isOfType(value, schema) || !isAllowed(value, schema) || isExcluded(value, schema['not'])) return false
      return !isRecord(value) || this.#fieldsFit(schema, value, complete)
    })
  }

  #fieldsFit(schema: JsonSchema, value: Readonly<Record<string, unknown>>, complete: boolean): boolean {
    for (const [key, tag] of this.#tagsOf(schema))
      if (Object.hasOwn(value, key) && value[key] !== undefined && !isAllowed(value[key], tag)) return false
    const { required } = schema
    if (!complete || !Array.isArray(required)) return true
    return required.every((key) => typeof key !== 'string' || (Object.hasOwn(value, key) && value[key] !== undefined))
  }

  /** The fields that may take some values only. */
  #tagsOf(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
    let tags = this.#tags.get(schema)
    if (tags === undefined) this.#tags.set(schema, (tags = tagsIn(schema)))
    return tags
  }

  /** Whether a value that is no object or list is allowed by type, `enum` and `const`. A union that is an option of itself allows what its other options do. */
  allows(value: unknown, schema: JsonSchema, within: readonly JsonSchema[] = []): boolean {
    this.meter.spend(1)
    const { all, unions } = this.read(schema)
    if (all.some((each) => within.includes(each))) return false
    if (!all.every((each) => isOfType(value, each) && isAllowed(value, each) && !isExcluded(value, each['not']))) return false
    const here = [...within, ...all]
    return unions.every((options) => options.some((option) => this.allows(value, option, here)))
  }
}

function sumOf(schemas: readonly JsonSchema[], steps: (schema: JsonSchema) => number): number {
  return schemas.reduce((sum, schema) => sum + steps(schema), 0)
}

function stepsToAllow({ enum: values }: JsonSchema): number {
  return 1 + (Array.isArray(values) ? values.filter(isComposite).length : 0)
}

function stepsForFields(schema: JsonSchema): number {
  const { required } = schema
  const names = Array.isArray(required) ? required.length / NAMES_PER_STEP : 0
  return STEPS_PER_RECORD + Math.ceil(names) + tagsIn(schema).reduce((sum, [, tag]) => sum + stepsToAllow(tag), 0)
}

function tagsIn({ properties }: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  if (!isRecord(properties)) return []
  return Object.entries(properties).filter((entry): entry is [string, JsonSchema] => {
    const [, field] = entry
    return isRecord(field) && ('const' in field || Array.isArray(field['enum']))
  })
}

function unionsOf(schema: JsonSchema): (readonly JsonSchema[])[] {
  return [optionsIn(schema['anyOf']), optionsIn(schema['oneOf'])].filter((options) => options.length > 0)
}

function recordsIn(list: unknown): readonly JsonSchema[] {
  return Array.isArray(list) ? list.filter(isRecord) : []
}

/** `true` is an option that takes anything, `false` is none. */
function optionsIn(list: unknown): readonly JsonSchema[] {
  return Array.isArray(list) ? list.map((each: unknown) => (each === true ? {} : each)).filter(isRecord) : []
}

/** `nullable` is OpenAPI's word for a type that null has too. */
function isOfType(value: unknown, { type, nullable }: JsonSchema): boolean {
  if (type === undefined || (value === null && nullable === true)) return true
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  return types.includes(own) || (Number.isInteger(value) && types.includes('integer'))
}

const enums = new WeakMap<readonly unknown[], { readonly all: ReadonlySet<unknown>; readonly composite: readonly unknown[] }>()

/** Whether `const` and `enum` allow a value. */
function isAllowed(value: unknown, schema: JsonSchema): boolean {
  if ('const' in schema && !isSameJson(schema['const'], value)) return false
  const { enum: values } = schema
  if (!Array.isArray(values)) return true
  let known = enums.get(values)
  if (known === undefined) enums.set(values, (known = { all: new Set(values), composite: values.filter(isComposite) }))
  return known.all.has(value) || (isComposite(value) && known.composite.some((each) => isSameJson(each, value)))
}

/** Whether it can be read off at once that a value must not be: `not: {}` excludes all, a type its own. */
function isExcluded(value: unknown, not: unknown): boolean {
  if (!isRecord(not)) return not === true
  return Object.keys(not).every((keyword) => keyword === 'type') && isOfType(value, not)
}
