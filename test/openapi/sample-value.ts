type Schema = Readonly<Record<string, unknown>>

/** Thrown where no value can be made by this simple means. */
export class NoSample extends Error {
  override readonly name = 'NoSample'
}

const DEEPEST = 12

/** A value that fits a schema: required fields only, the first option of each union. `at` follows references. */
export function sampleValue(given: unknown, at: (reference: string) => unknown, depth = 0): unknown {
  if (depth > DEEPEST) throw new NoSample('too deep')
  if (given === true || given === undefined) return 'anything'
  const schema = given as Schema
  const again = (each: unknown): unknown => sampleValue(each, at, depth + 1)
  if (typeof schema['$ref'] === 'string') return again(at(schema['$ref']))
  if (schema['const'] !== undefined) return schema['const']
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[]).find((each) => each !== null) ?? null
  if (Array.isArray(schema['allOf'])) return mergedSample(schema, again)
  for (const word of ['oneOf', 'anyOf']) if (Array.isArray(schema[word])) return unionSample(schema, schema[word] as unknown[], again)
  const type = Array.isArray(schema['type']) ? (schema['type'] as unknown[]).find((each) => each !== 'null') : schema['type']
  switch (type ?? (schema['properties'] === undefined ? 'string' : 'object')) {
    case 'object':
      return objectSample(schema, again)
    case 'array':
      return Array.from({ length: Math.max(Number(schema['minItems'] ?? 0), schema['uniqueItems'] === true ? 0 : 1) }, () =>
        again(schema['items']),
      )
    case 'integer':
    case 'number':
      return numberSample(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textSample(schema)
  }
}

function mergedSample(schema: Schema, again: (each: unknown) => unknown): unknown {
  const { allOf, ...beside } = schema
  const parts = (allOf as unknown[]).map(again)
  if (beside['properties'] !== undefined) parts.push(again({ type: 'object', ...beside }))
  if (parts.length === 1) return parts[0]
  if (parts.every((part) => typeof part === 'object' && part !== null)) return Object.assign({}, ...parts) as unknown
  throw new NoSample('a conjunction of texts')
}

function unionSample(schema: Schema, options: readonly unknown[], again: (each: unknown) => unknown): unknown {
  const { required, properties, type } = schema
  for (const option of options) {
    try {
      const chosen = again(option)
      if (properties === undefined) return chosen
      const around = again({ type: type ?? 'object', properties, required })
      return typeof chosen === 'object' && chosen !== null ? { ...(around as object), ...chosen } : around
    } catch (error) {
      if (!(error instanceof NoSample)) throw error
    }
  }
  throw new NoSample('no option of a union')
}

function objectSample({ properties, required }: Schema, again: (each: unknown) => unknown): unknown {
  const fields = (properties ?? {}) as Schema
  return Object.fromEntries(((required ?? []) as string[]).map((name) => [name, again(fields[name])]))
}

function numberSample({ minimum, maximum, exclusiveMinimum, multipleOf }: Schema): number {
  const least =
    typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : exclusiveMinimum === true ? Number(minimum) + 1 : Number(minimum ?? 1)
  const value = typeof multipleOf === 'number' ? Math.ceil(least / multipleOf) * multipleOf : least
  return typeof maximum === 'number' ? Math.min(value, maximum) : value
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  email: 'ada@example.com',
  uri: 'https://example.com/a',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
}

function textSample({ format, pattern, minLength, maxLength }: Schema): string {
  if (pattern !== undefined) throw new NoSample('a pattern')
  const text = FORMATS[String(format)] ?? 'a b/c&d'
  const long = text.padEnd(Number(minLength ?? 0), 'x')
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long
}
