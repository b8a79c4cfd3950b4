/** A regular expression of JavaScript (with the flag `u`) as a tree. Groups have no names and no captures here: only a yes or no is asked for. */
export type PatternNode =
  | { readonly kind: 'char'; readonly matches: (codePoint: number) => boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'assertion'; readonly where: Assertion }
  | { readonly kind: 'look'; readonly part: PatternNode; readonly behind: boolean; readonly negative: boolean }

export type Assertion = 'start' | 'end' | 'boundary' | 'no-boundary'

/** The tree of a valid pattern. What cannot be matched in linear time (a back reference) is an error. */
export function parsePattern(source: string): PatternNode {
  return new Parser(source).choice()
}

const LOOKS = new Map([
  ['(?=', { behind: false, negative: false }],
  ['(?!', { behind: false, negative: true }],
  ['(?<=', { behind: true, negative: false }],
  ['(?<!', { behind: true, negative: true }],
])

/** Opens a group without or with a name. */
const GROUP = /\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/y
const LOOK = /\(\?<?[=!]/y
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y
/** A class, an escape or any other character, as one piece. */
const ATOM =
  /\[(?:\\[^]|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])|[^]/uy

class Parser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  choice(): PatternNode {
    const parts = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at++
      parts.push(this.#sequence())
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts }
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) parts.push(this.#quantified())
    return { kind: 'sequence', parts }
  }

  #quantified(): PatternNode {
    const part = this.#term()
    const found = this.#take(QUANTIFIER)
    if (found === undefined) return part
    const [text, least, comma, most] = found
    if (least === undefined) return { kind: 'repeat', part, min: text[0] === '+' ? 1 : 0, max: text[0] === '?' ? 1 : Infinity }
    return { kind: 'repeat', part, min: Number(least), max: comma === '' ? Number(least) : most === '' ? Infinity : Number(most) }
  }

  #term(): PatternNode {
    const look = LOOKS.get(this.#take(LOOK)?.[0] ?? '')
    if (look !== undefined) return { kind: 'look', part: this.#inGroup(), ...look }
    if (this.#take(GROUP) !== undefined) return this.#inGroup()
    const atom = this.#take(ATOM)?.[0] ?? ''
    if (atom === '(') throw new Error('it changes flags inside')
    if (atom === '^') return { kind: 'assertion', where: 'start' }
    if (atom === '$') return { kind: 'assertion', where: 'end' }
    if (atom === '\\b') return { kind: 'assertion', where: 'boundary' }
    if (atom === '\\B') return { kind: 'assertion', where: 'no-boundary' }
    if (/^\\(?:[1-9]|k)/.test(atom)) throw new Error('it refers back to a group')
    return { kind: 'char', matches: matcherOf(atom) }
  }

  #inGroup(): PatternNode {
    const inside = this.choice()
    this.#at++
    return inside
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source) ?? undefined
    if (found !== undefined) this.#at += found[0].length
    return found
  }
}

const ASCII = 128

/** The engine of JavaScript says which characters an atom takes, so that each means the same here. */
function matcherOf(atom: string): (codePoint: number) => boolean {
  const [only] = atom
  if (only === atom && only !== '.') {
    const literal = only.codePointAt(0)
    return (codePoint) => codePoint === literal
  }
  const expression = new RegExp(`^(?:${atom})$`, 'u')
  const takes = (codePoint: number): boolean => expression.test(String.fromCodePoint(codePoint))
  const ascii = Array.from({ length: ASCII }, (_, codePoint) => takes(codePoint))
  return (codePoint) => (codePoint < ASCII ? ascii[codePoint] === true : takes(codePoint))
}
