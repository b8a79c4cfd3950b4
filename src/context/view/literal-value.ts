const MAX_DEPTH = 48
const LONGEST_WORD = 200
const WORDS: Readonly<Record<string, unknown>> = {
  None: null,
  nil: null,
  null: null,
  undefined: null,
  NULL: null,
  True: true,
  true: true,
  False: false,
  false: false,
}
const NUMBER = /^[-+]?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }
const BARE = /[^\s,;:=[\](){}"'`]/

/** What a program prints of its own values: dictionaries of Python, hashes of Ruby, maps of Clojure, tables of Lua, objects of JavaScript; undefined for any other text. */
export function literalValue(text: string): unknown {
  try {
    const reader = new LiteralReader(text)
    const value = reader.value(0)
    return typeof value === 'object' && value !== null && reader.isAtEnd() ? value : undefined
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}

class NoLiteral extends Error {}

/** One pass from left to right; nothing is read twice. */
class LiteralReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    this.#skip()
    return this.#at >= this.#text.length
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NoLiteral()
    this.#skip()
    const first = this.#text[this.#at] ?? ''
    const closing = CLOSING[first]
    if (closing !== undefined) {
      this.#at++
      return this.#inside(closing, depth)
    }
    if (first === '"' || first === "'" || first === '`') return this.#quoted(first)
    const word = this.#word()
    // `Decimal('1.5')`, `datetime.date(2026, 1, 2)`: a call says its arguments.
    if (this.#text[this.#at] === '(') {
      this.#at++
      const values = this.#inside(')', depth)
      return Array.isArray(values) && values.length === 1 ? values[0] : Array.isArray(values) ? `${word}(${values.join(', ')})` : values
    }
    if (Object.hasOwn(WORDS, word)) return WORDS[word]
    return NUMBER.test(word) ? Number(word) : word
  }

  /** Values, or keys with values, up to a closing bracket. Keys are told by what follows them, or by the colon before them. */
  #inside(closing: string, depth: number): unknown {
    const values: unknown[] = []
    const record: Record<string, unknown> = {}
    let keys = 0
    for (;;) {
      this.#skip(',;')
      if (this.#at >= this.#text.length) throw new NoLiteral()
      if (this.#text[this.#at] === closing) {
        this.#at++
        break
      }
      const isSymbol = closing === '}' && /^:[A-Za-z]/.test(this.#text.slice(this.#at, this.#at + 2))
      if (isSymbol) this.#at++
      const value = this.value(depth + 1)
      this.#skip()
      const mark = /^(?:=>|:|=)/.exec(this.#text.slice(this.#at, this.#at + 2))?.[0]
      if ((mark === undefined && !isSymbol) || typeof value === 'object') {
        values.push(value)
        continue
      }
      this.#at += mark?.length ?? 0
      keys++
      Object.defineProperty(record, String(value), { value: this.value(depth + 1), enumerable: true, configurable: true, writable: true })
    }
    if (keys > 0 && values.length > 0) throw new NoLiteral()
    return keys > 0 || (closing === '}' && values.length === 0) ? record : values
  }

  #quoted(mark: string): string {
    let said = ''
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const character = this.#text[at] ?? ''
      if (character === mark) {
        this.#at = at + 1
        return said
      }
      if (character === '\\') {
        at++
        const escaped = this.#text[at] ?? ''
        said += escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped
      } else said += character
    }
    throw new NoLiteral()
  }

  #word(): string {
    const from = this.#at
    while (this.#at < this.#text.length && this.#at - from <= LONGEST_WORD && BARE.test(this.#text[this.#at] ?? '')) this.#at++
    if (this.#at === from || this.#at - from > LONGEST_WORD) throw new NoLiteral()
    return this.#text.slice(from, this.#at)
  }

  #skip(also = ''): void {
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? ''
      if (!/\s/.test(character) && !also.includes(character)) return
      this.#at++
    }
  }
}
