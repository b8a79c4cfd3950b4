import { isRecord, isSameJson, type JsonSchema } from '../json-schema.ts'
import type { Codec } from './codec.ts'

/** Whether no value has the shapes of both. */
export function areDisjoint(a: Codec, b: Codec): boolean {
  const shared = kindsOf(a).filter((kind) => kindsOf(b).includes(kind))
  if (shared.length === 0) return true
  if ('anyOf' in a.schema || 'anyOf' in b.schema || a.kinds !== undefined || b.kinds !== undefined) return false
  return schemasAreDisjoint(a.schema, b.schema)
}

const ALL = ['array', 'boolean', 'null', 'number', 'object', 'string']

function kindsOf(codec: Codec): readonly string[] {
  return codec.kinds ?? schemaKinds(codec.schema)
}

function schemaKinds(schema: JsonSchema): readonly string[] {
  const { type, anyOf, nullable } = schema
  const own = Array.isArray(anyOf)
    ? anyOf.flatMap((each) => (isRecord(each) ? schemaKinds(each) : ALL))
    : typeof type === 'string'
      ? [type === 'integer' ? 'number' : type]
      : ALL
  return nullable === true ? [...own, 'null'] : own
}

/** Both have one type. */
function schemasAreDisjoint(a: JsonSchema, b: JsonSchema): boolean {
  const [left, right] = [listed(a), listed(b)]
  if (left !== undefined && right !== undefined) return !left.some((each) => right.some((other) => isSameJson(each, other)))
  if (a['type'] !== 'object' || b['type'] !== 'object') return false
  return misses(a, b) || misses(b, a) || haveOtherConstants(a, b)
}

function listed(schema: JsonSchema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']]
  return Array.isArray(schema['enum']) ? (schema['enum'] as readonly unknown[]) : undefined
}

/** The one requires a property that the other, which is closed, does not have. */
function misses(a: JsonSchema, b: JsonSchema): boolean {
  const { properties } = b
  if (b['additionalProperties'] !== false || !isRecord(properties) || !Array.isArray(a['required'])) return false
  return a['required'].some((name) => typeof name === 'string' && !Object.hasOwn(properties, name))
}

function haveOtherConstants(a: JsonSchema, b: JsonSchema): boolean {
  const [left, right] = [a['properties'], b['properties']]
  if (!isRecord(left) || !isRecord(right) || !Array.isArray(a['required']) || !Array.isArray(b['required'])) return false
  const both = a['required'].filter((name): name is string => typeof name === 'string' && (b['required'] as unknown[]).includes(name))
  return both.some((name) => {
    const [one, other] = [left[name], right[name]]
    if (!isRecord(one) || !isRecord(other)) return false
    const [values, others] = [listed(one), listed(other)]
    return values !== undefined && others !== undefined && !values.some((each) => others.some((option) => isSameJson(each, option)))
  })
}
