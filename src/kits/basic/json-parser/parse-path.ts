import { badPath, tooMuch } from '../../../json/bad-path.ts'
import { LIMITS } from '../../../json/budget.ts'

const NAME = /[^\s.[\]'"*()?@,]+/y
const QUOTED = /(["'])((?:\\.|(?!\1)[^\\])*)\1/y
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gsu
/** The meaning of a character behind a backslash. */
const SIGNS = new Map(Object.entries({ '"': '"', "'": "'", '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }))
const INDEX = /-?\d{1,10}(?!\d|\s*:)/y
const SLICE = /\s*(-?\d{1,10})?\s*:\s*(-?\d{1,10})?\s*(?::\s*(-?\d{1,10})?)?\s*(?=\])/y

const BRACKET = "A bracket takes an index, a quoted key, '*' or a slice: [0], [-1], ['a b'], [*], [1:3]."
const JMESPATH = "Use language 'jmespath' for that."

/** Reads `$.results[0].title`, `results[*]['a b'][-1]` or `.a.b`; nothing, or `$` alone, is the whole. */
export function parsePath(path: string): readonly PathSegment[] {
  if (path.length > LIMITS.path) throw tooMuch(`jsonPath is too long: it has ${path.length} characters, at most ${LIMITS.path} are read.`)
  return new PathReader(path).whole()
}

class PathReader {
  readonly #path: string
  readonly #segments: PathSegment[] = []
  #at = 0

  constructor(path: string) {
    this.#path = path
  }

  whole(): readonly PathSegment[] {
    const path = this.#path
    this.#at = path.length - path.trimStart().length
    const end = path.trimEnd().length
    if (path[this.#at] === '/') throw this.#wrong("This looks like a JSON Pointer; write a.b[0], or quote a key that begins with '/'.")
    if (path[this.#at] === '$' && /^([.[\s]|$)/.test(path.slice(this.#at + 1))) this.#at++
    else if (this.#at < end && path[this.#at] !== '.' && path[this.#at] !== '[') this.#afterDot()
    while (this.#at < end) this.#segment()
    return this.#segments
  }

  #segment(): void {
    const sign = this.#path[this.#at]
    if (sign === '[') return this.#bracket()
    if (sign !== '.') throw this.#wrong("'.' or '[' is expected here; a key with other signs than letters and digits stands as ['a b'].")
    this.#at++
    this.#afterDot()
  }

  #afterDot(): void {
    const at = this.#at
    const sign = this.#path[at]
    if (sign === '*') {
      this.#at++
      this.#segments.push({ kind: 'wildcard', at })
      return
    }
    if (sign === '.') throw this.#wrong(`'..' does not search at every depth here; write the path in full.`)
    const key = this.#match(NAME)?.[0]
    if (key === undefined) throw this.#wrong(sign === undefined ? 'A key is missing at the end.' : `A key is expected here, not '${sign}'.`)
    this.#segments.push({ kind: 'key', at, key, quoted: false })
  }

  #bracket(): void {
    const at = this.#at++
    this.#skipSpace()
    const segment = this.#inBracket(at)
    this.#skipSpace()
    if (this.#path[this.#at] !== ']')
      throw this.#wrong(this.#at < this.#path.length ? `']' is expected here. ${BRACKET}` : "']' is missing at the end.")
    this.#at++
    this.#segments.push(segment)
  }

  #inBracket(at: number): PathSegment {
    const sign = this.#path[this.#at]
    if (sign === '*') {
      this.#at++
      return { kind: 'wildcard', at }
    }
    if (sign === '?' || sign === '(') throw this.#wrong(`A path has no filters. ${JMESPATH}`)
    const quoted = this.#match(QUOTED)
    if (quoted !== undefined) return { kind: 'key', at, key: this.#keyIn(quoted), quoted: true }
    if (sign === '"' || sign === "'") throw this.#wrong('This quote is never closed.')
    const index = this.#match(INDEX)
    if (index !== undefined) return { kind: 'index', at, index: Number(index[0]) }
    const slice = this.#match(SLICE)
    if (slice === undefined) throw this.#wrong(BRACKET)
    const [, start, end, step] = slice
    if (Number(step) === 0) throw this.#wrong('The step of a slice must not be 0.')
    return { kind: 'slice', at, start: numberIn(start), end: numberIn(end), step: numberIn(step) ?? 1 }
  }

  /** In double quotes a key has the escapes of JSON; in single quotes a backslash stands before a quote or a backslash. */
  #keyIn({ 1: quote, 2: text = '', index }: RegExpExecArray): string {
    return text.replaceAll(ESCAPE, (escape: string, code: string | undefined, sign: string, at: number) => {
      if (quote === "'") return escape.slice(1)
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      const meant = SIGNS.get(sign)
      if (meant !== undefined) return meant
      throw badPath('This escape does not exist.', this.#path, index + 1 + at)
    })
  }

  #skipSpace(): void {
    while (/\s/.test(this.#path[this.#at] ?? '')) this.#at++
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#path) ?? undefined
    this.#at += found?.[0].length ?? 0
    return found
  }

  #wrong(message: string): Error {
    return badPath(message, this.#path, this.#at)
  }
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

/** One step of a path. `at` is its place in the path. */
export type PathSegment =
  | { readonly kind: 'key'; readonly at: number; readonly key: string; readonly quoted: boolean }
  | { readonly kind: 'index'; readonly at: number; readonly index: number }
  | { readonly kind: 'wildcard'; readonly at: number }
  | {
      readonly kind: 'slice'
      readonly at: number
      readonly start: number | undefined
      readonly end: number | undefined
      readonly step: number
    }

/** A key as it is written in a path. */
export function writeKey(key: string): string {
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
