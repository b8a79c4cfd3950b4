import fc from 'fast-check'

type Schema = Readonly<Record<string, unknown>>
type Values = fc.Arbitrary<unknown>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

const ANY: Values = fc.jsonValue({ maxDepth: 2 }).map(withoutPrototypeKeys)
const NAMES = fc.oneof(
  fc.constantFrom('a', 'b', 'key', 'value', 'toString', 'x y'),
  fc.string({ maxLength: 4 }).filter((name) => name !== '__proto__'),
)
const FORMATS: Readonly<Record<string, string>> = {
  ...{ 'date-time': '2026-11-16T08:00:00Z', date: '2026-11-16', email: 'ada@example.com', uri: 'https://example.com/', ipv4: '10.0.0.1' },
  uuid: '0b9f2f1e-3d3c-4b8e-9c1f-3a1f0c3c2b1a',
}

/** A value goes through JSON, as it does between a model and a tool. */
function withoutPrototypeKeys(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each: unknown) => (key === '__proto__' ? undefined : each))
}

/** Values that mostly fit a schema: of an original, or of a dialect. Objects that are only implicitly open get no other properties. */
export function valuesOf(schema: unknown, root: Schema, depth = 0): Values {
  if (!isSchema(schema)) return ANY
  const of = (each: unknown, more = 1): Values => valuesOf(each, root, depth + more)
  if (schema['nullable'] === true) return fc.oneof(fc.constant(null), of({ ...schema, nullable: false }, 0))
  if (typeof schema['$ref'] === 'string') {
    const { $ref, ...beside } = schema
    return of({ ...target($ref as string, root), ...beside })
  }
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...beside } = schema
    return of((allOf as readonly Schema[]).reduce((all, each) => together(all, resolved(each, root)), beside))
  }
  for (const keyword of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[keyword])) {
      const { [keyword]: options, ...beside } = schema
      const list = options as readonly unknown[]
      // The last options of a deep value end it.
      const chosen = depth > 5 ? list.filter((each) => isSchema(each) && !('$ref' in each) && each['type'] !== 'object') : list
      return fc.oneof(...(chosen.length > 0 ? chosen : list).map((each) => of(together(beside, resolved(each, root)))))
    }
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as readonly unknown[]))
  const { type } = schema
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => of({ ...schema, type: each }, 0)))
  return typed(schema, root, depth)
}

function typed(schema: Schema, root: Schema, depth: number): Values {
  const { type } = schema
  if (type === 'object' || 'properties' in schema) return objects(schema, root, depth)
  if (type === 'array' || 'items' in schema || 'prefixItems' in schema) return lists(schema, root, depth)
  if (type === 'string' || 'minLength' in schema) return texts(schema)
  if (type === 'number' || type === 'integer') return numbers(schema)
  if (type === 'boolean') return fc.boolean()
  return type === 'null' ? fc.constant(null) : ANY
}

function target($ref: string, root: Schema): Schema {
  let node: unknown = root
  for (const part of $ref.split('/').slice(1)) node = isSchema(node) ? node[part] : undefined
  return isSchema(node) ? node : {}
}

function resolved(schema: unknown, root: Schema): Schema {
  if (!isSchema(schema)) return {}
  return typeof schema['$ref'] === 'string' ? { ...target(schema['$ref'], root), ...schema, $ref: undefined } : schema
}

function together(a: Schema, b: Schema): Schema {
  const properties = { ...(isSchema(a['properties']) ? a['properties'] : {}), ...(isSchema(b['properties']) ? b['properties'] : {}) }
  const required = [a['required'], b['required']].flatMap((each) => (Array.isArray(each) ? (each as readonly unknown[]) : []))
  return { ...a, ...b, ...(Object.keys(properties).length > 0 ? { properties } : {}), ...(required.length > 0 ? { required } : {}) }
}

function objects(schema: Schema, root: Schema, depth: number): Values {
  const { properties, additionalProperties, patternProperties, propertyNames } = schema
  const known = Object.entries(isSchema(properties) ? properties : {}).filter(([, each]) => each !== false)
  const required = (Array.isArray(schema['required']) ? schema['required'] : []) as readonly string[]
  const listed = isSchema(propertyNames) && Array.isArray(propertyNames['enum']) ? (propertyNames['enum'] as readonly string[]) : []
  const undeclared = [...new Set([...listed, ...required])].filter((name) => !known.some(([each]) => each === name))
  const all = [...known, ...undeclared.map((name): [string, unknown] => [name, additionalProperties ?? true])]
  const wanted = all.filter(([name]) => depth <= 6 || required.includes(name))
  const fields = wanted.map(([name, each]) => {
    const present = valuesOf(each, root, depth + 1).map((value) => [[name, value]] as const)
    return required.includes(name) ? present : fc.oneof(present, fc.constant([] as const))
  })
  const others: fc.Arbitrary<readonly (readonly [string, unknown])[]>[] = []
  const isBare = !isSchema(properties) && additionalProperties === undefined && patternProperties === undefined
  if (listed.length === 0 && (additionalProperties === true || isSchema(additionalProperties) || (isBare && depth > 0)))
    if (depth <= 6) others.push(fc.array(fc.tuple(NAMES, valuesOf(additionalProperties ?? true, root, depth + 1)), { maxLength: 3 }))
  for (const [pattern, each] of Object.entries(isSchema(patternProperties) ? patternProperties : {}))
    others.push(fc.array(fc.tuple(fc.stringMatching(new RegExp(pattern)), valuesOf(each, root, depth + 1)), { maxLength: 2 }))
  return fc.tuple(fc.tuple(...others), fc.tuple(...fields)).map(([more, own]) => Object.fromEntries([...more.flat(), ...own.flat()]))
}

function lists(schema: Schema, root: Schema, depth: number): Values {
  const { prefixItems, items, minItems = 0, maxItems } = schema
  const prefix = Array.isArray(prefixItems) ? (prefixItems as readonly unknown[]) : []
  const least = Number(minItems)
  const most = Math.min(Number(maxItems ?? Infinity), Math.max(least, depth > 5 ? 0 : prefix.length === 0 ? 3 : 2))
  const hasRest = most > 0 && items !== false && (prefix.length === 0 || items !== undefined)
  const rest = hasRest
    ? fc.array(valuesOf(items ?? true, root, depth + 1), { minLength: Math.max(0, least - prefix.length), maxLength: Math.max(0, most) })
    : fc.constant([])
  const { contains } = schema
  if (isSchema(contains) && 'const' in contains) return rest.map((list) => [...list, contains['const']])
  if (prefix.length === 0) return rest
  return fc
    .tuple(fc.nat({ max: prefix.length }), fc.tuple(...prefix.map((each) => valuesOf(each, root, depth + 1))), rest)
    .map(([count, first, more]) => {
      const length = Math.max(count, least)
      return length < prefix.length ? first.slice(0, length) : [...first, ...more]
    })
}

function texts(schema: Schema): Values {
  const { pattern, format, minLength = 0, maxLength } = schema
  if (typeof format === 'string' && FORMATS[format] !== undefined && pattern === undefined) return fc.constant(FORMATS[format])
  if (typeof pattern === 'string')
    try {
      return fc.stringMatching(new RegExp(pattern, 'u'))
    } catch {
      return fc.constantFrom('xx', 'x', ...Object.values(FORMATS))
    }
  const free = fc.string({ minLength: Number(minLength), maxLength: Math.min(Number(maxLength ?? 8), 8) })
  const isFree = minLength === 0 && maxLength === undefined
  return isFree ? fc.oneof(free, fc.constantFrom('{}', '42', '"a"', 'null', '[1]', 'true', '{"x":1}', 'ada@example.com')) : free
}

function numbers(schema: Schema): Values {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const low = Math.max(Number(minimum ?? -1000), exclusiveMinimum === undefined ? -1000 : Number(exclusiveMinimum) + 0.01)
  const high = Math.min(Number(maximum ?? 1000), exclusiveMaximum === undefined ? 1000 : Number(exclusiveMaximum) - 0.01)
  const whole = fc.integer({ min: Math.ceil(low), max: Math.max(Math.ceil(low), Math.floor(high)) })
  if (schema['type'] === 'integer') return whole
  if (multipleOf !== undefined) return whole.map((value) => value * Number(multipleOf))
  return fc.oneof(
    whole,
    fc.double({ min: low, max: high, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  )
}
