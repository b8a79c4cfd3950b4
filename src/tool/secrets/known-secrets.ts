import { writtenForms } from './secret-forms.ts'
import { mergedSpans, type Span } from './spans.ts'
import { TextSearch } from './text-search.ts'

const NONE: readonly Span[] = []

/** The secrets that no text may show. Their written forms are made once, when a text is searched first, and not for every text. */
export class KnownSecrets {
  readonly #around: KnownSecrets | undefined
  readonly #own: Set<string>
  #search: TextSearch | undefined

  /** Those of `around` are known too, also the ones that are added to it later. */
  constructor(secrets: Iterable<string> = [], around?: KnownSecrets) {
    this.#own = new Set(secrets)
    this.#own.delete('')
    this.#around = around
  }

  add(secret: string): void {
    if (secret === '' || this.#own.has(secret)) return
    this.#own.add(secret)
    this.#search = undefined
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
    const around = this.#around === undefined ? NONE : this.#around.spansIn(text)
    if (this.#own.size === 0 || text === '') return around
    const own = (this.#search ??= new TextSearch(formsOf(this.#own))).spansIn(text)
    return around.length === 0 ? own : mergedSpans([...around, ...own])
  }
}

function formsOf(secrets: Iterable<string>): ReadonlySet<string> {
  const forms = new Set<string>()
  for (const secret of secrets) for (const form of writtenForms(secret)) forms.add(form)
  return forms
}
