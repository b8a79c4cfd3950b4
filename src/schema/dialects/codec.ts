import type { JsonSchema } from '../json-schema.ts'

/** A place in a value: the keys that lead to it. */
export type Keys = readonly PropertyKey[]

/** A value of a model that has no meaning under the original schema. The message is for the model. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** In the shape that the model sent. */
  readonly path: Keys

  constructor(path: Keys, message: string) {
    super(message)
    this.path = path
  }
}

/** A value that cannot be said in the dialect: undeclared properties of an object that was closed, or an invalid value. */
export class NoEncoding extends Error {
  override readonly name = 'NoEncoding'
}

interface Rename {
  readonly original: Keys
  readonly dialect: Keys
}

/** What all places of one value share. */
interface Walk {
  readonly renames: Rename[]
  /** How many options of unions may still be tried on values that fit none: a hostile value could have very many. */
  tries: number
}

const MOST_TRIES = 200

/** Where decoding stands, in both shapes, and all places so far where they part. */
export class Trail {
  readonly dialect: Keys
  readonly original: Keys
  readonly #walk: Walk

  constructor(dialect: Keys = [], original: Keys = [], walk: Walk = { renames: [], tries: MOST_TRIES }) {
    this.dialect = dialect
    this.original = original
    this.#walk = walk
  }

  /** Whether one more option may be tried. */
  mayTry(): boolean {
    return this.#walk.tries-- > 0
  }

  /** One step down: these keys in the dialect are those in the original. */
  step(dialect: Keys, original: Keys): Trail {
    const next = new Trail([...this.dialect, ...dialect], [...this.original, ...original], this.#walk)
    const isSame = dialect.length === original.length && dialect.every((key, index) => key === original[index])
    if (!isSame) this.#walk.renames.push({ dialect: next.dialect, original: next.original })
    return next
  }

  /** A place of the dialect that the original does not have. */
  into(key: PropertyKey): Trail {
    return new Trail([...this.dialect, key], this.original, this.#walk)
  }

  refuse(message: string): never {
    throw new Refused(this.dialect, message)
  }

  /** Tries something; if it is refused, what it noted is forgotten. */
  attempt<T>(run: () => T): { readonly value: T } | undefined {
    const before = this.#walk.renames.length
    try {
      return { value: run() }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#walk.renames.length = before
      return undefined
    }
  }

  /** The place that the model knows, for a place in the original shape: by the longest way that is known. */
  toDialect(keys: Keys): Keys {
    let best: Rename | undefined
    for (const each of this.#walk.renames)
      if (each.original.length >= (best?.original.length ?? 0) && startsWith(keys, each.original)) best = each
    return best === undefined ? keys : [...best.dialect, ...keys.slice(best.original.length)]
  }
}

/** Indexes are numbers or texts, by the library that names them. */
function startsWith(keys: Keys, start: Keys): boolean {
  return start.length <= keys.length && start.every((key, index) => String(key) === String(keys[index]))
}

/** One node of a schema in a dialect, and the ways from its values to those of the original and back. */
export interface Codec {
  readonly schema: JsonSchema
  /** A value that fits means the same in both shapes. */
  readonly isSame: boolean
  /** Whether a value has the shape of the dialect. Rules for single values (bounds, patterns) are not looked at. */
  readonly fits: (value: unknown) => boolean
  /** The value in the original shape. A value of another shape is passed unchanged, so that validation can tell what is wrong. */
  readonly decode: (value: unknown, trail: Trail) => unknown
  /** The value in the shape of the dialect; throws NoEncoding. */
  readonly encode: (value: unknown) => unknown
  /** The types of JSON that its values may have, where the schema does not show them. */
  readonly kinds?: readonly string[] | undefined
}

/** A codec that changes nothing. */
export function plain(schema: JsonSchema, fits: Codec['fits']): Codec {
  return {
    schema,
    isSame: true,
    fits,
    decode: (value) => value,
    encode: (value) => {
      if (fits(value)) return value
      throw new NoEncoding('The value does not have the shape of the schema.')
    },
  }
}

/** The same codec with another description. */
export function described(codec: Codec, description: string): Codec {
  return description === '' ? codec : { ...codec, schema: { ...codec.schema, description } }
}

/** A text before the description of a node. A reference has no room for it; where a union has none, its options have. */
export function prefixed(schema: JsonSchema, text: string, describesUnions: boolean): JsonSchema {
  if (text === '' || '$ref' in schema) return schema
  const { anyOf, description } = schema
  if (Array.isArray(anyOf) && !describesUnions)
    return { ...schema, anyOf: (anyOf as readonly JsonSchema[]).map((each) => prefixed(each, text, describesUnions)) }
  return { ...schema, description: typeof description === 'string' && description !== text ? `${text} ${description}` : text }
}

/** Sets an own property, whatever its name. */
export function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}
