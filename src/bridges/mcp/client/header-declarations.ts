import { isRecord, type JsonSchema, someSubschema } from '../../../schema/json-schema.ts'

const KEY = 'x-mcp-header'
/** A token of HTTP: the only names that a header may have. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/**
 * What is wrong with the headers that an input schema declares; undefined if nothing is. A server may ask for parameters in headers beside the
 * body (revision 2026-07-28), and a client must leave out a tool that asks for it in a way that cannot be sent.
 */
export function headerProblem(schema: JsonSchema): string | undefined {
  let all = 0
  someSubschema(schema, (each) => {
    if (KEY in each) all++
    return false
  })
  if (all === 0) return undefined
  const declared = declaredIn(schema)
  if (declared.length !== all) return `an ${KEY} stands where no parameter is`
  const names = declared.map(({ name }) => String(name).toLowerCase())
  if (declared.some(({ name }) => typeof name !== 'string' || !TOKEN.test(name))) return `an ${KEY} is no name of a header`
  if (declared.some(({ type }) => !TYPES.has(type))) return `an ${KEY} stands at a parameter that is no text, whole number or boolean`
  return new Set(names).size === names.length ? undefined : `two parameters have the same ${KEY}`
}

interface Declared {
  readonly name: unknown
  readonly type: unknown
}

/** The declarations at parameters, and at fields of parameters. */
function declaredIn({ properties }: JsonSchema): readonly Declared[] {
  if (!isRecord(properties)) return []
  return Object.values(properties).flatMap((each) => {
    if (!isRecord(each)) return []
    return [...(KEY in each ? [{ name: each[KEY], type: each['type'] }] : []), ...declaredIn(each)]
  })
}
