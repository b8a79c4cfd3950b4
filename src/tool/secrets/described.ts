import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { prefixOf } from './child-schemas.ts'
import { hasPatterns } from './name-patterns.ts'
import { isSensitiveName } from './sensitive-name.ts'

/** The schemas that describe one value. */
export class Described {
  readonly schemas: readonly JsonSchema[]
  /** What the schemas say: a secret, no secret, or undefined if they do not say. */
  readonly isDeclared: boolean | undefined
  /** Whether the schemas say anything of the value. */
  readonly isEmpty: boolean
  /** Of the fields and items that all values of these schemas share. */
  readonly known = new Map<string | number, Described>()
  /** The schemas of the items that have no place of their own, where all of them have the same. */
  sharedItems: readonly unknown[] | undefined
  readonly #brought: ReadonlyMap<JsonSchema, readonly unknown[]>
  #longestPrefix: number | undefined
  #hasContains: boolean | undefined
  #hasPatterns: boolean | undefined
  #hidesNames: boolean | undefined
  readonly #reached = new Map<JsonSchema, ReadonlySet<JsonSchema>>()

  /** `brought`: each schema of the value, with those that are known to apply to the same value because this one does. */
  constructor(brought: ReadonlyMap<JsonSchema, readonly unknown[]>) {
    this.#brought = brought
    const schemas = [...brought.keys()]
    this.schemas = schemas
    this.isEmpty = schemas.every((schema) => Object.keys(schema).length === 0)
    const said = schemas.flatMap(declaration)
    this.isDeclared = said.length === 0 ? undefined : said.includes(true)
  }

  /** A value is a secret when its schema says so, or else when its name does. */
  isSecret(name?: string): boolean {
    return this.isDeclared ?? (name !== undefined && isSensitiveName(name))
  }

  /** How many items have a schema of their own place. */
  get longestPrefix(): number {
    return (this.#longestPrefix ??= this.schemas.reduce((most, schema) => Math.max(most, prefixOf(schema).length), 0))
  }

  /** Whether an item that fits a schema is described by it too. */
  get hasContains(): boolean {
    return (this.#hasContains ??= this.schemas.some(({ contains }) => contains !== undefined))
  }

  /** Whether patterns of names describe fields. */
  get hasPatterns(): boolean {
    return (this.#hasPatterns ??= this.schemas.some(hasPatterns))
  }

  /** Whether the names of the fields are secrets themselves. */
  get hidesNames(): boolean {
    return (this.#hidesNames ??= this.schemas.some(
      ({ propertyNames }) => isRecord(propertyNames) && declaration(propertyNames).includes(true),
    ))
  }

  /** A schema and all that apply because of it. What these describe is evaluated for it; what schemas beside or around it describe is not. */
  reachedFrom(schema: JsonSchema): ReadonlySet<JsonSchema> {
    let reached = this.#reached.get(schema)
    if (reached !== undefined) return reached
    const found = new Set([schema])
    for (const each of found) for (const next of this.#brought.get(each) ?? []) if (isRecord(next)) found.add(next)
    this.#reached.set(schema, (reached = found))
    return reached
  }

  /** Whether a schema lists a field of this name. */
  lists(key: string): boolean {
    return this.schemas.some(({ properties }) => isRecord(properties) && Object.hasOwn(properties, key))
  }
}

/** What is known of a value that no schema describes. */
export const UNDESCRIBED = new Described(new Map())

/**
 * What a schema itself says of its value: that it is a secret, that it is none, or nothing. `sensitive` is about this alone, so that it decides;
 * `writeOnly: false` is what a schema means without the word.
 */
export function declaration({ sensitive, writeOnly, format }: JsonSchema): readonly boolean[] {
  if (typeof sensitive === 'boolean') return [sensitive]
  return writeOnly === true || format === 'password' ? [true] : []
}
