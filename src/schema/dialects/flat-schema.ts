import { dereference, isRecord, type JsonSchema, someSubschema } from '../json-schema.ts'
import { LEFT_OVER, type LeftOver, type Merged, mergeSchemas } from './merge-schemas.ts'

const WORDS_ONLY: ReadonlySet<string> = new Set([
  ...['$comment', '$defs', '$schema', '$id', 'default', 'definitions', 'deprecated', 'description', 'examples', 'readOnly', 'title'],
  ...['writeOnly', 'sensitive'],
])

/** A schema without references and `allOf` at its root. */
export interface Flat {
  readonly schema: Merged
  /** The references that were followed. */
  readonly followed: readonly string[]
}

/** Follows references and puts the parts of `allOf` together. */
export function flatSchema(schema: unknown, root: JsonSchema): Flat {
  const followed: string[] = []
  return { schema: flatten(schema, root, followed), followed }
}

function flatten(schema: unknown, root: JsonSchema, followed: string[]): Merged {
  if (schema === false) return false
  if (!isRecord(schema)) return {}
  const { $ref, allOf, ...own } = schema
  let merged: Merged = own
  if ($ref !== undefined) merged = mergeSchemas(followedSchema($ref, root, followed), merged)
  if (Array.isArray(allOf)) for (const each of allOf) merged = mergeSchemas(merged, flatten(each, root, followed))
  return merged
}

/** A reference that cannot be followed leaves its rule to validation. */
function followedSchema($ref: unknown, root: JsonSchema, followed: string[]): Merged {
  const target = dereference($ref, root)
  if (target === undefined || followed.includes(String($ref))) {
    const leftOver: readonly LeftOver[] = [{ keyword: '$ref', value: $ref }]
    return { [LEFT_OVER]: leftOver } as JsonSchema
  }
  followed.push(String($ref))
  return flatten(target, root, followed)
}

/** The reference, if the schema is nothing else. */
export function pureReference(schema: unknown): string | undefined {
  if (!isRecord(schema) || typeof schema['$ref'] !== 'string') return undefined
  return Object.keys(schema).every((keyword) => keyword === '$ref' || WORDS_ONLY.has(keyword)) ? schema['$ref'] : undefined
}

/** Whether a schema says nothing of a value. */
export function isAny(schema: JsonSchema): boolean {
  return Object.getOwnPropertySymbols(schema).length === 0 && Object.keys(schema).every((keyword) => WORDS_ONLY.has(keyword))
}

/** The rules of a schema, and its words for the reader. */
export function wordsAndRules(schema: JsonSchema): { readonly words: JsonSchema; readonly rules: JsonSchema } {
  const entries = Object.entries(schema)
  const rules: JsonSchema = Object.fromEntries(entries.filter(([keyword]) => !WORDS_ONLY.has(keyword)))
  const leftOver = (schema as Record<symbol, unknown>)[LEFT_OVER]
  return {
    words: Object.fromEntries(entries.filter(([keyword]) => WORDS_ONLY.has(keyword))),
    rules: leftOver === undefined ? rules : Object.assign(rules, { [LEFT_OVER]: leftOver }),
  }
}

/** Whether a reference leads back to itself. */
export function isRecursive(reference: string, root: JsonSchema): boolean {
  const seen = new Set<string>()
  const visit = (from: string): boolean => {
    if (seen.has(from)) return false
    seen.add(from)
    const target = dereference(from, root)
    // Definitions that stand inside a target are reached by references only.
    const { $defs: _defs, definitions: _definitions, ...own } = target ?? {}
    return someSubschema(own, ({ $ref }) => typeof $ref === 'string' && ($ref === reference || visit($ref)))
  }
  return visit(reference)
}

const MOST_STEPS = 64

/** Whether null is valid. Keywords for other types say nothing of it. */
export function takesNull(schema: unknown, root: JsonSchema, steps = 0): boolean {
  if (!isRecord(schema)) return schema !== false
  if (steps > MOST_STEPS) return true
  const takes = (each: unknown): boolean => takesNull(each, root, steps + 1)
  const { type, enum: options, $ref, allOf, anyOf, oneOf, not } = schema
  if (type !== undefined && !(Array.isArray(type) ? type.includes('null') : type === 'null')) return false
  if (Array.isArray(options) && !options.includes(null)) return false
  if ('const' in schema && schema['const'] !== null) return false
  const target = dereference($ref, root)
  if (target !== undefined && !takes(target)) return false
  if (Array.isArray(allOf) && !allOf.every(takes)) return false
  if (Array.isArray(anyOf) && !anyOf.some(takes)) return false
  if (Array.isArray(oneOf) && oneOf.filter(takes).length !== 1) return false
  if (not !== undefined && takes(not)) return false
  if (schema['if'] === undefined) return true
  return takes(takes(schema['if']) ? schema['then'] : schema['else'])
}
