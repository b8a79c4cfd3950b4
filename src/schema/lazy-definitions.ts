import type { _, Ajv, CodeKeywordDefinition, ValidateFunction } from 'ajv'
import { isRecord, type JsonSchema, mapSubschemas, someSubschema } from './json-schema.ts'

/** A keyword of our own: the value must fit the definition of this name. */
const DEFINITION = 'toolwright:definition'

const REFERENCE = /^#\/\$defs\/([A-Za-z0-9_.-]+)$/

/** Fewer are compiled at once: this takes no time that anybody notices. */
const LEAST = 20

/** With these, a reference may mean something else, or a check has to know what another one has looked at. */
const OTHER_MEANINGS = [
  ...['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef', '$recursiveAnchor', 'definitions', 'default'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]

/** Whether a schema has many definitions, and only references by their names. */
export function hasLazyDefinitions(schema: JsonSchema): boolean {
  const definitions = schema['$defs']
  if (!isRecord(definitions) || Object.keys(definitions).length < LEAST || !Object.values(definitions).every(isRecord)) return false
  const { $defs: _all, ...rest } = schema
  return [rest, ...(Object.values(definitions) as JsonSchema[])].every(
    (each) => !someSubschema(each, (inner) => !isPlain(inner, definitions)),
  )
}

function isPlain(schema: JsonSchema, definitions: Readonly<Record<string, unknown>>): boolean {
  const { $ref: reference } = schema
  if ('$defs' in schema || OTHER_MEANINGS.some((word) => word in schema)) return false
  return reference === undefined || Object.hasOwn(definitions, nameIn(reference) ?? '')
}

function nameIn(reference: unknown): string | undefined {
  return typeof reference === 'string' ? REFERENCE.exec(reference)?.[1] : undefined
}

/**
 * The schema without its definitions, for an engine that compiles each of them when a value first reaches it. In some documents every schema refers to
 * nearly all others, and a value reaches a few of them. Errors are those of references that are compiled at once.
 */
export function withLazyDefinitions(engine: Ajv, schema: JsonSchema, code: typeof _): JsonSchema {
  const { $defs: definitions, ...rest } = schema
  const checks = new Map<string, ValidateFunction>()
  const checkOf = (name: string): ValidateFunction => {
    let check = checks.get(name)
    if (check === undefined) {
      check = engine.compile(byName((definitions as Readonly<Record<string, JsonSchema>>)[name] ?? {}))
      checks.set(name, check)
    }
    return check
  }
  engine.addKeyword(definitionKeyword(checkOf, code))
  return byName(rest)
}

function byName(schema: JsonSchema): JsonSchema {
  const { $ref: reference, ...inside } = mapSubschemas(schema, byName)
  return reference === undefined ? inside : { ...inside, [DEFINITION]: nameIn(reference) }
}

/** What the engine does for a reference, with a function that is made when it is first called. */
function definitionKeyword(checkOf: (name: string) => ValidateFunction, code: typeof _): CodeKeywordDefinition {
  return {
    keyword: DEFINITION,
    // After the counter, which stands before references too.
    before: '$ref',
    schemaType: 'string',
    code: (keyword) => {
      const { gen, data, schema, it } = keyword
      const check: { (value: unknown, place: never): boolean; errors?: ValidateFunction['errors'] } = (value, place) => {
        const own = checkOf(schema as string)
        const isFit = own(value, place)
        check.errors = own.errors
        return isFit
      }
      const call = gen.scopeValue('func', { ref: check })
      const path = it.errorPath.emptyStr() ? code`instancePath` : code`instancePath + ${it.errorPath}`
      const place = code`{ instancePath: ${path}, parentData: ${it.parentData}, parentDataProperty: ${it.parentDataProperty}, rootData }`
      keyword.result(code`${call}(${data}, ${place})`, undefined, () => {
        gen.code(code`vErrors = vErrors === null ? ${call}.errors : vErrors.concat(${call}.errors)`)
        gen.code(code`errors = vErrors.length`)
      })
    },
  }
}
