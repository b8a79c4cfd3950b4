import { isSensitiveName } from './sensitive-name.ts'

/** The text that replaces a secret. */
export const MASK = '••••••'

/** Replaces the given secrets anywhere in a text, and the values of fields with secret names if the text is JSON, whole or broken. */
export function maskText(text: string, secrets: ReadonlySet<string>): string {
  return maskFields(maskKnown(text, secrets))
}

/** The longest first: a secret may contain another. */
function maskKnown(text: string, secrets: ReadonlySet<string>): string {
  if (secrets.size === 0) return text
  const written = new Set([...secrets].flatMap(writtenForms))
  let masked = text
  for (const secret of [...written].toSorted((a, b) => b.length - a.length)) {
    if (secret !== '') masked = masked.replaceAll(secret, MASK)
  }
  return masked
}

/** As it is, as JSON writes it, and as an address writes it. */
function writtenForms(secret: string): readonly string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]
}

/** A field's name and colon, in JSON or in JSON inside a JSON string. */
const FIELD = /(\\?")([^"\\]{1,128})\1\s{0,16}:\s{0,16}/g

function maskFields(text: string): string {
  let masked = ''
  let from = 0
  FIELD.lastIndex = 0
  for (let field = FIELD.exec(text); field !== null; field = FIELD.exec(text)) {
    const [all, quote = '"', name = ''] = field
    if (!isSensitiveName(name)) continue
    const [start, end] = insideOfValue(text, field.index + all.length, quote)
    if (end === start) continue
    masked += text.slice(from, start) + MASK
    from = end
    FIELD.lastIndex = end
  }
  return from === 0 ? text : masked + text.slice(from)
}

type Span = readonly [start: number, end: number]

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
