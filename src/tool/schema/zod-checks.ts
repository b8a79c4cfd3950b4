import { addPattern, type ExcessList } from './excess-list.ts'
import { type ZodDefinition, zodDefinition } from './zod-definition.ts'

/** What JSON Schema has words for. */
const SAID: ReadonlySet<unknown> = new Set([
  ...['greater_than', 'less_than', 'multiple_of', 'number_format', 'bigint_format'],
  ...['min_length', 'max_length', 'length_equals', 'min_size', 'max_size', 'size_equals'],
])

/** Formats of which the pattern is not all that is checked. */
const BEYOND_PATTERN: ReadonlySet<unknown> = new Set(['ipv6', 'cidrv6', 'base64', 'base64url'])

/** The checks of a zod schema, and the one that it may be itself: those that its JSON Schema does not show. */
export function zodChecks(schema: unknown, path: string, list: ExcessList): void {
  const { check: own, checks: more = [] } = zodDefinition(schema) ?? {}
  const checks = own === 'string_format' ? [schema, ...more] : more
  const last = checks.findLastIndex((check) => zodDefinition(check)?.check === 'overwrite')
  checks.forEach((check, index) => {
    const def = zodDefinition(check) ?? {}
    if (def.check === 'overwrite') {
      // What is changed and not checked again is still what the JSON Schema says.
      if (list.side === 'input' && index < checks.length - 1) list.add(path, 'a transform', { identity: check, takes: true })
    } else if (list.side === 'input' || index > last) {
      if (def.check === 'string_format') addFormat(def, path, list)
      else if (!SAID.has(def.check)) list.add(path, 'a refinement', { identity: def.fn ?? check })
    }
  })
}

function addFormat(def: ZodDefinition, path: string, list: ExcessList): void {
  const { pattern, fn, protocol, hostname, alg } = def
  const format = String(def.format)
  if (pattern instanceof RegExp) addPattern(pattern, path, list)
  if (fn !== undefined) list.add(path, `the format ${format}`, { identity: fn })
  else if (pattern === undefined || BEYOND_PATTERN.has(format)) {
    list.add(path, `the format ${format}`, { identity: `zod ${format}` })
    const options = [protocol, hostname, alg].filter((option) => option !== undefined)
    if (options.length > 0)
      list.add(path, `the format ${format} with options`, { identity: `zod ${format} ${options.map(String).join(' ')}` })
  }
}
