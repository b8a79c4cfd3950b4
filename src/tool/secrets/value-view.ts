import { isPlainRecord } from '../../schema/json-schema.ts'
import { DistinctNames } from './distinct-names.ts'
import { MASK } from './mask-text.ts'
import { type Described, UNDESCRIBED } from './described.ts'
import type { SecretFields } from './secret-fields.ts'
import { canHide, Walk } from './walk.ts'

/** What a view hides. */
interface ViewRules {
  /** The shown form of a text, and of the name of a field. */
  readonly text: (text: string) => string
  /** Whether a number is hidden wherever it is, because it is a known secret. None is without it. */
  readonly hidesNumber?: ((number: number | bigint) => boolean) | undefined
  /** Whether a field is hidden. `isListed`: the schema lists a field of this name. */
  readonly hides: (described: Described, name: string | undefined, isListed: boolean) => boolean
  /** An object as plain data, if its contents are not in its fields. The object itself if they are. */
  readonly plain: (object: object) => unknown
  /** Throws for a value that the view cannot show; it is not asked about parts of it. All values are shown without it. */
  readonly check?: ((value: unknown) => void) | undefined
  /** The view of an object at which the walk stops. */
  readonly onStop: (why: string) => unknown
}

/** Makes a view of a value and leaves the value as it is. */
export class ValueView extends Walk {
  readonly #fields: SecretFields
  readonly #rules: ViewRules
  #hidden = 0

  constructor(fields: SecretFields, rules: ViewRules) {
    super()
    this.#fields = fields
    this.#rules = rules
  }

  of(value: unknown): unknown {
    return this.#of(value, this.#fields.root(value))
  }

  #of(value: unknown, described: Described, field?: Field): unknown {
    if (canHide(value) && this.#rules.hides(described, field?.name, field?.isListed ?? false)) {
      return this.#hide()
    }
    if (typeof value === 'string') return this.#text(value)
    if ((typeof value === 'number' || typeof value === 'bigint') && this.#rules.hidesNumber?.(value) === true) return this.#hide()
    this.#rules.check?.(value)
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
    return this.enter(
      value,
      () => this.#ofObject(value, described),
      (why) => {
        this.#hidden++
        return this.#rules.onStop(why)
      },
    )
  }

  #hide(): string {
    this.#hidden++
    return MASK
  }

  #text(text: string): string {
    const shown = this.#rules.text(text)
    if (shown !== text) this.#hidden++
    return shown
  }

  /** An instance of a class is shown as it is, unless it holds a secret or has another form. */
  #ofObject(value: object, described: Described): unknown {
    if (Array.isArray(value)) return value.map((each: unknown, index) => this.#of(each, this.#fields.item(described, index, each)))
    if (value instanceof Map) return this.#ofMap(value, described)
    if (value instanceof Set) return new Set(Array.from(value, (each) => this.#of(each, UNDESCRIBED)))
    const plain = this.#rules.plain(value)
    if (plain !== value && !isPlainRecord(plain)) return this.#of(plain, described)
    const hiddenBefore = this.#hidden
    const copy = new Map<string, unknown>()
    const names = new DistinctNames()
    const { hidesNames } = described
    for (const [key, each] of Object.entries(plain as object)) {
      const shown = names.of(hidesNames ? this.#hide() : this.#text(key))
      copy.set(shown, this.#ofField(key, each, described))
    }
    return plain !== value || isPlainRecord(value) || this.#hidden > hiddenBefore ? Object.fromEntries(copy) : value
  }

  #ofMap(map: ReadonlyMap<unknown, unknown>, described: Described): ReadonlyMap<unknown, unknown> {
    const names = new DistinctNames()
    const keyOf = (key: unknown): unknown => {
      const shown = this.#of(key, UNDESCRIBED)
      return typeof shown === 'string' ? names.of(shown) : shown
    }
    return new Map(Array.from(map, ([key, each]) => [keyOf(key), this.#ofField(key, each, described)]))
  }

  #ofField(key: unknown, value: unknown, described: Described): unknown {
    if (typeof key !== 'string') return this.#of(value, UNDESCRIBED)
    return this.#of(value, this.#fields.field(described, key, value), { name: key, isListed: described.lists(key) })
  }
}

interface Field {
  readonly name: string
  readonly isListed: boolean
}
