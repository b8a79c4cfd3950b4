import { isSensitiveName } from './sensitive-name.ts'
import type { Span } from './spans.ts'

/** Where a text itself shows that a credential stands: fields of JSON with secret names, `api_key=...`, `Bearer ...`, addresses with a password. */
export function credentialSpans(text: string): readonly Span[] {
  if (!SIGNS.test(text)) return NONE
  const spans: Span[] = []
  addFields(text, spans)
  addAssignments(text, spans)
  addHeaders(text, spans)
  addAddresses(text, spans)
  return spans
}

const NONE: readonly Span[] = []

/** Every credential has one of these beside it. */
const SIGNS = /[=:]|bearer|basic/i

/** A field's name and colon, in JSON or in JSON inside a JSON string. */
const FIELD = /(\\?")([^"\\]{1,128})\1\s{0,16}:\s{0,16}/g

function addFields(text: string, spans: Span[]): void {
  if (!text.includes('"')) return
  FIELD.lastIndex = 0
  for (let field = FIELD.exec(text); field !== null; field = FIELD.exec(text)) {
    const [all, quote = '"', name = ''] = field
    if (!isSensitiveName(name)) continue
    const [start, end] = insideOfValue(text, field.index + all.length, quote)
    if (end === start) continue
    spans.push([start, end])
    FIELD.lastIndex = end
  }
}

const NUMBER = /-?\d[\d.eE+-]*/y

/** The span to hide of the value that begins here: a string between its quotes, a number, a list or an object, to the end of the text if it is cut off. A word (`true`, `null`) is shown. */
function insideOfValue(text: string, start: number, quote: string): Span {
  if (text.startsWith(quote, start)) return [start + quote.length, endOfString(text, start + quote.length, quote)]
  if (text[start] === '{' || text[start] === '[') return [start, endOfGroup(text, start, quote)]
  NUMBER.lastIndex = start
  return [start, NUMBER.test(text) ? NUMBER.lastIndex : start]
}

/** The place of the closing quote. */
function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at
    if (text[at] === '\\') at++
  }
  return text.length
}

/** The place after the closing bracket. */
function endOfGroup(text: string, start: number, quote: string): number {
  let open = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (text.startsWith(quote, at)) at = endOfString(text, at + quote.length, quote) + quote.length - 1
    else if (character === '{' || character === '[') open++
    else if ((character === '}' || character === ']') && --open === 0) return at + 1
  }
  return text.length
}

const LONGEST_NAME = 64
/** The value of an assignment: between quotes on one line, or to the end of a word, a parameter or a list item. */
const ASSIGNED = /\s?(?:"([^"\n]*)|'([^'\n]*)|([^\s"'&;,)\]}]+))/y
/** A printed object quotes its texts: `{ password: 'x' }`. */
const PRINTED = /\s?(?:"([^"\n]*)|'([^'\n]*)|`([^`]*))/y
/** A header has no quotes; a word before a colon in a sentence has neither. */
const HEADER = /[^\S\n]*([^\r\n]+)/y

/** `api_key=x`, `--password=x`, `{ password: 'x' }`, `x-api-key: x`. */
function addAssignments(text: string, spans: Span[]): void {
  for (let at = 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign !== EQUALS && sign !== COLON) continue
    const name = nameBefore(text, at)
    if (name === '' || !isSensitiveName(name)) continue
    const isHeader = sign === COLON && /[a-z]-[a-z]|^(?:proxy-)?authorization$|^cookie$/i.test(name)
    const value = sign === EQUALS ? ASSIGNED : isHeader ? HEADER : PRINTED
    value.lastIndex = at + 1
    const found = value
      .exec(text)
      ?.slice(1)
      .find((each) => each !== undefined)
    if (found === undefined || found === '') continue
    spans.push([value.lastIndex - found.length, value.lastIndex])
    at = value.lastIndex - 1
  }
}

const EQUALS = 0x3d
const COLON = 0x3a

function nameBefore(text: string, end: number): string {
  let start = end
  while (start > 0 && end - start < LONGEST_NAME && isOfName(text.charCodeAt(start - 1))) start--
  return text.slice(start, end)
}

/** Letters, digits, `_`, `.` and `-`. */
function isOfName(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  )
}

const BEARER = /\b(?:bearer|basic)[^\S\n]+([\w.~+/=-]{4,})/gi

/** After `Basic` a word of small letters is an ordinary word. */
function addHeaders(text: string, spans: Span[]): void {
  if (!/bearer|basic/i.test(text)) return
  for (const { 0: all, 1: credential = '', index } of text.matchAll(BEARER)) {
    if (/^basic/i.test(all) && (credential.length < 8 || /^[a-z]+[.]?$/.test(credential))) continue
    spans.push([index + all.length - credential.length, index + all.length])
  }
}

const BEFORE_HOST = /[^\s/?#@"'<>\\]*@/y
/** A shorter name alone is a user, not a token: `ssh://git@host`. */
const SHORTEST_TOKEN = 16

/** `https://user:password@host`, `https://token@host`. */
function addAddresses(text: string, spans: Span[]): void {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    BEFORE_HOST.lastIndex = at + 3
    const found = BEFORE_HOST.exec(text)?.[0]
    if (found === undefined) continue
    const end = at + 3 + found.length - 1
    const colon = found.indexOf(':')
    if (colon !== -1 && colon < found.length - 2) spans.push([at + 4 + colon, end])
    else if (found.length > SHORTEST_TOKEN) spans.push([at + 3, end])
  }
}
