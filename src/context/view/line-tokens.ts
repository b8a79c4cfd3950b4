const LONGEST_LINE = 2000
const MOST_TOKENS = 60
/** A moment of a day, a quoted text, a number with separators of thousands, a run without marks, or a mark. */
const TOKEN =
  /(?<!\S)\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?=[\s,;)\]]|$)|"(?:[^"\\]|\\.){0,300}"|'[^']{0,200}'|`[^`]{0,100}`|(?<![\w.,])[-+]?[$€£¥]?\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,9})?%?(?![\w,])|->|[^\s()[\]{}<>,;|="'`]+?(?=->)|[^\s()[\]{}<>,;|="'`]+|[()[\]{}<>,;|=]/g
const MARK = /^[^\p{L}\d\s"'`]+$/u
/** The branches of a drawn tree. */
const DRAWN = /^[\s│├└─┬╰╭]+/

/** `value`: digits or quotes are in it. */
type TokenKind = 'value' | 'word' | 'mark'

export interface LineToken {
  readonly text: string
  readonly kind: TokenKind
}

/** A token with its place in the line. */
export interface PlacedToken extends LineToken {
  readonly from: number
  readonly to: number
}

/** The words, values and marks of a line. */
export function lineTokens(line: string): readonly PlacedToken[] {
  const whole = line.slice(0, LONGEST_LINE)
  const drawn = DRAWN.exec(whole)?.[0].length ?? 0
  const tokens: PlacedToken[] = []
  for (const { 0: text, index } of whole.slice(drawn).matchAll(TOKEN)) {
    if (tokens.length >= MOST_TOKENS) break
    const kind = kindOf(text)
    const from = drawn + index
    // A leader of dots is one mark, however long it is.
    tokens.push({ text: kind === 'mark' ? (text[0] ?? '') : text, kind, from, to: from + text.length })
  }
  return tokens
}

function kindOf(text: string): TokenKind {
  if (MARK.test(text)) return 'mark'
  return /\d|^["'`]|^[\da-f]{8,40}$/.test(text) ? 'value' : 'word'
}

/** Lines with the same shape have values, words and marks at the same places. */
export function shapeOf(tokens: readonly LineToken[]): string {
  return tokens.map(({ kind, text }) => (kind === 'mark' ? text : kind === 'value' ? '9' : 'w')).join('')
}

/** A value without its quotes, and without a mark at its end. */
export function bareValue(text: string): string {
  // A sentence may end with a number.
  let own = text
    .trim()
    .replace(/[,;]$/, '')
    .replace(/(?<=\d)\.$/, '')
  for (let around = 0; around < 2; around++) {
    const quoted = /^(["'`])(.*)\1$/.exec(own) ?? /^\{()([^{}]*|\{[^{}]*\})\}$/.exec(own)
    if (quoted === null) break
    own = quoted[2] ?? own
  }
  return own
}
