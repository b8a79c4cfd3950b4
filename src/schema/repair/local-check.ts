import { dereference, isRecord, isSameJson, type JsonSchema } from '../json-schema.ts'
import { linearPattern } from '../linear-pattern.ts'
import { Meter, TooCostly } from '../meter.ts'
import { fitsFormat } from './text-formats.ts'

const MOST_CHECKS = 100_000
const DEEPEST = 120
/** Texts of no format. */
const NO_FORMAT = ['a', '0', 'abc', 'A b', 'x'.repeat(36), 'https://', 'a@b c', 'https://a b', 'http://a b']

/**
 * Whether parts of an input fit parts of the schema. It directs the walk, so that a healthy part is never changed; the tool's own
 * validation judges the whole. Every pair of an object and a schema is checked once. Throws TooCostly after too many checks.
 */
export class LocalCheck {
  readonly #root: JsonSchema
  readonly #meter = new Meter()
  readonly #known = new WeakMap<object, Map<JsonSchema, boolean>>()
  readonly #whole = new Map<string, boolean>()
  #left = MOST_CHECKS

  constructor(root: JsonSchema) {
    this.#root = root
    this.#meter.start(0, 'own')
  }

  fits(schema: JsonSchema, value: unknown, depth = 0): boolean {
    if (--this.#left < 0 || depth > DEEPEST) throw new TooCostly()
    if (typeof value !== 'object' || value === null) return this.#fitsHere(schema, value, depth)
    let ofValue = this.#known.get(value)
    if (ofValue === undefined) this.#known.set(value, (ofValue = new Map()))
    let fits = ofValue.get(schema)
    if (fits === undefined) {
      // A schema that refers to itself without going deeper adds nothing.
      ofValue.set(schema, true)
      fits = this.#fitsHere(schema, value, depth)
      ofValue.set(schema, fits)
    }
    return fits
  }

  #fitsHere(schema: JsonSchema, value: unknown, depth: number): boolean {
    const { $ref: reference, const: constant, enum: listed } = schema
    if (!hasType(schema['type'], value)) return false
    if (constant !== undefined && !isSameJson(constant, value)) return false
    if (Array.isArray(listed) && !listed.some((each) => isSameJson(each, value))) return false
    if (reference !== undefined) {
      const target = dereference(reference, this.#root)
      if (target !== undefined && !this.fits(target, value, depth + 1)) return false
    }
    if (!this.#fitsParts(schema, value, depth)) return false
    if (typeof value === 'number') return fitsNumber(schema, value)
    if (typeof value === 'string') return this.#fitsText(schema, value)
    if (Array.isArray(value)) return this.#fitsList(schema, value, depth)
    return isRecord(value) ? this.#fitsFields(schema, value, depth) : true
  }

  #fitsParts(schema: JsonSchema, value: unknown, depth: number): boolean {
    const { allOf, anyOf, oneOf, not } = schema
    const is = (each: unknown): boolean => (isRecord(each) ? this.fits(each, value, depth + 1) : each !== false)
    if (Array.isArray(allOf) && !allOf.every(is)) return false
    if (Array.isArray(anyOf) && !anyOf.some(is)) return false
    if (Array.isArray(oneOf) && oneOf.filter(is).length !== 1) return false
    if (isRecord(not) && is(not)) return false
    if (isRecord(schema['if'])) return is(is(schema['if']) ? (schema['then'] ?? true) : (schema['else'] ?? true))
    return true
  }

  #fitsText({ minLength, maxLength, pattern, format }: JsonSchema, text: string): boolean {
    if (typeof minLength === 'number' && lengthOf(text) < minLength) return false
    if (typeof maxLength === 'number' && lengthOf(text) > maxLength) return false
    if (typeof pattern === 'string' && !this.matches(pattern, text)) return false
    if (typeof format !== 'string' || fitsFormat(text, format)) return true
    // Libraries write a pattern beside a format that says all about it, and may take more than the format does.
    return typeof pattern === 'string' && this.#isWhole(pattern, format)
  }

  /** Whether a pattern describes a whole format. One that takes any word describes a part of it. */
  #isWhole(pattern: string, format: string): boolean {
    let isWhole = this.#whole.get(`${format} ${pattern}`)
    if (isWhole === undefined) {
      isWhole = !NO_FORMAT.some((text) => this.matches(pattern, text))
      this.#whole.set(`${format} ${pattern}`, isWhole)
    }
    return isWhole
  }

  /** A pattern that cannot be run matches nothing: the whole is judged later anyway. */
  matches(pattern: string, text: string): boolean {
    try {
      return linearPattern(pattern).test(text, this.#meter)
    } catch (error) {
      if (error instanceof TooCostly) throw error
      return false
    }
  }

  #fitsList(schema: JsonSchema, list: readonly unknown[], depth: number): boolean {
    const { minItems, maxItems, prefixItems, items, uniqueItems, contains } = schema
    if (typeof minItems === 'number' && list.length < minItems) return false
    if (typeof maxItems === 'number' && list.length > maxItems) return false
    const places: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : []
    for (const [index, each] of list.entries()) {
      const item: unknown = index < places.length ? places[index] : items
      if (isRecord(item) ? !this.fits(item, each, depth + 1) : item === false) return false
    }
    if (isRecord(contains) && !list.some((each) => this.fits(contains, each, depth + 1))) return false
    return uniqueItems !== true || new Set(list.map((each) => JSON.stringify(each))).size === list.length
  }

  #fitsFields(schema: JsonSchema, value: Readonly<Record<string, unknown>>, depth: number): boolean {
    const { properties, required, additionalProperties: others, patternProperties, propertyNames } = schema
    if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, String(name)))) return false
    for (const [name, each] of Object.entries(value)) {
      if (isRecord(propertyNames) && !this.fits(propertyNames, name, depth + 1)) return false
      let isDeclared = false
      const is = (field: unknown): boolean => {
        isDeclared = true
        return isRecord(field) ? this.fits(field, each, depth + 1) : field !== false
      }
      if (isRecord(properties) && Object.hasOwn(properties, name) && !is(properties[name])) return false
      if (isRecord(patternProperties))
        for (const [pattern, field] of Object.entries(patternProperties)) if (this.matches(pattern, name) && !is(field)) return false
      if (!isDeclared && (isRecord(others) ? !this.fits(others, each, depth + 1) : others === false)) return false
    }
    return true
  }
}

function hasType(type: unknown, value: unknown): boolean {
  if (type === undefined) return true
  return Array.isArray(type) ? type.some((each) => isOfType(each, value)) : isOfType(type, value)
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === 'number' ? Number.isFinite(value) : typeof value === type
}

function fitsNumber({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonSchema, value: number): boolean {
  if (typeof minimum === 'number' && value < minimum) return false
  if (typeof maximum === 'number' && value > maximum) return false
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return false
  return typeof multipleOf !== 'number' || isMultiple(value, multipleOf)
}

/** Whether a number lies on the grid, up to the error of doubles. */
export function isMultiple(value: number, step: number): boolean {
  const ratio = value / step
  return Math.abs(ratio - Math.round(ratio)) < 1e-9 * Math.max(1, Math.abs(ratio))
}

/** In characters, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) length--
  return length
}
