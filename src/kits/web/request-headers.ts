import { quote } from '../../schema/quote.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { ENCODINGS } from './decoded-body.ts'

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
/** A line break would begin another header, or another request. */
// oxlint-disable-next-line no-control-regex
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/
/** They say where a message ends and who it is for: only the client may set them. */
const OF_CLIENT = new Set(
  'host connection content-length transfer-encoding te trailer upgrade keep-alive expect http2-settings accept-encoding'.split(' '),
)
/** Only these reach another origin. */
const FOR_EVERYBODY: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent', 'accept-encoding'])
const LONGEST_VALUE = 8192

/** The headers of a request, checked, with names in small letters. */
export function requestHeaders(given: Readonly<Record<string, string>>, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': ENCODINGS }
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase()
    if (!NAME.test(name)) throw refused(`${quote(name)} is not the name of a header.`)
    if (OF_CLIENT.has(key) || key.startsWith('proxy-') || key.startsWith('sec-'))
      throw refused(`The header '${name}' is set by the client alone.`)
    if (typeof value !== 'string' || !VALUE.test(value) || value.length > LONGEST_VALUE)
      throw refused(`The value of the header '${name}' has a line break, a control character or one that is not Latin, or is too long.`)
    headers[key] = value
  }
  return headers
}

/** The headers that a redirect to another origin may see: no credential, no cookie, nothing that a program has added. */
export function headersForStrangers(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => FOR_EVERYBODY.has(name)))
}

function refused(message: string): ToolError {
  return new ToolError(message, {
    code: 'invalid_input',
    outcome: 'not_started',
    hint: 'Correct the headers of the request and call again.',
  })
}
