import type { JsonSchema } from '../../schema/json-schema.ts'
import { KnownSecrets } from './known-secrets.ts'
import { MASK, maskText } from './mask-text.ts'
import { type Described, UNDESCRIBED } from './described.ts'
import { type SecretFields, secretFieldsOf } from './secret-fields.ts'
import { ValueView } from './value-view.ts'
import { canHide, plainForm, Walk } from './walk.ts'

export { MASK, maskText } from './mask-text.ts'

const NO_SCHEMA: JsonSchema = Object.freeze({})

/** Secrets that are shorter than this would hide too much of other texts. */
const SHORTEST_SECRET = 4

/**
 * A view of the value for logs, with its secrets masked; the value itself is not changed. A secret of one field is masked in all texts.
 * @example
 * mask({ user: 'ada', password: 'opensesame' }) // { user: 'ada', password: '••••••' }
 */
export function mask(value: unknown, schema: JsonSchema = NO_SCHEMA, secrets: Iterable<string> = []): unknown {
  return logView(value, schema, new KnownSecrets([...secrets, ...secretsIn(value, schema)]))
}

/** The same where the secrets of the value are known already. */
export function logView(value: unknown, schema: JsonSchema, secrets: KnownSecrets): unknown {
  const fields = secretFieldsOf(schema)
  return new ValueView(fields, {
    text: (text) => maskText(text, secrets),
    hidesNumber: (number) => secrets.has(String(number)),
    plain: plainForm,
    hides: (described, name) => fields.isSecret(described, name),
    onStop: () => MASK,
  }).of(value)
}

/** The strings that `mask` hides, so that they can be hidden in texts too. */
export function secretsIn(value: unknown, schema: JsonSchema = NO_SCHEMA): readonly string[] {
  const search = new Search(schema)
  search.look(value)
  return [...search.found]
}

class Search extends Walk {
  readonly found = new Set<string>()
  readonly #fields: SecretFields

  constructor(schema: JsonSchema) {
    super()
    this.#fields = secretFieldsOf(schema)
  }

  look(value: unknown, described: Described = this.#fields.root(value), name?: string): void {
    if (canHide(value) && this.#fields.isSecret(described, name)) this.#keep(value, described.isDeclared === true ? described : undefined)
    else
      this.#each(value, (each, key) => {
        if (typeof key === 'string' && described.hidesNames) this.#keep(key)
        this.look(each, this.#describe(described, key, each), typeof key === 'string' ? key : undefined)
      })
  }

  #describe(described: Described, key: unknown, value: unknown): Described {
    if (typeof key === 'string') return this.#fields.field(described, key, value)
    return typeof key === 'number' ? this.#fields.item(described, key, value) : UNDESCRIBED
  }

  /** Of an object that is declared as a secret, names that no schema lists are a part of the secret. */
  #keep(value: unknown, declared?: Described): void {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value)
      if (text.length >= SHORTEST_SECRET && text !== MASK) this.found.add(text)
    } else
      this.#each(value, (each, key) => {
        if (declared !== undefined && typeof key === 'string' && !declared.lists(key)) this.#keep(key)
        this.#keep(each, declared && this.#describe(declared, key, each))
      })
  }

  #each(value: unknown, visit: (each: unknown, key: unknown) => void): void {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
    this.enter(
      value,
      () => {
        if (Array.isArray(value)) for (const [index, each] of value.entries()) visit(each, index)
        else if (value instanceof Map) for (const [key, each] of value) visit(each, typeof key === 'string' ? key : undefined)
        else if (value instanceof Set) for (const each of value) visit(each, undefined)
        else this.#eachField(value, visit)
      },
      () => {},
    )
  }

  /** An object that is written as one text or number is that secret. Its own fields count also where its `toJSON` does not show them. */
  #eachField(value: object, visit: (each: unknown, key: unknown) => void): void {
    const plain = plainForm(value)
    if (typeof plain === 'object' && plain !== null) for (const [key, each] of Object.entries(plain)) visit(each, key)
    else visit(plain, undefined)
    if (plain !== value) for (const [key, each] of Object.entries(value)) visit(each, key)
  }
}
