import { isPlainRecord } from '../../schema/json-schema.ts'
import { listFor } from '../../schema/list-for.ts'
import { privateCopy } from '../../schema/private-copy.ts'
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
  /** Whoever gets the view cannot change the value through it: bytes and dates are copied too. */
  readonly isApart?: boolean
  /** Its lists and plain objects are frozen, each as it is made: another walk through all of it would cost as much again. */
  readonly isFrozen?: boolean
  /** The view of an object at which the walk stops. */
  readonly onStop: (why: string) => unknown
}

/** Makes a view of a value and leaves the value as it is. */
export class ValueView extends Walk<unknown> {
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

  #of(value: unknown, described: Described, name?: string, isListed = false): unknown {
    if (canHide(value) && this.#rules.hides(described, name, isListed)) return this.#hide()
    if (typeof value === 'string') return this.#text(value)
    if ((typeof value === 'number' || typeof value === 'bigint') && this.#rules.hidesNumber?.(value) === true) return this.#hide()
    this.#rules.check?.(value)
    if (typeof value !== 'object' || value === null) return value
    return ArrayBuffer.isView(value) ? this.#asIs(value) : this.enter(value, described, false)
  }

  protected override stopAt(why: string): unknown {
    this.#hidden++
    return this.#rules.onStop(why)
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
  protected override inside(value: object, described = UNDESCRIBED): unknown {
    if (Array.isArray(value)) return this.#ofList(value, described)
    if (value instanceof Map) return this.#ofMap(value, described)
    if (value instanceof Set) return new Set(Array.from(value, (each) => this.#of(each, UNDESCRIBED)))
    const plain = this.#rules.plain(value)
    if (plain !== value && !isPlainRecord(plain)) return this.#of(plain, described)
    const hiddenBefore = this.#hidden
    const keys = Object.keys(plain as object)
    const names = this.#namesOf(keys, described.hidesNames)
    const copy: Record<string, unknown> = {}
    for (const [index, key] of keys.entries()) {
      const shown = this.#ofField(key, (plain as Readonly<Record<string, unknown>>)[key], described)
      const name = names[index] ?? key
      if (name === '__proto__') Object.defineProperty(copy, name, { value: shown, enumerable: true, configurable: true, writable: true })
      else copy[name] = shown
    }
    return plain !== value || isPlainRecord(value) || this.#hidden > hiddenBefore ? this.#finished(copy) : this.#asIs(value)
  }

  #finished<T extends object>(copy: T): T {
    return this.#rules.isFrozen === true ? Object.freeze(copy) : copy
  }

  #asIs(value: object): unknown {
    return this.#rules.isApart === true ? privateCopy(value) : value
  }

  #ofList(list: readonly unknown[], described: Described): readonly unknown[] {
    const { length } = list
    const copy = listFor(length)
    for (let index = 0; index < length; index++) {
      const each = list[index]
      copy[index] = this.#of(each, this.#fields.item(described, index, each))
    }
    return this.#finished(copy)
  }

  /** Names differ by themselves: only where one is masked could it look like another. */
  #namesOf(keys: readonly string[], hidesNames: boolean): readonly string[] {
    const shown = keys.map((key) => (hidesNames ? this.#hide() : this.#text(key)))
    if (shown.every((name, index) => name === keys[index])) return keys
    const names = new DistinctNames()
    return shown.map((name) => names.of(name))
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
    return this.#of(value, this.#fields.field(described, key, value), key, described.lists(key))
  }
}
