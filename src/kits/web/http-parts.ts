import { isRecord } from '../../schema/json-schema.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { filledText, placeholdersIn, plainText } from './url-template.ts'

/** The parts of one request that come from the input of a call. */
export interface HttpParts {
  /** The values of the placeholders of the URL. */
  readonly path?: Readonly<Record<string, unknown>> | undefined
  readonly query?: readonly (readonly [name: string, value: string])[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** As it is sent. */
  readonly body?: string | Uint8Array | undefined
  readonly contentType?: string | undefined
}

/** How the fields of an input become parts of a request. */
export interface HttpMapping {
  readonly inUrl: readonly string[]
  /** Parameter and field. */
  readonly query: readonly (readonly [parameter: string, field: string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | false | undefined
  readonly bodyType: 'json' | 'form' | 'text'
}

/** The parts of a request by the names of fields. A text is one field, `input`. */
export function httpParts(input: unknown, { inUrl, query, headers, body, bodyType }: HttpMapping): HttpParts {
  // A field that is not given must not be found among those that every object has.
  const fields = { __proto__: null, ...(isRecord(input) ? input : { input }) } as Readonly<Record<string, unknown>>
  const inHeaders = Object.values(headers).flatMap(placeholdersIn)
  const used = new Set([...inUrl, ...query.map(([, field]) => field), ...inHeaders])
  return {
    path: fields,
    query: query.flatMap(([parameter, field]) => parameterValues(field, fields[field]).map((value) => [parameter, value] as const)),
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        // A header whose only field is not given is not sent.
        placeholdersIn(value).some((field) => fields[field] === undefined) ? [] : [[name, filledText(value, fields)]],
      ),
    ),
    ...(body === false ? {} : encodedBody(bodyContent(input, { used, body }), bodyType, isRecord(input))),
  }
}

function parameterValues(field: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((each) => {
    const text = plainText(each)
    if (text === undefined)
      throw unfit(`'${field}' must be a text, a number, true or false, or a list of them: it is a parameter of the query.`)
    if (!text.isWellFormed()) throw unfit(`'${field}' holds half of a surrogate pair, which a request cannot hold.`)
    return text
  })
}

function bodyContent(input: unknown, { used, body }: { readonly used: ReadonlySet<string>; readonly body: string | undefined }): unknown {
  if (!isRecord(input)) return used.has('input') ? undefined : input
  if (body !== undefined) return Object.hasOwn(input, body) ? input[body] : undefined
  const rest = Object.entries(input).filter(([field]) => !used.has(field))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

function encodedBody(content: unknown, type: HttpMapping['bodyType'], isTyped: boolean): Pick<HttpParts, 'body' | 'contentType'> {
  if (content === undefined) return {}
  if (type === 'text') {
    const text = plainText(content)
    if (text === undefined) throw unfit('The body must be a text.')
    if (!text.isWellFormed()) throw unfit('The body holds half of a surrogate pair, which UTF-8 cannot write.')
    return { body: text, contentType: 'text/plain; charset=utf-8' }
  }
  if (type === 'json') return { body: isTyped ? JSON.stringify(content) : jsonOf(content), contentType: 'application/json' }
  if (!isRecord(content)) throw unfit('The body must be an object, for a form.')
  const pairs = Object.entries(content).flatMap(([field, value]) =>
    parameterValues(field, value).map((each): [string, string] => [field, each]),
  )
  return { body: new URLSearchParams(pairs).toString(), contentType: 'application/x-www-form-urlencoded' }
}

/** The text of a tool without a schema is JSON already. */
function jsonOf(text: unknown): string {
  try {
    return JSON.stringify(JSON.parse(String(text)))
  } catch {
    throw unfit('The input is not JSON, and the service takes nothing else.')
  }
}

function unfit(message: string): ToolError {
  return new ToolError(message, { code: 'invalid_input', outcome: 'not_started' })
}
