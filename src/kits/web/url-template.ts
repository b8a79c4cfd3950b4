import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'

const PLACEHOLDER = /\{([A-Za-z_][\w.-]*)\}/g
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/

/** A URL with `{placeholders}` in its path and its query. A value stays inside the segment, or the query value, where its placeholder is. */
export class UrlTemplate {
  readonly names: readonly string[]
  /** The host, which no value can change. */
  readonly base: URL
  readonly #segments: readonly string[]
  readonly #query: string

  constructor(text: string, owner: string) {
    const wrong = (why: string): ConfigurationError => new ConfigurationError('invalid_definition', `The url of ${owner} ${why}.`)
    if (typeof text !== 'string') throw wrong(`must be a text such as 'https://api.example.com/orders/{id}', not ${quote(text)}`)
    const {
      origin = '',
      path = '',
      query = '',
    } = /^(?<origin>[^/?#]*\/\/[^/?#]*)(?<path>[^?#]*)(?<query>\?[^#]*)?$/.exec(text)?.groups ?? {}
    const base = origin === '' || /[{}]/.test(origin) ? null : URL.parse(origin)
    if (base === null || (base.protocol !== 'https:' && base.protocol !== 'http:'))
      throw wrong(`must begin with http:// or https:// and a host, have no '#', and have placeholders only after the host: ${quote(text)}`)
    if (base.username !== '' || base.password !== '') throw wrong('must not hold a user or a password: use auth')
    if (/[{}]/.test(`${path}${query}`.replaceAll(PLACEHOLDER, '')))
      throw wrong(`has a brace that is not part of a placeholder such as {id}: ${quote(text)}`)
    this.base = base
    this.names = [...new Set(Array.from(`${path}${query}`.matchAll(PLACEHOLDER), ([, name = '']) => name))]
    this.#segments = path.split('/')
    this.#query = query
    if (this.#segments.some(isDots)) throw wrong("must not have '.' or '..' in its path")
  }

  /** The URL with these values in place of the placeholders. */
  urlWith(values: Readonly<Record<string, unknown>>): URL {
    const path = this.#segments.map((segment) => filledSegment(segment, values)).join('/')
    const query = this.#query.replaceAll(PLACEHOLDER, (_all, name: string) => encoded(name, values[name]))
    const url = new URL(`${this.base.origin}${path}${query}`)
    // The parser of URLs must see the same parts as this template.
    const isKept = url.origin === this.base.origin && url.pathname.split('/').length === Math.max(2, this.#segments.length)
    if (!isKept) throw invalid('A value would change the path of the URL.')
    return url
  }
}

function filledSegment(segment: string, values: Readonly<Record<string, unknown>>): string {
  const filled = segment.replaceAll(PLACEHOLDER, (_all, name: string) => {
    const text = encoded(name, values[name])
    if (text === '') throw invalid(`'${name}' is empty: it is a part of the path of the URL.`)
    return text
  })
  if (filled !== segment && isDots(filled)) throw invalid(`A value in the path of the URL must not be '.' or '..'.`)
  return filled
}

/** Also in the forms that the parser of URLs takes for dots. */
function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment)
}

/** A value of a placeholder that is encoded already, in one segment. */
export class EncodedText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

function encoded(name: string, value: unknown): string {
  if (value instanceof EncodedText) {
    if (/^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2})*$/i.test(value.text)) return value.text
    throw invalid(`'${name}' would leave its place in the path of the URL.`)
  }
  const text = plainText(value)
  if (text === undefined) throw invalid(`'${name}' must be a text, a number, or true or false: it is a part of the URL.`)
  if (CONTROL.test(text)) throw invalid(`'${name}' holds a control character, and it is a part of the URL.`)
  if (!text.isWellFormed()) throw invalid(`'${name}' holds half of a surrogate pair, which a URL cannot hold.`)
  return encodeURIComponent(text)
}

/** A value as a part of a URL or a header; undefined if it has no one form there. */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  return undefined
}

/** The names of the placeholders in a text. */
export function placeholdersIn(text: string): readonly string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name)
}

/** A text with values in place of its placeholders, not encoded. */
export function filledText(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(PLACEHOLDER, (_all, name: string) => {
    const value = plainText(values[name])
    if (value === undefined) throw invalid(`'${name}' must be a text, a number, or true or false: it is a part of a header.`)
    return value
  })
}

function invalid(message: string): ToolError {
  return new ToolError(message, { code: 'invalid_input', outcome: 'not_started' })
}
