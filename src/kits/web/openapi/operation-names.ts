import { shortName } from '../../../tool/identity.ts'
import type { OpenApiOperation, RenamedOperation } from './openapi-options.ts'

/** Gives every operation a name of its own: the same document gives the same names. */
export class OperationNames {
  readonly #taken = new Set<string>()
  readonly #prefix: string
  readonly renamed: RenamedOperation[] = []

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  nameOf(operation: OpenApiOperation, own: string | undefined): string {
    const wanted = own ?? this.#prefix + (operation.operationId ?? `${operation.method.toLowerCase()}_${operation.path}`)
    const valid = shortName(validName(wanted))
    let name = valid
    for (let number = 2; this.#taken.has(name); number++) name = shortName(`${valid}_${number}`)
    this.#taken.add(name)
    if (name !== wanted) this.renamed.push(Object.freeze({ operation, name, reason: reasonOf({ operation, own, wanted, valid, name }) }))
    return name
  }
}

function validName(text: string): string {
  const name = text
    .replaceAll(/[{}]/g, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return name === '' ? 'operation' : name
}

interface Renaming {
  readonly operation: OpenApiOperation
  readonly own: string | undefined
  readonly wanted: string
  readonly valid: string
  readonly name: string
}

function reasonOf({ operation, own, wanted, valid, name }: Renaming): string {
  if (name !== valid) return `another operation has the name '${valid}'`
  if (own === undefined && operation.operationId === undefined) return 'the document gives it no operationId'
  return wanted.length > 64 ? 'it is longer than 64 characters' : "it has characters that are no letters, digits or '_'"
}
