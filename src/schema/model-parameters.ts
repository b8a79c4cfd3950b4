import { dereference, isRecord, type JsonSchema } from './json-schema.ts'
import { type Nesting, nestSchema } from './nest-schema.ts'

export interface ModelParameters {
  /** What the model sees: one object at the root. */
  readonly parameters: JsonSchema
  /** The input is under `input`. */
  readonly wrapped: boolean
}

/** Providers of models refuse a whole list of tools when one of them has such a keyword at the root. */
const REFUSED_AT_ROOT = ['allOf', 'anyOf', 'enum', 'not', 'oneOf']

const MAX_HOPS = 64

const WRAPPER: Nesting = {
  around: (input) => ({ type: 'object', properties: { input }, required: ['input'] }),
  pointer: '/properties/input',
}

/** Models send objects: a root that is not plainly one is wrapped as `{ input }`. */
export function modelParameters(schema: JsonSchema): ModelParameters {
  const root = inlined(schema)
  const isObject = root['type'] === 'object' || (root['type'] === undefined && isRecord(root['properties']))
  if (isObject && !REFUSED_AT_ROOT.some((keyword) => keyword in root)) return { parameters: { type: 'object', ...root }, wrapped: false }
  return { parameters: nestSchema(schema, WRAPPER), wrapped: true }
}

/** A root that only refers to a definition is shown as that definition. */
function inlined(schema: JsonSchema): JsonSchema {
  let root = schema
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const { $ref, ...beside } = root
    const target = dereference($ref, schema)
    if (target === undefined) return root
    root = { ...target, ...beside }
  }
  return schema
}
