import { dereference, isRecord, type JsonSchema, mapSubschemas } from './json-schema.ts'

export interface ModelParameters {
  /** What the model sees: one object at the root. */
  readonly parameters: JsonSchema
  /** The input stands under `input`. */
  readonly wrapped: boolean
}

/** Providers of models refuse a whole list of tools when one of them has such a keyword at the root. */
const REFUSED_AT_ROOT = ['allOf', 'anyOf', 'enum', 'not', 'oneOf']

const MOST_HOPS = 64

/** Models send objects: a root that is not plainly one is wrapped as `{ input }`. */
export function modelParameters(schema: JsonSchema): ModelParameters {
  const root = inlined(schema)
  const isObject = root['type'] === 'object' || (root['type'] === undefined && isRecord(root['properties']))
  if (isObject && !REFUSED_AT_ROOT.some((keyword) => keyword in root)) return { parameters: { type: 'object', ...root }, wrapped: false }
  return { parameters: wrap(schema), wrapped: true }
}

/** A root that only refers to a definition is shown as that definition. */
function inlined(schema: JsonSchema): JsonSchema {
  let root = schema
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    const { $ref, ...beside } = root
    const target = dereference($ref, schema)
    if (target === undefined) return root
    root = { ...target, ...beside }
  }
  return schema
}

/** References count from the root: definitions move up with it, and what pointed at the root points at `input`. */
function wrap(schema: JsonSchema): JsonSchema {
  const wrapper = { type: 'object', properties: { input: schema }, required: ['input'] }
  if (typeof schema['$id'] === 'string') return wrapper
  const { $defs, definitions, ...input } = moved(schema)
  return {
    ...wrapper,
    properties: { input },
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  }
}

function moved(schema: JsonSchema): JsonSchema {
  const mapped = mapSubschemas(schema, moved)
  const reference = schema['$ref']
  return typeof reference === 'string' ? { ...mapped, $ref: movedReference(reference) } : mapped
}

function movedReference(reference: string): string {
  if (reference !== '#' && !reference.startsWith('#/')) return reference
  return /^#\/(\$defs|definitions)\//.test(reference) ? reference : `#/properties/input${reference.slice(1)}`
}
