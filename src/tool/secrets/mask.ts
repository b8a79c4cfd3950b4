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
  return viewFor(schema, secrets, false).of(value)
}

/** The same for somebody who might change what they get: the value cannot be changed through it. */
export function logViewApart(value: unknown, schema: JsonSchema, secrets: KnownSecrets): unknown {
  return viewFor(schema, secrets, true).of(value)
}

function viewFor(schema: JsonSchema, secrets: KnownSecrets, isApart: boolean): ValueView {
  const fields = secretFieldsOf(schema)
  return new ValueView(fields, {
    text: (text) => maskText(text, secrets),
    hidesNumber: (number) => secrets.has(String(number)),
    plain: plainForm,
    hides: (described, name) => fields.isSecret(described, name),
    isApart,
    onStop: () => MASK,
  })
}

/** The strings that `mask` hides, so that they can be hidden in texts too. */
export function secretsIn(value: unknown, schema: JsonSchema = NO_SCHEMA): readonly string[] {
  const search = new Search(schema)
  search.look(value)
  return [...search.found]
}

class Search extends Walk<void> {
  readonly found = new Set<string>()
  readonly #fields: SecretFields

  constructor(schema: JsonSchema) {
    super()
    this.#fields = secretFieldsOf(schema)
  }

  look(value: unknown, described: Described = this.#fields.root(value), name?: string): void {
    if (canHide(value) && this.#fields.isSecret(described, name)) this.#keep(value, described.isDeclared === true ? described : undefined)
    else this.#lookInto(value, described, false)
  }

  #keep(value: unknown, declared: Described | undefined): void {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value)
      if (text.length >= SHORTEST_SECRET && text !== MASK) this.found.add(text)
    } else this.#lookInto(value, declared, true)
  }

  #lookInto(value: unknown, described: Described | undefined, isSecret: boolean): void {
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) this.enter(value, described, isSecret)
  }

  protected override inside(value: object, described: Described | undefined, isSecret: boolean): void {
    if (Array.isArray(value))
      for (let index = 0; index < value.length; index++) {
        const each: unknown = value[index]
        this.#visit(each, described && this.#fields.item(described, index, each), isSecret)
      }
    else if (value instanceof Map)
      for (const [key, each] of value) {
        if (typeof key === 'string') this.#visitField(key, each, described, isSecret)
        else this.#visit(each, described && UNDESCRIBED, isSecret)
      }
    else if (value instanceof Set) for (const each of value) this.#visit(each, described && UNDESCRIBED, isSecret)
    else this.#visitFields(value, described, isSecret)
  }

  protected override stopAt(): void {}

  /** An object that is written as one text or number is that secret. Its own fields count also where its `toJSON` does not show them. */
  #visitFields(value: object, described: Described | undefined, isSecret: boolean): void {
    const plain = plainForm(value)
    if (typeof plain === 'object' && plain !== null)
      for (const [key, each] of Object.entries(plain)) this.#visitField(key, each, described, isSecret)
    else this.#visit(plain, described && UNDESCRIBED, isSecret)
    if (plain !== value) for (const [key, each] of Object.entries(value)) this.#visitField(key, each, described, isSecret)
  }

  /** Of an object that is declared as a secret, names that no schema lists are a part of the secret. */
  #visitField(key: string, each: unknown, described: Described | undefined, isSecret: boolean): void {
    const isSecretName = isSecret ? described?.lists(key) === false : described?.hidesNames === true
    if (isSecretName) this.#keep(key, undefined)
    this.#visit(each, described && this.#fields.field(described, key, each), isSecret, key)
  }

  #visit(each: unknown, described: Described | undefined, isSecret: boolean, name?: string): void {
    if (isSecret) this.#keep(each, described)
    else this.look(each, described, name)
  }
}
