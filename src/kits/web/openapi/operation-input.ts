import { isRecord, type JsonSchema } from '../../../schema/json-schema.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import type { HttpParts } from '../http-parts.ts'
import type { FoundOperation } from './list-operations.ts'
import type { Node, OpenApiDocument } from './openapi-document.ts'
import { type ParameterForm, pathParameter, plainParameter, queryPairs } from './parameter-text.ts'
import { type RequestBody, requestBody } from './request-body.ts'
import type { SchemaConverter } from './schema-converter.ts'
import { Unfit } from './unfit.ts'

/** The input of an operation, and the request that it becomes. */
export interface OperationInput {
  readonly schema: JsonSchema
  /** The path with placeholders for `request`. */
  readonly path: string
  readonly request: (input: Readonly<Record<string, unknown>>) => HttpParts
  /** The header in which the operation takes an idempotency key. */
  readonly keyHeader: string | undefined
}

/** They are set by the client, or belong to the security of the operation. */
const NOT_PARAMETERS: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'authorization',
  'host',
  'content-length',
  'cookie',
  'user-agent',
])
const KEY_HEADERS: ReadonlySet<string> = new Set(['idempotency-key', 'x-idempotency-key'])

interface Parameter extends ParameterForm {
  readonly node: Node
  readonly schema: unknown
  readonly isRequired: boolean
  /** Of a parameter of the path. */
  readonly placeholder: string
}

interface Making {
  readonly document: OpenApiDocument
  readonly converter: SchemaConverter
  readonly carriers: ReadonlySet<string>
}

export function operationInput(found: FoundOperation, { document, converter, carriers }: Making): OperationInput {
  const { operation, node, shared } = found
  const all = declaredParameters(document, shared, node)
  const keyHeader = all.find(({ in: place, name }) => place === 'header' && KEY_HEADERS.has(String(name).toLowerCase()))
  const isOurs = ({ in: place, name }: Node): boolean => {
    const word = String(name).toLowerCase()
    return place === 'header'
      ? !NOT_PARAMETERS.has(word) && !KEY_HEADERS.has(word) && !carriers.has(`header ${word}`)
      : !carriers.has(`${String(place)} ${word}`)
  }
  const inPath = Array.from(operation.path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
  const declared = all.filter((each) => isOurs(each) && (each['in'] !== 'path' || inPath.includes(String(each['name']))))
  // A placeholder that nobody describes is a text.
  const missing = [...new Set(inPath)].filter((name) => !declared.some((each) => each['in'] === 'path' && each['name'] === name))
  const nodes = [...missing.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })), ...declared]
  const fields = new FieldNames()
  const parameters = nodes.map((each) => parameterOf(each, fields, inPath))
  const reserved = new Set([...all.map(({ in: place, name }) => `${String(place)} ${String(name).toLowerCase()}`), ...carriers])
  const body = requestBody(document, node, operation.method)
  const bodyField = body === undefined ? undefined : fields.take('body')
  return {
    path: operation.path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => `{p${inPath.indexOf(name)}}`),
    schema: converter.around(() => inputSchema({ parameters, body, bodyField, converter })),
    request: (given) => {
      // A field that is not given must not be found among those that every object has.
      const input = { __proto__: null, ...given } as Readonly<Record<string, unknown>>
      return requestOf({ parameters, reserved }, input, bodyField === undefined || body === undefined ? undefined : { body, value: input[bodyField] })
    },
    keyHeader: keyHeader === undefined ? undefined : String(keyHeader['name']),
  }
}

/** Those of the operation replace those of the path. */
function declaredParameters(document: OpenApiDocument, shared: Node, node: Node): readonly Node[] {
  const named = new Map<string, Node>()
  for (const list of [shared['parameters'], node['parameters']]) {
    for (const each of Array.isArray(list) ? list : []) {
      const parameter = document.follow(each)
      if (typeof parameter['name'] !== 'string') throw new Unfit('a parameter of it has no name')
      named.set(`${String(parameter['in'])} ${parameter['name']}`, parameter)
    }
  }
  return [...named.values()]
}

const DEFAULT_STYLES: Readonly<Record<string, string>> = { path: 'simple', header: 'simple', query: 'form', cookie: 'form' }
const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  header: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  cookie: ['form'],
}

function parameterOf(node: Node, fields: FieldNames, inPath: readonly string[]): Parameter {
  const name = String(node['name'])
  const place = node['in'] as Parameter['in']
  if (!Object.hasOwn(DEFAULT_STYLES, place)) throw new Unfit(`its parameter '${name}' is in '${place}', which is no place for one`)
  const style = typeof node['style'] === 'string' ? node['style'] : (DEFAULT_STYLES[place] as string)
  if (!STYLES[place]?.includes(style))
    throw new Unfit(`its parameter '${name}' has the style '${style}', which a parameter in ${place} cannot have`)
  const [media] = isRecord(node['content']) ? Object.values(node['content']).filter(isRecord) : []
  return {
    node,
    name,
    in: place,
    field: fields.take(name),
    style,
    explode: typeof node['explode'] === 'boolean' ? node['explode'] : style === 'form',
    isJson: media !== undefined,
    schema: media === undefined ? (node['schema'] ?? { type: 'string' }) : media['schema'],
    isRequired: node['required'] === true || place === 'path',
    placeholder: `p${inPath.indexOf(name)}`,
  }
}

/** Names of fields that every model can write, each given once. */
class FieldNames {
  readonly #taken = new Set<string>()

  take(wanted: string): string {
    const valid =
      wanted
        .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
        .replaceAll(/^_+(?=.)|(?<=.)_+$/g, '')
        .slice(0, 60) || 'value'
    let name = valid
    for (let number = 2; this.#taken.has(name) || name === '__proto__'; number++) name = `${valid}_${number}`
    this.#taken.add(name)
    return name
  }
}

interface Described {
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly bodyField: string | undefined
  readonly converter: SchemaConverter
}

function inputSchema({ parameters, body, bodyField, converter }: Described): JsonSchema {
  const properties: [string, JsonSchema][] = parameters.map(({ field, schema, node }) => [
    field,
    described(converter.convert(schema), node),
  ])
  if (body !== undefined && bodyField !== undefined)
    properties.push([bodyField, described(converter.convert(body.schema), { description: body.description })])
  const required = [
    ...parameters.filter(({ isRequired }) => isRequired).map(({ field }) => field),
    ...(body?.isRequired === true && bodyField !== undefined ? [bodyField] : []),
  ]
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

function described(schema: JsonSchema, { description, deprecated }: Node): JsonSchema {
  return {
    ...schema,
    ...(typeof description === 'string' && description.trim() !== ''
      ? { description: joinedText(description, schema['description']) }
      : {}),
    ...(deprecated === true ? { deprecated: true } : {}),
  }
}

function joinedText(first: string, second: unknown): string {
  return typeof second === 'string' && second.trim() !== first.trim() ? `${first.trim()} ${second.trim()}` : first.trim()
}

interface GivenBody {
  readonly body: RequestBody
  readonly value: unknown
}

interface Requesting {
  readonly parameters: readonly Parameter[]
  /** The parameters of the document, and those that carry secrets: `query page`. */
  readonly reserved: ReadonlySet<string>
}

/** The fields of an object may become parameters of their own, but none that is another one already. */
function pairsOf(parameter: Parameter, value: unknown, reserved: ReadonlySet<string>): ReturnType<typeof queryPairs> {
  const pairs = queryPairs(parameter, value)
  const taken = pairs.find(([name]) => name !== parameter.name && reserved.has(`${parameter.in} ${name.toLowerCase()}`))
  if (taken === undefined) return pairs
  throw new ToolError(`'${parameter.field}' has the field '${taken[0]}', which is another parameter of the request.`, {
    code: 'invalid_input',
    outcome: 'not_started',
  })
}

function requestOf(
  { parameters, reserved }: Requesting,
  input: Readonly<Record<string, unknown>>,
  given: GivenBody | undefined,
): HttpParts {
  const of = (place: Parameter['in']): readonly Parameter[] =>
    parameters.filter((each) => each.in === place && input[each.field] !== undefined)
  const cookies = of('cookie').flatMap((each) =>
    pairsOf(each, input[each.field], reserved).map(([name, value]) => [name === each.name ? name : encodeURIComponent(name), value] as const),
  )
  const headers = of('header').flatMap((each) => {
    const text = plainParameter(each, input[each.field])
    return text === undefined ? [] : [[each.name, text] as const]
  })
  const cookie = cookies.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
  return {
    path: Object.fromEntries(of('path').map((each) => [each.placeholder, pathParameter(each, input[each.field])])),
    query: of('query').flatMap((each) => pairsOf(each, input[each.field], reserved)),
    headers: { ...Object.fromEntries(headers), ...(cookie === '' ? {} : { cookie }) },
    ...(given === undefined || given.value === undefined ? {} : given.body.encode(given.value)),
  }
}
