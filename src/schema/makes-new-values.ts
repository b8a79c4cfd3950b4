import { isRecord } from './json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'

/**
 * Whether the validated value shares no object with the given one, so that nobody who holds the given one can change it. False where that
 * cannot be proved from the schema.
 */
export function makesNewValues(schema: StandardSchema): boolean {
  try {
    switch (schema['~standard'].vendor) {
      case 'zod':
        return new Proof(zodParts).holds(schema)
      case 'valibot':
        return new Proof(valibotParts).holds(schema)
      // Our own validation of a JSON Schema begins with a private copy.
      case 'json-schema':
        return true
      default:
        return false
    }
  } catch {
    // A part of the schema does not exist yet.
    return false
  }
}

/** The schemas on which the answer depends: all of them must make new values, or one of them. */
interface Parts {
  readonly all?: readonly unknown[]
  readonly some?: readonly unknown[]
}

/** Undefined for a schema that may give the value on, or that is not known. */
type PartsOf = (schema: unknown) => Parts | undefined

const MAX_SCHEMAS = 5000

class Proof {
  readonly #partsOf: PartsOf
  /** A schema inside itself adds nothing to its proof. */
  readonly #seen = new Set<unknown>()

  constructor(partsOf: PartsOf) {
    this.#partsOf = partsOf
  }

  holds(schema: unknown): boolean {
    if (this.#seen.has(schema)) return true
    if (this.#seen.size > MAX_SCHEMAS) return false
    this.#seen.add(schema)
    const parts = this.#partsOf(schema)
    if (parts === undefined) return false
    const { all = [], some } = parts
    return all.every((each) => this.holds(each)) && (some === undefined || some.some((each) => this.#holdsAlone(each)))
  }

  /** Of several schemas one is enough: what was seen in one that fails proves nothing. */
  #holdsAlone(schema: unknown): boolean {
    return new Proof(this.#partsOf).holds(schema)
  }
}

const PRIMITIVE: Parts = {}

const PRIMITIVES: ReadonlySet<unknown> = new Set([
  ...['bigint', 'boolean', 'enum', 'literal', 'nan', 'never', 'null', 'number', 'picklist', 'string', 'symbol', 'template_literal'],
  ...['undefined', 'void', 'success'],
])

function zodParts(schema: unknown): Parts | undefined {
  const def = fieldOf(fieldOf(schema, '_zod'), 'def')
  const type = fieldOf(def, 'type')
  const of = (...keys: readonly string[]): readonly unknown[] => keys.map((key) => fieldOf(def, key)).filter((each) => each !== undefined)
  if (PRIMITIVES.has(type)) return PRIMITIVE
  switch (type) {
    case 'object':
      return { all: [...Object.values(fieldOf(def, 'shape') ?? {}), ...of('catchall')] }
    case 'array':
      return { all: of('element') }
    case 'tuple':
      return { all: [...listOf(def, 'items'), ...of('rest').filter((each) => each !== null)] }
    case 'record':
      return fieldOf(def, 'mode') === 'loose' ? undefined : { all: of('keyType', 'valueType') }
    case 'map':
    case 'set':
      return { all: of('keyType', 'valueType') }
    case 'union':
      return { all: listOf(def, 'options') }
    case 'intersection':
      return { all: of('left', 'right') }
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'readonly':
    case 'promise':
      return { all: of('innerType') }
    // The same object may be the default of every call.
    case 'default':
    case 'prefault':
      return isPrimitive(fieldOf(def, 'defaultValue')) ? { all: of('innerType') } : undefined
    case 'lazy':
      return { all: [called(fieldOf(def, 'getter'))] }
    // The second schema gets only what the first one made. A transformation may give an object of its author.
    case 'pipe':
      return isTransformation(fieldOf(def, 'out')) ? undefined : { some: of('in', 'out') }
    case 'date':
      return fieldOf(def, 'coerce') === true ? PRIMITIVE : undefined
    default:
      return undefined
  }
}

function valibotParts(schema: unknown): Parts | undefined {
  const type = fieldOf(schema, 'type')
  const of = (...keys: readonly string[]): readonly unknown[] =>
    keys.map((key) => fieldOf(schema, key)).filter((each) => each !== undefined)
  if (fieldOf(schema, 'kind') !== 'schema' || fieldOf(schema, 'fallback') !== undefined) return undefined
  const pipe = listOf(schema, 'pipe')
  // The actions and schemas behind the first one get only what that one made. A transformation may give an object of its author.
  if (pipe.some((each) => TRANSFORMATIONS.has(fieldOf(each, 'type')))) return undefined
  if (!isPrimitive(fieldOf(schema, 'default'))) return undefined
  if (pipe.length > 0 && pipe[0] !== schema) return { all: [pipe[0]] }
  if (PRIMITIVES.has(type)) return PRIMITIVE
  switch (type) {
    case 'object':
    case 'strict_object':
    case 'object_with_rest':
      return { all: [...Object.values(fieldOf(schema, 'entries') ?? {}), ...of('rest')] }
    case 'array':
      return { all: of('item') }
    case 'tuple':
    case 'strict_tuple':
    case 'tuple_with_rest':
      return { all: [...listOf(schema, 'items'), ...of('rest')] }
    case 'record':
    case 'map':
    case 'set':
      return { all: of('key', 'value') }
    case 'union':
    case 'variant':
    case 'intersect':
      return { all: listOf(schema, 'options') }
    case 'optional':
    case 'exact_optional':
    case 'undefinedable':
    case 'nullable':
    case 'nullish':
    case 'non_optional':
    case 'non_nullable':
    case 'non_nullish':
      return { all: of('wrapped') }
    default:
      return undefined
  }
}

const TRANSFORMATIONS: ReadonlySet<unknown> = new Set(['transform', 'transform_async', 'raw_transform', 'raw_transform_async'])

function isTransformation(schema: unknown): boolean {
  return fieldOf(fieldOf(fieldOf(schema, '_zod'), 'def'), 'type') === 'transform'
}

/** A function makes a default when it is called, and may give the same object each time. */
function isPrimitive(value: unknown): boolean {
  return (typeof value !== 'object' || value === null) && typeof value !== 'function'
}

/** A field of something that another library made. */
function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) || typeof value === 'function' ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}

function listOf(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key)
  return Array.isArray(list) ? list : []
}

function called(getter: unknown): unknown {
  return typeof getter === 'function' ? (getter as () => unknown)() : undefined
}
