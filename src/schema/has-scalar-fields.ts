import type { StandardSchema } from './standard-schema.ts'
import { zodDefinition } from './zod-definition.ts'

/**
 * Whether a schema is one object of texts, numbers and truth values, judged by no code of its author. It takes a few steps for every input and
 * may be asked twice. An input that fits it has no null where none is allowed; undeclared fields it drops. False where that cannot be proved.
 */
export function hasScalarFields(schema: StandardSchema): boolean {
  try {
    return schema['~standard'].vendor === 'zod' && isScalarObject(schema)
  } catch {
    // A part of the schema does not exist yet.
    return false
  }
}

function isScalarObject(schema: unknown): boolean {
  const { type, checks = [], catchall, shape = {} } = zodDefinition(schema) ?? {}
  return type === 'object' && checks.length === 0 && catchall === undefined && Object.values(shape).every(isScalar)
}

/** A pattern, a format, a coercion and code of the author are none of them. */
const CHECKS: ReadonlySet<unknown> = new Set([
  'min_length',
  'max_length',
  'length_equals',
  'less_than',
  'greater_than',
  'multiple_of',
  'number_format',
])

function isScalar(schema: unknown): boolean {
  const { type, check, checks = [], coerce, innerType } = zodDefinition(schema) ?? {}
  if (![...checks.map((each) => zodDefinition(each)?.check), check].every((each) => each === undefined || CHECKS.has(each))) return false
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return coerce !== true
    case 'enum':
    case 'literal':
      return true
    case 'optional':
    case 'nullable':
      return isScalar(innerType)
    default:
      return false
  }
}
