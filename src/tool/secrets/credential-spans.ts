import { isSensitiveName } from './sensitive-name.ts'
import type { Span } from './spans.ts'

/** Where a text itself shows that a credential stands: fields of JSON with secret names, `api_key=...`, `Bearer ...`, addresses with a password. */
export function credentialSpans(text: string): readonly Span[] {
  const spans: Span[] = []
  addFields(text, spans)
  addAssignments(text, spans)
  addHeaders(text, spans)
  addAddresses(text, spans)
  return spans
}

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
const NAME_BEFORE = /[\w.-]+$/
/** The value of an assignment: between quotes on one line, or to the end of a word, a parameter or a list item. */
const ASSIGNED = /\s?(?:"([^"\n]*)|'([^'\n]*)|([^\s"'&;,)\]}]+))/y
/** A printed object quotes its texts: `{ password: 'x' }`. */
const PRINTED = /\s?(?:"([^"\n]*)|'([^'\n]*)|`([^`]*))/y
/** A header has no quotes; a word before a colon in a sentence has neither. */
const HEADER = /[^\S\n]*([^\r\n]+)/y

/** `api_key=x`, `--password=x`, `{ password: 'x' }`, `x-api-key: x`. */
function addAssignments(text: string, spans: Span[]): void {
  for (let at = text.search(/[=:]/); at !== -1 && at < text.length; at = nextSign(text, at)) {
    const name = NAME_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_NAME), at))?.[0]
    if (name === undefined || !isSensitiveName(name)) continue
    const isHeader = text[at] === ':' && /[a-z]-[a-z]|^(?:proxy-)?authorization$|^cookie$/i.test(name)
    const value = text[at] === '=' ? ASSIGNED : isHeader ? HEADER : PRINTED
    value.lastIndex = at + 1
    const found = value
      .exec(text)
      ?.slice(1)
      .find((each) => each !== undefined)
    if (found !== undefined && found !== '') spans.push([value.lastIndex - found.length, value.lastIndex])
  }
}

function nextSign(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) if (text[next] === '=' || text[next] === ':') return next
  return -1
}

const BEARER = /\b(?:bearer|basic)[^\S\n]+([\w.~+/=-]{4,})/gi

/** After `Basic` a word of small letters is an ordinary word. */
function addHeaders(text: string, spans: Span[]): void {
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
