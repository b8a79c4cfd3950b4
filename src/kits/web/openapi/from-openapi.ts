import { SchemaError } from '../../../schema/schema-error.ts'
import { excerpt } from '../../../schema/quote.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { RequireApproval } from '../../../tool/approval-rule.ts'
import { checkChoice, checkFunction, checkOptions } from '../../../tool/check-given.ts'
import { isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { LONGEST_TITLE } from '../../../tool/identity.ts'
import type { Effect } from '../../../tool/metadata.ts'
import { checkOptionNames } from '../../../tool/option-names.ts'
import { type GuardedFetch, guardedFetch } from '../guarded-fetch.ts'
import { type HttpMethod, httpTool } from '../http-tool.ts'
import { compiledOnUse } from './compiled-on-use.ts'
import { chosenOperations, type FoundOperation, listOperations } from './list-operations.ts'
import { type OpenApiDocument, readDocument } from './openapi-document.ts'
import {
  type FromOpenApiOptions,
  OPERATION_NAMES,
  type OpenApiOperation,
  type OpenApiTools,
  OPTION_NAMES,
  type SkippedOperation,
} from './openapi-options.ts'
import { operationInput } from './operation-input.ts'
import { OperationNames } from './operation-names.ts'
import { operationOutput } from './operation-output.ts'
import { SecuritySchemes } from './operation-security.ts'
import { operationServer } from './operation-server.ts'
import { SchemaConverter } from './schema-converter.ts'
import { Unfit } from './unfit.ts'

/**
 * Makes a typed tool of every operation of an OpenAPI document: of 3.0, 3.1 or 3.2 as an object or as JSON; YAML and Swagger 2.0 need the package `@scalar/openapi-parser`. What
 * cannot become a tool is listed with the reason. Nothing is fetched.
 * @example
 * const { tools, skipped } = await fromOpenApi(petStore, { server: 'https://pets.example', include: ['getPet'], auth: { key: 'PETS_KEY' } })
 * console.log(tools.map(({ name }) => name)) // [ 'getPet' ]
 */
export async function fromOpenApi(document: unknown, options: FromOpenApiOptions = {}): Promise<OpenApiTools> {
  checkOptions(options, 'The options of fromOpenApi')
  checkOptionNames(options, OPTION_NAMES, 'The options of fromOpenApi')
  checkChoice(options.outputs, ['check', 'none'], "'outputs' of fromOpenApi")
  if (options.operation !== undefined) checkFunction(options.operation, "'operation' of fromOpenApi")
  const read = await readDocument(document)
  const making = new Making(read, options)
  const tools: AgentTool<Readonly<Record<string, unknown>>>[] = []
  const skipped: SkippedOperation[] = []
  for (const found of chosenOperations(listOperations(read), options)) {
    const made = making.toolOf(found)
    if (typeof made === 'string') skipped.push(Object.freeze({ operation: found.operation, reason: made }))
    else tools.push(made)
  }
  return { tools, skipped, renamed: making.names.renamed }
}

/** Nobody knows what a request does that does not only read: only PUT, which says what there will be, counts as less than irreversible. */
const EFFECTS: Readonly<Record<HttpMethod, Effect>> = {
  GET: 'read',
  HEAD: 'read',
  OPTIONS: 'read',
  TRACE: 'read',
  QUERY: 'read',
  PUT: 'write',
  POST: 'irreversible',
  PATCH: 'irreversible',
  DELETE: 'irreversible',
}

class Making {
  readonly names: OperationNames
  readonly #document: OpenApiDocument
  readonly #options: FromOpenApiOptions
  readonly #security: SecuritySchemes
  readonly #requests: SchemaConverter
  readonly #responses: SchemaConverter
  /** One for each service. */
  readonly #fetches = new Map<string, GuardedFetch>()

  constructor(document: OpenApiDocument, options: FromOpenApiOptions) {
    this.#document = document
    this.#options = options
    // A mistake in them is told also where no operation becomes a tool.
    if (options.access !== undefined) guardedFetch(options.access)
    this.#security = new SecuritySchemes(document, options)
    this.#requests = new SchemaConverter(document, 'request')
    this.#responses = new SchemaConverter(document, 'response')
    this.names = new OperationNames(options.prefix ?? '')
  }

  /** The tool, or why there is none. */
  toolOf(found: FoundOperation): AgentTool<Readonly<Record<string, unknown>>> | string {
    if (found.problem !== undefined) return found.problem
    const { operation } = found
    const own = this.#options.operation?.(operation) ?? {}
    checkOptionNames(own, OPERATION_NAMES, `What 'operation' of fromOpenApi gives for ${operation.method} ${operation.path}`)
    try {
      return this.#make(found, own)
    } catch (error) {
      if (error instanceof Unfit) return error.message
      const isOfDocument = error instanceof SchemaError || (isConfigurationError(error) && OF_DOCUMENT.has(error.code))
      if (isOfDocument) return error.message
      throw error
    }
  }

  #make(
    found: FoundOperation,
    own: NonNullable<ReturnType<NonNullable<FromOpenApiOptions['operation']>>>,
  ): AgentTool<Readonly<Record<string, unknown>>> {
    const { operation, node } = found
    if (operation.path.includes('#')) throw new Unfit("its path has a '#', and what follows it is never sent")
    const server = operationServer(this.#document, found, this.#options)
    const { auth, carriers } = this.#security.of(node, server)
    const input = operationInput(found, { document: this.#document, converter: this.#requests, carriers })
    const output =
      this.#options.outputs === 'none' || operation.method === 'HEAD' ? undefined : operationOutput(this.#document, node, this.#responses)
    const { name, description, requireApproval, ...metadata } = own
    const effect = metadata.effect ?? EFFECTS[operation.method]
    return httpTool({
      ...(operation.summary === undefined || operation.summary.trim() === '' ? {} : { title: titleOf(operation.summary) }),
      tags: ['http', ...operation.tags],
      idempotent: effect === 'read' ? true : input.keyHeader === undefined ? false : 'keyed',
      ...metadata,
      requireApproval: requireApproval as RequireApproval<unknown> | undefined,
      effect,
      name: this.names.nameOf(operation, name),
      description: description ?? descriptionOf(operation, node['description']),
      method: operation.method,
      url: `${server}${input.path}`,
      inputSchema: compiledOnUse(input.schema, `The input of ${operation.method} ${operation.path}`),
      ...(output === undefined ? {} : { outputSchema: compiledOnUse(output, `The answer of ${operation.method} ${operation.path}`) }),
      request: (given: unknown) => input.request(given as Readonly<Record<string, unknown>>),
      auth,
      idempotencyHeader: input.keyHeader ?? false,
      fetch: this.#fetchOf(server),
    }) as unknown as AgentTool<Readonly<Record<string, unknown>>>
  }

  #fetchOf(server: string): GuardedFetch {
    const { fetch, access } = this.#options
    if (fetch !== undefined) return fetch
    const { origin, hostname, port, protocol } = new URL(server)
    let made = this.#fetches.get(origin)
    if (made === undefined) {
      made = guardedFetch({ allowHosts: [`${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`], ...access })
      this.#fetches.set(origin, made)
    }
    return made
  }
}

/** Mistakes that a document can make; all others are mistakes of the program. */
const OF_DOCUMENT: ReadonlySet<string> = new Set(['invalid_schema', 'invalid_definition'])

function titleOf(summary: string): string {
  return excerpt(summary.replaceAll(/\s+/g, ' ').trim(), LONGEST_TITLE - 30)
}

const LONGEST_DESCRIPTION = 1500

function descriptionOf({ summary, method, path, deprecated }: OpenApiOperation, description: unknown): string {
  const words = [summary, typeof description === 'string' ? description : undefined]
    .filter((each): each is string => each !== undefined && each.trim() !== '')
    .map((each) => each.trim())
  const sentences = [...new Set(words)].map((each) => (/[.!?:]$/.test(each) ? each : `${each}.`))
  if (sentences.length === 0) sentences.push(`Calls ${method} ${path}.`)
  if (deprecated) sentences.unshift('Deprecated.')
  return excerpt(sentences.join('\n'), LONGEST_DESCRIPTION)
}
