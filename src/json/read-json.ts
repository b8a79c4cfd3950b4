import { badJson, lineAndColumn, tooMuch } from './bad-path.ts'
import { LIMITS } from './budget.ts'
import { numberOf } from './exact-number.ts'
import { emptyObject, type Json } from './json.ts'

export interface ReadJson {
  readonly value: Json
  /** Notes for the reader: repeated keys. */
  readonly warnings: readonly string[]
}

/** Reads a JSON text, keeping every digit of its numbers; what is wrong is an error with line and column. */
export function readJson(text: string): ReadJson {
  if (text.length > LIMITS.characters) {
    throw tooMuch(`The json is too long: it has ${text.length} characters, at most ${LIMITS.characters} are read.`)
  }
  return new JsonReader(text).whole()
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[A-Za-z_$][\w$]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

const CONSTANTS = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const MOST_WARNINGS = 5

const FIRST_PRINTABLE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c

class JsonReader {
  readonly #text: string
  readonly #warnings: string[] = []
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): ReadJson {
    if (this.#text.startsWith('\uFEFF')) this.#at = 1
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#wrong('something follows after the end of the value.')
    return { value, warnings: this.#warnings }
  }

  #value(): Json {
    this.#skipSpace()
    const sign = this.#text[this.#at]
    if (sign === '"') return this.#string()
    if (sign === '{') return this.#nested(() => this.#object())
    if (sign === '[') return this.#nested(() => this.#list())
    const number = this.#match(NUMBER)
    if (number !== '') return this.#number(number)
    return this.#constant(sign)
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > LIMITS.depth) throw this.#wrong(`it is nested more than ${LIMITS.depth} levels deep.`)
    this.#at++
    const value = read()
    this.#depth--
    return value
  }

  #object(): Json {
    const object = emptyObject()
    if (this.#take('}')) return object
    do {
      this.#skipSpace()
      const at = this.#at
      if (this.#text[at] !== '"') throw this.#wrong(this.#text[at] === '}' ? TRAILING_COMMA : 'a key in double quotes is expected here.')
      const key = this.#string()
      if (!this.#take(':')) throw this.#wrong(`':' is expected after a key.`)
      if (key in object) this.#warnTwice(key, at)
      object[key] = this.#value()
    } while (this.#take(','))
    if (!this.#take('}')) throw this.#wrong("',' or '}' is expected here.")
    return object
  }

  #list(): Json {
    const list: Json[] = []
    if (this.#take(']')) return list
    do list.push(this.#value())
    while (this.#take(','))
    if (!this.#take(']')) throw this.#wrong("',' or ']' is expected here.")
    return list
  }

  #string(): string {
    const start = this.#at++
    let escaped = false
    for (;;) {
      this.#skipPlainText()
      const sign = this.#text[this.#at]
      if (sign === '"') break
      if (sign === undefined) throw badJson('this text is never closed.', this.#text, start)
      if (sign !== '\\') throw this.#wrong('a line break or another control character must be written as an escape, such as \\n.')
      if (this.#match(ESCAPE) === '') throw this.#wrong('this escape does not exist.')
      escaped = true
    }
    const end = this.#at++
    return escaped ? (JSON.parse(this.#text.slice(start, end + 1)) as string) : this.#text.slice(start + 1, end)
  }

  /** Up to a quote, a backslash or a control character. */
  #skipPlainText(): void {
    for (let code = this.#code(); code >= FIRST_PRINTABLE && code !== QUOTE && code !== BACKSLASH; code = this.#code()) this.#at++
  }

  /** -1 at the end. */
  #code(): number {
    return this.#at < this.#text.length ? this.#text.charCodeAt(this.#at) : -1
  }

  #number(source: string): Json {
    if (/[\w.+]/.test(this.#text[this.#at] ?? '')) throw this.#wrong('a number is not written like this.')
    return numberOf(source)
  }

  #constant(sign: string | undefined): Json {
    const start = this.#at
    const word = this.#match(WORD)
    const constant = CONSTANTS.get(word)
    if (constant !== undefined) return constant
    this.#at = start
    if (sign === undefined) throw this.#wrong('it ends here, where a value is expected.')
    if (sign === "'") throw this.#wrong('keys and texts stand in double quotes.')
    if (sign === '`') throw this.#wrong('send the JSON alone, without a fence of backticks.')
    if (sign === '/') throw this.#wrong('JSON has no comments.')
    if (sign === ']' || sign === '}') throw this.#wrong(TRAILING_COMMA)
    throw this.#wrong(
      word === '' ? `a value is expected here, not '${sign}'.` : `'${word}' is not a JSON value; a text stands in double quotes.`,
    )
  }

  #warnTwice(key: string, at: number): void {
    if (this.#warnings.length === MOST_WARNINGS) return
    this.#warnings.push(`The key '${key}' stands twice in one object, again at ${lineAndColumn(this.#text, at)}; the last one counts.`)
  }

  #take(sign: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #skipSpace(): void {
    this.#match(SPACE)
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #wrong(message: string): Error {
    return badJson(message, this.#text, this.#at)
  }
}

const TRAILING_COMMA = 'a value is expected here; is there a comma too many?'
