import type { ExcessList } from './excess.ts'
import { fieldStep, joinPath } from './field-path.ts'
import { type ZodDefinition, zodDefinition } from './zod-definition.ts'

/** Looks through a zod schema for what its JSON Schema does not show. */
export function zodExcess(schema: unknown, path: string, list: ExcessList): void {
  const def = zodDefinition(schema)
  if (def === undefined || isPlain(def) || !list.enter(schema)) return
  if (def.coerce === true && list.side === 'input') list.add(path, 'a coercion', { identity: schema, refuses: false, takes: true })
  if (def.check !== undefined || def.checks !== undefined) zodChecks(schema, path, list)
  look(def, path, list)
  list.leave()
}

const LEAVES: ReadonlySet<unknown> = new Set(['string', 'number', 'boolean', 'enum', 'literal', 'null', 'any', 'unknown', 'never'])

/** Most fields are like that: nothing is hidden in them. */
function isPlain({ type, check, checks, coerce }: ZodDefinition): boolean {
  return LEAVES.has(type) && check === undefined && (checks === undefined || checks.length === 0) && coerce !== true
}

function look(def: ZodDefinition, path: string, list: ExcessList): void {
  const isInput = list.side === 'input'
  switch (def.type) {
    case 'object':
    case 'array':
    case 'tuple':
    case 'record':
      return lookAtParts(def, path, list)
    case 'optional':
    case 'nullable':
    case 'readonly':
    case 'nonoptional':
    case 'promise':
      return zodExcess(def.innerType, path, list)
    case 'default':
    case 'prefault':
      return isInput ? zodExcess(def.innerType, path, list) : undefined
    case 'union':
      // A guarantee of one option is not a guarantee of the union.
      return isInput ? def.options?.forEach((option) => zodExcess(option, path, list)) : undefined
    case 'intersection':
      return [def.left, def.right].forEach((side) => zodExcess(side, path, list))
    case 'lazy':
      return zodExcess(def.getter?.(), path, list)
    case 'pipe':
      return lookAtPipe(def, path, list)
    case 'catch':
    case 'success':
      return isInput ? list.add(path, 'a catch', { identity: def, refuses: false, takes: true }) : undefined
    case 'transform':
      return list.add(path, 'a transform', { identity: def, takes: true })
    case 'custom':
      return list.add(path, 'a check of its own', { identity: def.fn ?? def })
    default:
      return lookAtOther(def, path, list)
  }
}

/** Types that JSON has no word for: their JSON Schema says nothing. */
const WITHOUT_JSON: ReadonlySet<unknown> = new Set([
  'bigint',
  'date',
  'file',
  'function',
  'map',
  'nan',
  'set',
  'symbol',
  'undefined',
  'void',
])

function lookAtOther({ type }: ZodDefinition, path: string, list: ExcessList): void {
  if (WITHOUT_JSON.has(type)) list.add(path, `the type ${String(type)}, which JSON has not`, { identity: `zod ${String(type)}` })
}

/** The JSON Schema of what goes in is that of the first half; after a function that stands first, that of the second. */
function lookAtPipe(def: ZodDefinition, path: string, list: ExcessList): void {
  if (list.side === 'output') zodExcess(def.out, path, list)
  else if (zodDefinition(def.in)?.type === 'transform') list.add(path, 'a transform', { identity: def, takes: true })
  else {
    const isFunction = zodDefinition(def.out)?.type === 'transform' || def.transform !== undefined
    list.add(path, isFunction ? 'a transform' : 'a second schema behind the first', { identity: def })
    zodExcess(def.in, path, list)
  }
}

function lookAtParts(def: ZodDefinition, path: string, list: ExcessList): void {
  const { shape = {} } = def
  for (const key in shape) {
    const field = shape[key]
    const inner = zodDefinition(field)
    if (inner !== undefined && !isPlain(inner)) zodExcess(field, joinPath(path, fieldStep(key)), list)
  }
  def.items?.forEach((item, index) => zodExcess(item, joinPath(path, `[${index}]`), list))
  for (const each of [def.element, def.rest]) if (each !== undefined) zodExcess(each, joinPath(path, '[]'), list)
  for (const each of [def.catchall, def.keyType, def.valueType]) if (each !== undefined) zodExcess(each, joinPath(path, '*'), list)
}

/** What JSON Schema has words for. */
const SAID: ReadonlySet<unknown> = new Set([
  ...['greater_than', 'less_than', 'multiple_of', 'number_format', 'bigint_format'],
  ...['min_length', 'max_length', 'length_equals', 'min_size', 'max_size', 'size_equals'],
])

/** Formats of which the pattern is not all that is checked. */
const BEYOND_PATTERN: ReadonlySet<unknown> = new Set(['ipv6', 'cidrv6', 'base64', 'base64url'])

/** The checks of a zod schema, and the one that it may be itself: those that its JSON Schema does not show. */
function zodChecks(schema: unknown, path: string, list: ExcessList): void {
  const { check: own, checks: more = [] } = zodDefinition(schema) ?? {}
  const checks = own === 'string_format' ? [schema, ...more] : more
  const last = checks.findLastIndex((check) => zodDefinition(check)?.check === 'overwrite')
  checks.forEach((check, index) => {
    const def = zodDefinition(check) ?? {}
    if (def.check === 'overwrite') {
      // A value that is changed and not checked again still follows the JSON Schema.
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
  if (pattern instanceof RegExp) list.addPattern(pattern, path)
  if (fn !== undefined) list.add(path, `the format ${format}`, { identity: fn })
  else if (pattern === undefined || BEYOND_PATTERN.has(format)) {
    list.add(path, `the format ${format}`, { identity: `zod ${format}` })
    const options = [protocol, hostname, alg].filter((option) => option !== undefined)
    if (options.length > 0)
      list.add(path, `the format ${format} with options`, { identity: `zod ${format} ${options.map(String).join(' ')}` })
  }
}
