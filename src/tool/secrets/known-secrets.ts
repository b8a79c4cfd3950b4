import { writtenForms } from './secret-forms.ts'
import { mergedSpans, type Span } from './spans.ts'
import { TextTree } from './text-tree.ts'

/** The secrets that no text may show. Their written forms are made once, when a text is searched first, and not for every text. */
export class KnownSecrets {
  readonly #around: KnownSecrets | undefined
  readonly #own: Set<string>
  #index: FormIndex | undefined

  /** Those of `around` are known too, also the ones that are added to it later. */
  constructor(secrets: Iterable<string> = [], around?: KnownSecrets) {
    this.#own = new Set(secrets)
    this.#own.delete('')
    this.#around = around
  }

  add(secret: string): void {
    if (secret === '' || this.#own.has(secret)) return
    this.#own.add(secret)
    this.#index = undefined
  }

  has(secret: string): boolean {
    return this.#own.has(secret) || (this.#around?.has(secret) ?? false)
  }

  get isEmpty(): boolean {
    return this.#own.size === 0 && (this.#around?.isEmpty ?? true)
  }

  /** These secrets and more. The same object if nothing is new. */
  with(secrets: Iterable<string>): KnownSecrets {
    const added = [...secrets].filter((secret) => secret !== '' && !this.has(secret))
    return added.length === 0 ? this : new KnownSecrets(added, this)
  }

  /** Where secrets stand in a text, in any written form. */
  spansIn(text: string): readonly Span[] {
    const indexes = this.#indexes()
    return indexes.length === 0 || text === '' ? [] : mergedSpans(indexes.flatMap((index) => index.spansIn(text)))
  }

  #indexes(): readonly FormIndex[] {
    const around = this.#around === undefined ? [] : this.#around.#indexes()
    return this.#own.size === 0 ? around : [...around, (this.#index ??= new FormIndex(this.#own))]
  }
}

const STARTS = 1 << 12

/** Finds texts by their first two characters, and then by a tree. */
class FormIndex {
  readonly #starts = new Uint8Array(STARTS)
  readonly #tree: TextTree

  constructor(secrets: Iterable<string>) {
    const forms = new Set<string>()
    for (const secret of secrets) for (const form of writtenForms(secret)) forms.add(form)
    for (const form of forms) {
      if (form.length === 1) this.#starts.fill(1)
      else this.#starts[startOf(form, 0)] = 1
    }
    this.#tree = new TextTree([...forms])
  }

  spansIn(text: string): Span[] {
    const spans: Span[] = []
    for (let at = 0; at < text.length; at++) {
      if (this.#starts[startOf(text, at)] === 0) continue
      const length = this.#tree.longestAt(text, at)
      if (length > 0) spans.push([at, at + length])
    }
    return spans
  }
}

function startOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) & (STARTS - 1)
}
