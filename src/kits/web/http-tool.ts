import { quote } from '../../schema/quote.ts'
import type { AnySchema, SchemaOutput } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { RequireApproval } from '../../tool/approval-rule.ts'
import { checkChoice, checkFunction, checkOptions } from '../../tool/check-given.ts'
import type { ToolContext } from '../../tool/context.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { type Effect, type Metadata, METADATA_NAMES } from '../../tool/metadata.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { success } from '../../tool/result/returned.ts'
import { type InputOf, type ParsedOf, tool, type ToolDefinition } from '../../tool/tool.ts'
import { type GuardedFetch, guardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'
import { portOf } from './host-rules.ts'
import { httpAnswer } from './http-answer.ts'
import { authorize, checkAuth, type HttpAuth } from './http-auth.ts'
import { type HttpMapping, type HttpParts, httpParts } from './http-parts.ts'
import { placeholdersIn, UrlTemplate } from './url-template.ts'

/** The methods of HTTP that a tool may use. */
export type HttpMethod = 'GET' | 'HEAD' | 'OPTIONS' | 'TRACE' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The options of `httpTool`. */
export interface HttpToolOptions<S, OS, N extends string = string> extends Metadata {
  readonly name: N
  readonly description: string
  /** `https://api.example.com/orders/{id}`. Fields of the input replace the placeholders, and cannot leave their places. */
  readonly url: string
  /** `GET` by default. It decides the effect, unless `effect` does: all but GET, HEAD, OPTIONS, TRACE and QUERY are irreversible. */
  readonly method?: HttpMethod | undefined
  /** Without one, the tool takes a text: `{input}` of the URL, or the body. */
  readonly inputSchema?: S
  /** Of the answer of the service; checked on every call. */
  readonly outputSchema?: OS
  /** The fields that are parameters of the query, or the field of each parameter. */
  readonly query?: readonly string[] | Readonly<Record<string, string>> | undefined
  /** `{field}` in a value is replaced. Secrets belong into `auth`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The field that is the body. By default all fields that are used nowhere else; for methods without a body, none. */
  readonly body?: string | false | undefined
  /** `json` by default; `text` for a tool that takes a text. */
  readonly bodyType?: 'json' | 'form' | 'text' | undefined
  /** Makes the parts of the request from the input, instead of `query`, `headers` and `body`. A pure function. */
  readonly request?: ((input: ParsedOf<S>) => HttpParts) | undefined
  /** Secrets by name, and where they go. */
  readonly auth?: HttpAuth | readonly HttpAuth[] | undefined
  /** The header that carries the idempotency key of a call that does not only read; `Idempotency-Key` by default. */
  readonly idempotencyHeader?: string | false | undefined
  /** `body`: the value is the content of the answer. `response`: it is `{ status, headers, body }`. */
  readonly answer?: 'body' | 'response' | undefined
  readonly requireApproval?: RequireApproval<ParsedOf<S>> | undefined
  /** Limits, and hosts in private networks. By default only the host of the URL can be reached, by redirects too. */
  readonly access?: GuardedFetchOptions | undefined
  /** A guarded fetch that is there already, instead of `access`. */
  readonly fetch?: GuardedFetch | undefined
}

const NAMES = optionNames<HttpToolOptions<unknown, unknown>>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  url: true,
  method: true,
  inputSchema: true,
  outputSchema: true,
  query: true,
  headers: true,
  body: true,
  bodyType: true,
  request: true,
  auth: true,
  idempotencyHeader: true,
  answer: true,
  requireApproval: true,
  access: true,
  fetch: true,
})

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'QUERY'])
const METHODS = [...READS, 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Makes a tool of one request of an HTTP service. Values cannot leave their places in the URL, secrets are given by name, and a refusal of the service
 * becomes a classified failure.
 * @example
 * const findOrder = httpTool({
 *   name: 'find_order',
 *   description: 'Finds an order by its id.',
 *   url: 'https://api.example.com/orders/{id}',
 *   inputSchema: z.object({ id: z.string() }),
 *   outputSchema: z.object({ id: z.string(), total: z.number() }),
 *   auth: { secret: 'ORDERS_TOKEN' },
 * })
 */
export function httpTool<
  const S extends AnySchema | undefined = undefined,
  const OS extends AnySchema | undefined = undefined,
  N extends string = string,
>(options: HttpToolOptions<S, OS, N>): AgentTool<InputOf<S>, OS extends undefined ? unknown : SchemaOutput<OS>, N> {
  checkOptions(options, 'The options of httpTool')
  checkOptionNames(options, NAMES, 'The options of httpTool')
  const service = serviceOf(options)
  const { name, description, inputSchema, outputSchema, requireApproval, method = 'GET' } = options
  const reads = READS.has(method)
  const effect: Effect = options.effect ?? (reads ? 'read' : 'irreversible')
  const definition = {
    ...metadataOf(options),
    name,
    description,
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    requireApproval,
    effect,
    idempotent: options.idempotent ?? effect === 'read',
    source: options.source ?? service.template.base.host,
    estimates: { latencyMs: 300, p99Ms: 5000, reliability: 0.99, ...options.estimates },
    tags: options.tags ?? ['http'],
    execute: async (input: ParsedOf<S>, context: ToolContext) => callService(service, input, { context, effect }),
  }
  const made = tool(definition as ToolDefinition<S, OS, Readonly<Record<never, never>>, never, N>)
  checkFields(service, made)
  return made as AgentTool<InputOf<S>, OS extends undefined ? unknown : SchemaOutput<OS>, N>
}

/** The options of a tool, read once. */
interface HttpService {
  readonly owner: string
  readonly method: HttpMethod
  readonly template: UrlTemplate
  readonly auth: readonly HttpAuth[]
  readonly keyHeader: string | false
  readonly answer: 'body' | 'response'
  readonly fetch: GuardedFetch
  readonly parts: (input: never) => HttpParts
  /** The fields that the options name; undefined if a function reads them. */
  readonly fields: readonly string[] | undefined
}

function serviceOf<S>(options: HttpToolOptions<S, unknown>): HttpService {
  const owner = `tool '${options.name}'`
  const { method = 'GET', answer = 'body', headers = {}, idempotencyHeader = 'Idempotency-Key', request } = options
  checkChoice(method, METHODS, `The method of ${owner}`)
  checkChoice(answer, ['body', 'response'], `'answer' of ${owner}`)
  checkChoice(options.bodyType, ['json', 'form', 'text'], `'bodyType' of ${owner}`)
  if (request !== undefined) checkFunction(request, `'request' of ${owner}`)
  const template = new UrlTemplate(options.url, owner)
  const auth = options.auth === undefined ? [] : [options.auth].flat()
  for (const each of auth) checkAuth(each, owner)
  const isText = options.inputSchema === undefined
  const mapping: HttpMapping = {
    inUrl: template.names,
    query: queryOf(options.query, owner),
    headers,
    body: options.body ?? (WITH_BODY.has(method) ? undefined : false),
    bodyType: options.bodyType ?? (isText ? 'text' : 'json'),
  }
  const fields = [
    ...mapping.inUrl,
    ...mapping.query.map(([, field]) => field),
    ...Object.values(headers).flatMap(placeholdersIn),
    ...(typeof mapping.body === 'string' ? [mapping.body] : []),
  ]
  if (isText && request === undefined && mapping.body === false && !fields.includes('input'))
    throw new ConfigurationError(
      'invalid_definition',
      `${owner} takes a text and does not send it. Put {input} into its url, or give it an inputSchema.`,
    )
  return {
    owner,
    method,
    template,
    auth,
    keyHeader: idempotencyHeader,
    answer,
    fetch: options.fetch ?? guardedFetch({ allowHosts: [hostAndPort(template.base)], ...options.access }),
    parts: (request as HttpService['parts'] | undefined) ?? ((input) => httpParts(input, mapping)),
    fields: request === undefined ? fields : undefined,
  }
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`
}

function queryOf(given: HttpToolOptions<unknown, unknown>['query'], owner: string): HttpMapping['query'] {
  const pairs: readonly unknown[][] = Array.isArray(given) ? given.map((field: unknown) => [field, field]) : Object.entries(given ?? {})
  if (!pairs.flat().every((each) => typeof each === 'string' && each !== ''))
    throw new ConfigurationError('invalid_option', `'query' of ${owner} must hold names of fields, not ${quote(given)}.`)
  return pairs as unknown as HttpMapping['query']
}

/** A field that the schema does not have would fail every call. */
function checkFields({ fields, owner }: HttpService, { specification }: AgentTool): void {
  const { properties, additionalProperties } = specification.parameters
  if (fields === undefined || typeof properties !== 'object' || (additionalProperties !== undefined && additionalProperties !== false))
    return
  const missing = fields.find((field) => !Object.hasOwn(properties as object, field))
  if (missing !== undefined)
    throw new ConfigurationError(
      'invalid_definition',
      `The request of ${owner} uses the field '${missing}', which its inputSchema does not have.`,
    )
}

function metadataOf<S, OS, N extends string>(options: HttpToolOptions<S, OS, N>): Metadata {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(METADATA_NAMES, name)))
}

interface Calling {
  readonly context: ToolContext
  readonly effect: Effect
}

async function callService(service: HttpService, input: unknown, { context, effect }: Calling): Promise<unknown> {
  const { method, template, auth, keyHeader, answer } = service
  const { path = {}, query = [], headers: given = {}, body, contentType } = service.parts(input as never)
  const url = template.urlWith(path)
  for (const [name, value] of query) url.searchParams.append(name, value)
  const headers: Record<string, string> = {
    accept: 'application/json, text/*;q=0.9, */*;q=0.5',
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(effect === 'read' || keyHeader === false ? {} : { [keyHeader.toLowerCase()]: context.idempotencyKey }),
  }
  for (const each of auth) authorize({ url, headers }, each, await context.secret(each.secret))
  const acts = effect === 'read' ? undefined : true
  const response = await service.fetch(url, { method, headers, body, signal: context.signal, acts, whenTooLarge: 'truncate' })
  const content = httpAnswer(response)
  if (answer === 'body') return content === null ? success(null, { text: `The service answered ${response.status}.` }) : content
  return { status: response.status, headers: Object.fromEntries(response.headers), body: content }
}
