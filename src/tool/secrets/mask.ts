import { isPlainRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { MASK, maskText } from './mask-text.ts'
import { type Described, isSecret, SecretFields } from './secret-fields.ts'

export { MASK, maskText } from './mask-text.ts'
export { unmask } from './unmask.ts'

/** Deeper, or in more objects and lists than this, nothing is shown. */
const MAX_DEPTH = 200
const MAX_OBJECTS = 100_000

/** Secrets that are shorter than this would hide too much of other texts. */
const SHORTEST_SECRET = 4

/**
 * A view of the value with its secrets masked; the value itself is not changed. A secret of one field is masked in all texts.
 * @example
 * mask({ user: 'ada', password: 'opensesame' }) // { user: 'ada', password: '••••••' }
 */
export function mask(value: unknown, schema: JsonSchema = {}, secrets: ReadonlySet<string> = new Set()): unknown {
  const view = new View(schema, new Set([...secrets, ...secretsIn(value, schema)]))
  return view.of(value)
}

/** The strings that `mask` hides, so that they can be hidden in texts too. */
export function secretsIn(value: unknown, schema: JsonSchema = {}): readonly string[] {
  const search = new Search(schema)
  search.look(value)
  return [...search.found]
}

/** A walk through a value together with its schema. It is limited in depth, and does not follow cycles. */
abstract class Walk<T> {
  readonly fields: SecretFields
  readonly #above = new Set<object>()
  #objects = 0

  constructor(schema: JsonSchema) {
    this.fields = new SecretFields(schema)
  }

  /** Undefined if the walk stops here. */
  protected enter(object: object, walk: () => T): T | undefined {
    if (this.#above.has(object) || this.#above.size > MAX_DEPTH || this.#objects > MAX_OBJECTS) return undefined
    this.#objects++
    this.#above.add(object)
    try {
      return walk()
    } catch {
      // An object that throws when it is read shows nothing.
      return undefined
    } finally {
      this.#above.delete(object)
    }
  }

  protected hides(value: unknown, described: Described, name?: string): boolean {
    return value !== null && value !== undefined && typeof value !== 'boolean' && isSecret(described, name)
  }
}

class View extends Walk<unknown> {
  readonly #secrets: ReadonlySet<string>
  #hidden = 0

  constructor(schema: JsonSchema, secrets: ReadonlySet<string>) {
    super(schema)
    this.#secrets = secrets
  }

  of(value: unknown, described: Described = this.fields.root, name?: string): unknown {
    if (this.hides(value, described, name)) return this.#hide()
    if (typeof value === 'string') return this.#text(value)
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
    return this.enter(value, () => this.#ofObject(value, described)) ?? this.#hide()
  }

  #hide(): string {
    this.#hidden++
    return MASK
  }

  #text(text: string): string {
    const masked = maskText(text, this.#secrets)
    if (masked !== text) this.#hidden++
    return masked
  }

  /** An instance of a class is shown as it is, unless it holds a secret. */
  #ofObject(value: object, described: Described): unknown {
    if (Array.isArray(value)) return value.map((each, index) => this.of(each, this.fields.item(described, index)))
    if (value instanceof Map) return new Map(Array.from(value, ([key, each]) => [this.of(key, []), this.#field(key, each, described)]))
    if (value instanceof Set) return new Set(Array.from(value, (each) => this.of(each, [])))
    const written = jsonForm(value)
    if (written !== value) return this.of(written, described)
    const hiddenBefore = this.#hidden
    const copy = new Map<string, unknown>()
    for (const [key, each] of Object.entries(value)) {
      let shown = this.#text(key)
      while (copy.has(shown)) shown += MASK
      copy.set(shown, this.#field(key, each, described))
    }
    return isPlainRecord(value) || this.#hidden > hiddenBefore ? Object.fromEntries(copy) : value
  }

  #field(key: unknown, value: unknown, described: Described): unknown {
    return typeof key === 'string' ? this.of(value, this.fields.field(described, key), key) : this.of(value, [])
  }
}

class Search extends Walk<true> {
  readonly found = new Set<string>()

  look(value: unknown, described: Described = this.fields.root, name?: string): void {
    if (this.hides(value, described, name)) this.#keep(value)
    else this.#each(value, (each, key) => this.look(each, this.#describe(described, key), typeof key === 'string' ? key : undefined))
  }

  #describe(described: Described, key: unknown): Described {
    if (typeof key === 'string') return this.fields.field(described, key)
    return typeof key === 'number' ? this.fields.item(described, key) : []
  }

  #keep(value: unknown): void {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      if (String(value).length >= SHORTEST_SECRET) this.found.add(String(value))
    } else this.#each(value, (each) => this.#keep(each))
  }

  #each(value: unknown, visit: (each: unknown, key: unknown) => void): void {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
    this.enter(value, () => {
      if (Array.isArray(value)) for (const [index, each] of value.entries()) visit(each, index)
      else if (value instanceof Map) for (const [key, each] of value) visit(each, typeof key === 'string' ? key : undefined)
      else if (value instanceof Set) for (const each of value) visit(each, undefined)
      else for (const [key, each] of Object.entries(value)) visit(each, key)
      return true
    })
  }
}

/** Its JSON form: an object may hide a secret in fields and still write it as JSON. A date has no other form. */
function jsonForm(value: object): unknown {
  if (value instanceof Date || !('toJSON' in value) || typeof value.toJSON !== 'function') return value
  return (value.toJSON as () => unknown)()
}
