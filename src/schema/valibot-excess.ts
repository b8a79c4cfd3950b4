import type { ExcessList } from './excess.ts'
import { fieldStep, joinPath } from './field-path.ts'
import { isRecord } from './json-schema.ts'

/** Checks that JSON Schema has words for. */
const SAID: ReadonlySet<unknown> = new Set([
  ...['bic', 'cuid2', 'decimal', 'digits', 'domain', 'emoji', 'empty', 'ends_with', 'entries', 'finite', 'gt_value', 'hash', 'hex_color'],
  ...[
    'hexadecimal',
    'includes',
    'integer',
    'isrc',
    'iso_time_second',
    'iso_week',
    'ksuid',
    'length',
    'lt_value',
    'mac',
    'mac48',
    'mac64',
    'max_entries',
  ],
  ...['max_length', 'max_value', 'min_entries', 'min_length', 'min_value', 'multiple_of', 'nanoid', 'non_empty', 'not_value'],
  ...['not_values', 'octal', 'regex', 'safe_integer', 'slug', 'starts_with', 'ulid', 'value', 'values'],
])

/** Formats whose JSON Schema is a name, which engines need not check. */
const FORMATS: ReadonlySet<unknown> = new Set([
  ...['base64', 'email', 'rfc_email', 'ipv4', 'ipv6', 'iso_date', 'iso_date_time', 'iso_time', 'iso_timestamp', 'url', 'uuid'],
])

/** Types whose JSON Schema says what they take. */
const JSON_TYPES: ReadonlySet<unknown> = new Set([
  ...['any', 'array', 'boolean', 'enum', 'exact_optional', 'intersect', 'lazy', 'literal', 'loose_object', 'loose_tuple', 'never'],
  ...['null', 'nullable', 'nullish', 'number', 'object', 'object_with_rest', 'optional', 'picklist', 'record', 'strict_object'],
  ...['strict_tuple', 'string', 'tuple', 'tuple_with_rest', 'undefinedable', 'union', 'unknown', 'variant', 'non_nullable'],
  ...['non_nullish', 'non_optional'],
])

/** Looks through a valibot schema for what its JSON Schema does not show. */
export function valibotExcess(schema: unknown, path: string, list: ExcessList): void {
  if (fieldOf(schema, 'kind') !== 'schema' || !list.enter(schema)) return
  look(schema, path, list)
  list.leave()
}

function look(schema: unknown, path: string, list: ExcessList): void {
  if (fieldOf(schema, 'fallback') !== undefined) {
    if (list.side === 'input') list.add(path, 'a fallback', { identity: schema, refuses: false, takes: true })
    return
  }
  const [first, ...actions] = listOf(schema, 'pipe')
  if (first !== undefined) {
    lookAtPipe(first, actions, { path, list })
    return
  }
  const type = fieldOf(schema, 'type')
  if (!JSON_TYPES.has(type)) list.add(path, `the type ${String(type)}, which JSON has not`, { identity: schema })
  if (type === 'union' || type === 'variant') {
    // A guarantee of one option is not a guarantee of the union.
    if (list.side === 'input') for (const option of listOf(schema, 'options')) valibotExcess(option, path, list)
  } else lookAtParts(schema, path, list)
}

interface At {
  readonly path: string
  readonly list: ExcessList
}

function lookAtPipe(first: unknown, actions: readonly unknown[], { path, list }: At): void {
  const isInput = list.side === 'input'
  const last = actions.findLastIndex((action) => fieldOf(action, 'kind') === 'transformation' || fieldOf(action, 'kind') === 'schema')
  if (isInput || last === -1) valibotExcess(first, path, list)
  actions.forEach((action, index) => {
    const kind = fieldOf(action, 'kind')
    if (kind === 'validation' && (isInput || index > last)) addCheck(action, path, list)
    else if (!isInput) {
      if (kind === 'schema' && index === last) valibotExcess(action, path, list)
    } else if (kind === 'schema') list.add(path, 'a second schema behind the first', { identity: action })
    else if (kind === 'transformation' && !isHarmless(action, index === actions.length - 1))
      list.add(path, 'a transform', { identity: action, takes: true })
  })
}

const STRING_CHANGES: ReadonlySet<unknown> = new Set(['trim', 'trim_start', 'trim_end', 'to_lower_case', 'to_upper_case', 'normalize'])

/** A value that is changed and not checked again still follows the JSON Schema. */
function isHarmless(action: unknown, isLast: boolean): boolean {
  const type = fieldOf(action, 'type')
  return type === 'readonly' || type === 'brand' || type === 'flavor' || (isLast && STRING_CHANGES.has(type))
}

function addCheck(action: unknown, path: string, list: ExcessList): void {
  const type = fieldOf(action, 'type')
  const requirement = fieldOf(action, 'requirement')
  if (type === 'regex' && requirement instanceof RegExp) list.addPattern(requirement, path)
  else if (FORMATS.has(type)) list.add(path, `the format ${String(type)}`, { identity: `valibot ${String(type)}` })
  else if (!SAID.has(type)) list.add(path, 'a check of its own', { identity: requirement ?? action })
}

function lookAtParts(schema: unknown, path: string, list: ExcessList): void {
  const at = (step: string): string => joinPath(path, step)
  for (const [key, field] of Object.entries(fieldOf(schema, 'entries') ?? {})) valibotExcess(field, at(fieldStep(key)), list)
  listOf(schema, 'items').forEach((item, index) => valibotExcess(item, at(`[${index}]`), list))
  for (const option of listOf(schema, 'options')) valibotExcess(option, path, list)
  if (list.side === 'input' || fieldOf(schema, 'default') === undefined) valibotExcess(fieldOf(schema, 'wrapped'), path, list)
  valibotExcess(fieldOf(schema, 'item'), at('[]'), list)
  for (const key of ['rest', 'key', 'value']) valibotExcess(fieldOf(schema, key), at('*'), list)
  const getter = fieldOf(schema, 'getter')
  if (typeof getter === 'function') valibotExcess((getter as (input: unknown) => unknown)(undefined), path, list)
}

/** A field of something that another library made. */
function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) || typeof value === 'function' ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}

/** A list of something that another library made; empty where there is none. */
function listOf(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key)
  return Array.isArray(list) ? list : []
}
