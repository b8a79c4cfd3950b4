import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { credentialSpans } from '../../tool/secrets/credential-spans.ts'
import { KnownSecrets } from '../../tool/secrets/known-secrets.ts'
import { maskText, secretsIn } from '../../tool/secrets/mask.ts'
import type { Described } from '../../tool/secrets/described.ts'
import { type SecretFields, secretFieldsOf } from '../../tool/secrets/secret-fields.ts'
import { mergedSpans, replaceSpans } from '../../tool/secrets/spans.ts'
import { canHide } from '../../tool/secrets/walk.ts'

/** A value that may be a secret: its place, and the schemas that describe it. */
interface Spot {
  readonly path: string
  readonly described: Described
  readonly name?: string | undefined
}

/** An answer with its secrets; undefined if it has a secret that was not given there. */
type Restored = { readonly value: unknown } | undefined

/**
 * The secrets of an input behind signs such as `[secret 1]`, for a model that repairs the input. A sign is read as its secret only in a field
 * for secrets, or in the text that had the secret before: a model cannot move a secret into another field.
 */
export class HiddenSecrets {
  /** The input with its secrets hidden. */
  readonly shown: unknown
  readonly #fields: SecretFields
  readonly #secrets: KnownSecrets
  /** The prefix of the signs. No text of the input has it. */
  readonly #sign: string
  readonly #bySign = new Map<string, unknown>()
  /** The original values of the places where something is hidden. */
  readonly #byPath = new Map<string, unknown>()

  constructor(input: unknown, schema: JsonSchema) {
    this.#fields = secretFieldsOf(schema)
    this.#secrets = new KnownSecrets(secretsIn(input, schema))
    this.#sign = unusedSign(input)
    this.shown = this.#hide(input, { path: '', described: this.#fields.root(input) })
  }

  get isEmpty(): boolean {
    return this.#bySign.size === 0
  }

  /** A text about the input without its secrets. */
  text(text: string): string {
    return maskText(text, this.#secrets)
  }

  restore(answer: unknown): Restored {
    return this.#restore(answer, { path: '', described: this.#fields.root(answer) })
  }

  #hide(value: unknown, spot: Spot): unknown {
    if (canHide(value) && this.#fields.isSecret(spot.described, spot.name)) return this.#keep(value, spot)
    if (typeof value === 'string') {
      const spans = mergedSpans([...this.#secrets.spansIn(value), ...credentialSpans(value)])
      if (spans.length === 0) return value
      this.#byPath.set(spot.path, value)
      return replaceSpans(value, spans, (hidden) => this.#signFor(hidden))
    }
    return mapped(value, spot, this.#fields, (each, inside) => ({ value: this.#hide(each, inside) }))?.value
  }

  #keep(value: unknown, { path }: Spot): string {
    this.#byPath.set(path, value)
    return this.#signFor(value)
  }

  #signFor(secret: unknown): string {
    for (const [sign, known] of this.#bySign) if (known === secret) return sign
    const sign = `[${this.#sign} ${this.#bySign.size + 1}]`
    this.#bySign.set(sign, secret)
    return sign
  }

  #restore(value: unknown, spot: Spot): Restored {
    const { path, described, name } = spot
    if (canHide(value) && this.#fields.isSecret(described, name)) {
      if (this.#byPath.has(path)) return { value: this.#byPath.get(path) }
      return typeof value === 'string' && this.#bySign.has(value) ? { value: this.#bySign.get(value) } : undefined
    }
    if (typeof value !== 'string') return mapped(value, spot, this.#fields, (each, inside) => this.#restore(each, inside))
    if (!value.includes(`[${this.#sign} `)) return { value }
    const before = this.#byPath.get(path)
    if (typeof before !== 'string') return undefined
    let text = value
    for (const [sign, secret] of this.#bySign)
      if (text.includes(sign)) {
        if (typeof secret !== 'string' || !before.includes(secret)) return undefined
        text = text.replaceAll(sign, () => secret)
      }
    return { value: text }
  }
}

/** A copy of a value with each of its fields or items replaced; undefined as soon as one of them cannot be. */
function mapped(
  value: unknown,
  { path, described }: Spot,
  fields: SecretFields,
  replace: (each: unknown, spot: Spot) => Restored,
): Restored {
  if (Array.isArray(value)) {
    const items = value.map((each, index) => replace(each, { path: `${path}/${index}`, described: fields.item(described, index, each) }))
    return items.includes(undefined) ? undefined : { value: items.map((each) => each?.value) }
  }
  if (!isRecord(value)) return { value }
  const entries: [string, unknown][] = []
  for (const [name, each] of Object.entries(value)) {
    const spot = {
      path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      described: fields.field(described, name, each),
      name,
    }
    const own = replace(each, spot)
    if (own === undefined) return undefined
    entries.push([name, own.value])
  }
  return { value: Object.fromEntries(entries) }
}

function unusedSign(input: unknown): string {
  let sign = 'secret'
  const text = String(JSON.stringify(input))
  while (text.includes(`[${sign} `)) sign += '*'
  return sign
}
