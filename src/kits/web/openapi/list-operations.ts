import { isRecord } from '../../../schema/json-schema.ts'
import { quote } from '../../../schema/quote.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import type { HttpMethod } from '../http-tool.ts'
import type { Node, OpenApiDocument } from './openapi-document.ts'
import type { FromOpenApiOptions, OpenApiOperation } from './openapi-options.ts'

/** An operation with the nodes of the document that describe it. */
export interface FoundOperation {
  readonly operation: OpenApiOperation
  readonly node: Node
  /** Of all operations of the path. */
  readonly shared: Node
  /** Why the path itself cannot be read. */
  readonly problem?: string | undefined
}

const METHODS = ['get', 'head', 'options', 'trace', 'query', 'post', 'put', 'patch', 'delete'] as const

/** All operations in the order of the document. Callbacks and webhooks are requests of the service, not to it. */
export function listOperations(document: OpenApiDocument): readonly FoundOperation[] {
  return Object.entries(document.root['paths'] as Node).flatMap(([path, given]) => {
    if (!path.startsWith('/') || !isRecord(given)) return []
    const { shared, problem } = pathItem(document, given)
    return METHODS.flatMap((method) => {
      const node = shared[method]
      return isRecord(node) ? [{ operation: described(node, method, path), node, shared, problem }] : []
    })
  })
}

/** A reference of a path counts together with what stands beside it. */
function pathItem(document: OpenApiDocument, given: Node): { readonly shared: Node; readonly problem?: string } {
  if (given['$ref'] === undefined) return { shared: given }
  try {
    return { shared: { ...document.follow(given), ...given } }
  } catch (error) {
    return { shared: given, problem: error instanceof Error ? error.message : String(error) }
  }
}

function described(node: Node, method: (typeof METHODS)[number], path: string): OpenApiOperation {
  const { operationId, summary, tags } = node
  return Object.freeze({
    operationId: typeof operationId === 'string' && operationId.trim() !== '' ? operationId : undefined,
    method: method.toUpperCase() as HttpMethod,
    path,
    tags: Object.freeze(Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : []),
    deprecated: node['deprecated'] === true,
    summary: typeof summary === 'string' ? summary : undefined,
  })
}

/** The chosen operations. */
export function chosenOperations(found: readonly FoundOperation[], { include, exclude }: FromOpenApiOptions): readonly FoundOperation[] {
  const isIncluded = chooser(include, 'include', found)
  const isExcluded = chooser(exclude, 'exclude', found)
  return found.filter(({ operation }) => (isIncluded?.(operation) ?? true) && !(isExcluded?.(operation) ?? false))
}

type Chooser = (operation: OpenApiOperation) => boolean

function chooser(given: FromOpenApiOptions['include'], option: string, found: readonly FoundOperation[]): Chooser | undefined {
  if (given === undefined || typeof given === 'function') return given
  if (!Array.isArray(given) || !given.every((each) => typeof each === 'string'))
    throw new ConfigurationError('invalid_option', `'${option}' of fromOpenApi must be a list of texts or a function, not ${quote(given)}.`)
  const rules = (given as readonly string[]).map(matcher)
  for (const [index, rule] of rules.entries())
    if (!found.some(({ operation }) => rule(operation)))
      throw new ConfigurationError(
        'invalid_option',
        `${quote(given[index])} in '${option}' of fromOpenApi matches no operation of the document. Write an operationId, 'GET /path' or 'tag:name'.`,
      )
  return (operation) => rules.some((rule) => rule(operation))
}

function matcher(text: string): Chooser {
  const matches = text.endsWith('*') ? (word: string) => word.startsWith(text.slice(0, -1)) : (word: string) => word === text
  return ({ operationId, method, path, tags }) =>
    (operationId !== undefined && matches(operationId)) || matches(`${method} ${path}`) || tags.some((tag) => matches(`tag:${tag}`))
}
