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

const FEW_FORMS = 32

/** Finds texts by their first two characters, and then by a tree. */
class FormIndex {
  /** Whether a text may begin with two characters, by a hash of them. Its size is a power of two. */
  readonly #starts: Uint8Array
  readonly #tree: TextTree

  constructor(secrets: Iterable<string>) {
    const forms = new Set<string>()
    for (const secret of secrets) for (const form of writtenForms(secret)) forms.add(form)
    this.#starts = new Uint8Array(forms.size > FEW_FORMS ? 1 << 15 : 1 << 9)
    for (const form of forms) {
      if (form.length === 1) this.#starts.fill(1)
      else this.#starts[hashOf(form.charCodeAt(0), form.charCodeAt(1)) & (this.#starts.length - 1)] = 1
    }
    this.#tree = new TextTree([...forms])
  }

  spansIn(text: string): Span[] {
    const spans: Span[] = []
    const starts = this.#starts
    const tree = this.#tree
    let code = text.charCodeAt(0)
    for (let at = 0; at < text.length; at++) {
      const next = text.charCodeAt(at + 1)
      const isStart = starts[hashOf(code, next) & (starts.length - 1)] === 1
      code = next
      if (!isStart) continue
      const length = tree.longestAt(text, at)
      if (length > 0) spans.push([at, at + length])
    }
    return spans
  }
}

function hashOf(first: number, second: number): number {
  return (first * 31 + second) | 0
}
