import type * as scalar from '@scalar/openapi-parser'
import { isRecord, unescapePointer } from '../../../schema/json-schema.ts'
import { excerpt, quote } from '../../../schema/quote.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { missingPackage } from '../../../tool/missing-package.ts'
import { measuredTree } from './measured-tree.ts'
import { Unfit } from './unfit.ts'

export type Node = Readonly<Record<string, unknown>>

/** So many references may lead from one to the next before something that is none. */
const MOST_HOPS = 50

/** A document in the words of 3.0 or 3.1. References inside it are followed; nothing is ever fetched. */
export class OpenApiDocument {
  readonly root: Node
  /** In 3.0, `nullable` has a meaning, and what stands beside a reference has none. */
  readonly isOld: boolean

  constructor(root: Node) {
    this.root = root
    this.isOld = String(root['openapi']).startsWith('3.0')
  }

  /** The object itself, or the one that it refers to. */
  follow(node: unknown): Node {
    let found = node
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      if (!isRecord(found)) throw new Unfit(`the document has ${quote(found)} where an object must be`)
      if (typeof found['$ref'] !== 'string') return found
      found = this.at(found['$ref'])
    }
    throw new Unfit(`the reference ${quote((node as Node)['$ref'])} leads to itself`)
  }

  /** What a reference points at. */
  at(reference: string): unknown {
    if (!reference.startsWith('#'))
      throw new Unfit(`the reference ${quote(reference)} leads out of the document. Bundle the document first`)
    let found: unknown = this.root
    for (const segment of pointerSegments(reference)) {
      const next: unknown =
        (isRecord(found) || Array.isArray(found)) && Object.hasOwn(found, segment) ? (found as Node)[segment] : undefined
      if (next === undefined) throw new Unfit(`the reference ${quote(reference)} leads to nothing`)
      found = next
    }
    return found
  }
}

function pointerSegments(reference: string): readonly string[] {
  const pointer = reference.slice(1)
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new Unfit(`the reference ${quote(reference)} is an anchor, which is not supported`)
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => unescapePointer(decoded(segment)))
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Takes an object, or a text in JSON or YAML. Swagger 2.0 is upgraded. */
export async function readDocument(given: unknown): Promise<OpenApiDocument> {
  const parsed = typeof given === 'string' ? await parseText(given) : given
  if (!isRecord(parsed)) throw wrong(`must be an OpenAPI document, as an object or as text in JSON or YAML, not ${quote(parsed)}`)
  const root = parsed['swagger'] === undefined ? parsed : await upgraded(copyOf(parsed))
  const version = root['openapi']
  if (typeof version !== 'string' || !/^3\.[012](\.|$)/.test(version))
    throw wrong(`must be of OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0; its 'openapi' is ${quote(version)}`)
  if (!isRecord(root['paths'])) throw wrong("has no 'paths', and so no operations")
  // A copy: later changes of the program do not reach the tools, and what is shared between tools can be frozen.
  return new OpenApiDocument(copyOf(root))
}

function copyOf(root: Node): Node {
  try {
    measuredTree(root)
    return structuredClone(root)
  } catch (error) {
    if (error instanceof Unfit) throw wrong(error.message)
    throw wrong('holds something that is no data, such as a function')
  }
}

async function parseText(text: string): Promise<unknown> {
  try {
    return JSON.parse(text) as unknown
  } catch {
    const { normalize } = await parser('to read YAML')
    try {
      return normalize(text) as unknown
    } catch (cause) {
      throw wrong(`is neither JSON nor YAML: ${excerpt(cause instanceof Error ? cause.message : String(cause), 200)}`)
    }
  }
}

async function upgraded(document: Node): Promise<Node> {
  if (document['swagger'] !== '2.0') throw wrong(`must be of OpenAPI 3 or Swagger 2.0; its 'swagger' is ${quote(document['swagger'])}`)
  const { upgradeFromTwoToThree } = await parser('to read Swagger 2.0')
  try {
    return upgradeFromTwoToThree(document as never) as unknown as Node
  } catch (cause) {
    throw wrong(`could not be upgraded from Swagger 2.0: ${excerpt(cause instanceof Error ? cause.message : String(cause), 200)}`)
  }
}

async function parser(purpose: string): Promise<typeof scalar> {
  try {
    return await import('@scalar/openapi-parser')
  } catch (cause) {
    throw missingPackage(cause, '@scalar/openapi-parser', purpose)
  }
}

function wrong(why: string): ConfigurationError {
  return new ConfigurationError('invalid_option', `The document of fromOpenApi ${why}.`)
}
