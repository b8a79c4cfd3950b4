import { isRecord } from '../../../schema/json-schema.ts'
import { sha256 } from './sha256.ts'
import type { HttpParts } from '../http-parts.ts'
import type { Node, OpenApiDocument } from './openapi-document.ts'
import { type ParameterForm, queryPairs } from './parameter-text.ts'
import { Unfit } from './unfit.ts'

/** The body of a request: its schema in the document, and how a value is sent. */
export interface RequestBody {
  readonly schema: unknown
  readonly description: string | undefined
  readonly isRequired: boolean
  readonly encode: (value: unknown) => Pick<HttpParts, 'body' | 'contentType'>
}

/** Undefined where there is none, or where it may be left out and has no form that can be sent. */
export function requestBody(document: OpenApiDocument, node: Node, method: string): RequestBody | undefined {
  if (node['requestBody'] === undefined) return undefined
  const given = document.follow(node['requestBody'])
  const isRequired = given['required'] === true
  const description = typeof given['description'] === 'string' ? given['description'] : undefined
  const content = isRecord(given['content'])
    ? Object.entries(given['content']).filter((each): each is [string, Node] => isRecord(each[1]))
    : []
  if (content.length === 0) return undefined
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && isRequired) throw new Unfit(`${method} with a body is not supported`)
  if (isRead) return undefined
  for (const each of FORMS) {
    const found = content.find(([type]) => each.takes(mediaType(type)))
    if (found === undefined) continue
    const made = each.make(document, found[1], found[0])
    if (made !== undefined) return { ...made, description, isRequired }
  }
  if (!isRequired) return undefined
  throw new Unfit(`its body is ${content.map(([type]) => type).join(' or ')}, which cannot be made of an input of JSON`)
}

function mediaType(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}

interface BodyForm {
  readonly takes: (type: string) => boolean
  readonly make: (document: OpenApiDocument, media: Node, type: string) => Pick<RequestBody, 'schema' | 'encode'> | undefined
}

const FORMS: readonly BodyForm[] = [
  { takes: (type) => type === 'application/json', make: (_document, media, type) => json(media, type) },
  { takes: (type) => /\+json$|^text\/json$/.test(type), make: (_document, media, type) => json(media, type) },
  { takes: (type) => type === 'application/x-www-form-urlencoded', make: form },
  { takes: (type) => type === 'multipart/form-data', make: multipart },
  { takes: (type) => type === '*/*' || type === 'application/*', make: (_document, media) => json(media, 'application/json') },
  { takes: (type) => type.startsWith('text/') && type !== 'text/event-stream', make: (_document, _media, type) => text(type) },
]

function json({ schema }: Node, type: string): Pick<RequestBody, 'schema' | 'encode'> {
  return { schema, encode: (value) => ({ body: JSON.stringify(value), contentType: type }) }
}

function text(type: string): Pick<RequestBody, 'schema' | 'encode'> {
  const contentType = type.includes('*') ? 'text/plain; charset=utf-8' : type
  return { schema: { type: 'string' }, encode: (value) => ({ body: String(value), contentType }) }
}

function form(document: OpenApiDocument, { schema, encoding }: Node): Pick<RequestBody, 'schema' | 'encode'> {
  return {
    schema,
    encode: (value) => {
      const pairs = Object.entries(isRecord(value) ? value : {}).flatMap(([name, each]) =>
        queryPairs(formOf(document, name, encoding), each),
      )
      return {
        body: new URLSearchParams(pairs.map(([name, each]): [string, string] => [name, each])).toString(),
        contentType: 'application/x-www-form-urlencoded',
      }
    },
  }
}

function formOf(document: OpenApiDocument, name: string, encodings: unknown): ParameterForm {
  const encoding = isRecord(encodings) && isRecord(encodings[name]) ? document.follow(encodings[name]) : {}
  const style = typeof encoding['style'] === 'string' ? encoding['style'] : 'form'
  const explode = typeof encoding['explode'] === 'boolean' ? encoding['explode'] : style === 'form'
  const isJson = typeof encoding['contentType'] === 'string' && /json/i.test(encoding['contentType'])
  return { name, field: name, in: 'query', style, explode, isJson }
}

/** Files cannot be made of JSON: a field for one is left out, and if it is required, there is no such tool. */
function multipart(document: OpenApiDocument, { schema, encoding }: Node): Pick<RequestBody, 'schema' | 'encode'> | undefined {
  const whole = document.follow(schema ?? {})
  const properties = isRecord(whole['properties']) ? whole['properties'] : {}
  const required: readonly unknown[] = Array.isArray(whole['required']) ? whole['required'] : []
  const files = Object.keys(properties).filter((name) => isFile(document, properties[name]))
  if (files.some((name) => required.includes(name))) return undefined
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !files.includes(name)))
  if (Object.keys(kept).length === 0 && files.length > 0) return undefined
  return { schema: files.length === 0 ? schema : { ...whole, properties: kept }, encode: (value) => multipartBody(value, encoding) }
}

function isFile(document: OpenApiDocument, schema: unknown): boolean {
  const { type, format, items, contentMediaType, contentEncoding } = document.follow(schema ?? {})
  if (type === 'array' || (Array.isArray(type) && type.includes('array'))) return items !== undefined && isFile(document, items)
  return format === 'binary' || type === 'file' || (contentMediaType === 'application/octet-stream' && contentEncoding === undefined)
}

function multipartBody(value: unknown, encodings: unknown): Pick<HttpParts, 'body' | 'contentType'> {
  const parts = Object.entries(isRecord(value) ? value : {}).flatMap(([name, each]) => {
    const encoding = isRecord(encodings) && isRecord(encodings[name]) ? encodings[name] : {}
    const type = typeof encoding['contentType'] === 'string' ? encoding['contentType'].split(',')[0]?.trim() : undefined
    return (Array.isArray(each) ? each : [each]).filter((item) => item !== undefined).map((item) => part(name, item, type))
  })
  // The same for the same content, and in no content.
  const boundary = `toolwright-${sha256(parts.join('\n'))}`
  const body = `${parts.map((each) => `--${boundary}\r\n${each}\r\n`).join('')}--${boundary}--\r\n`
  return { body, contentType: `multipart/form-data; boundary=${boundary}` }
}

function part(name: string, value: unknown, type: string | undefined): string {
  const escaped = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const isPlain = typeof value !== 'object' || value === null
  const header = type ?? (isPlain ? undefined : 'application/json')
  const lines = [`Content-Disposition: form-data; name="${escaped}"`, ...(header === undefined ? [] : [`Content-Type: ${header}`])]
  return `${lines.join('\r\n')}\r\n\r\n${isPlain && !/json/i.test(type ?? '') ? String(value) : JSON.stringify(value)}`
}
