import { isRecord } from '../json-schema.ts'
import { fieldPlace } from './place.ts'
import { isReading, type Outcome, type RepairChange } from './reading.ts'
import { type SchemaNode, takes } from './schema-node.ts'
import type { Misfit, Walk } from './walk.ts'

const MOST_PARTS = 4
const LONGEST = 80

/**
 * Several values without their names where an object is taken: `price desc`, `['price', 'desc']` or `{ price: 'desc' }` for a field and a direction. Each
 * value must be taken by one field only, and each field must have one. Undefined where a field takes any text, since it would take each of them.
 */
export function partsByType(misfit: Misfit): Outcome | undefined {
  const { node, value, place, walk } = misfit
  const names = Object.keys(node.properties)
  if (!takes(node, 'object') || names.length < 2 || names.length > MOST_PARTS) return undefined
  if (!names.every((name) => isTyped(name, { node, walk }))) return textAndTyped(misfit)
  const parts = partsOf(value, node)
  if (parts === undefined || parts.length < 2 || parts.length > names.length) return undefined
  const fields: Record<string, unknown> = {}
  const changes: RepairChange[] = [{ path: place.path, from: value, to: fields, rule: 'parts named', cost: 3 }]
  for (const part of parts) {
    const found = names.flatMap((name) => {
      const schema = node.properties[name] ?? {}
      const outcome = walk.fix(schema, part, fieldPlace(place, name, { schema: walk.read(schema).schema, descriptions: walk.descriptions }))
      return isReading(outcome) ? [{ name, outcome }] : []
    })
    const [only, ...more] = found
    if (only === undefined || more.length > 0 || Object.hasOwn(fields, only.name)) return undefined
    fields[only.name] = only.outcome.value
    changes.push(...only.outcome.changes)
  }
  if (!walk.fits(node.schema, fields)) return undefined
  return { value: fields, changes, cost: changes.reduce((sum, { cost }) => sum + cost, 0) }
}

/**
 * `age DESC` and `['Oslo', 5]` for an item that has one field for any text and one for other values, and needs both: the part that only the other field takes
 * is its value, and what is left is the text.
 */
function textAndTyped({ node, value, place, walk }: Misfit): Outcome | undefined {
  const names = Object.keys(node.properties)
  const [text, ...texts] = names.filter((name) => isAnyText(name, { node, walk }))
  const [other, ...others] = names.filter((name) => isTyped(name, { node, walk }))
  const parts = Array.isArray(value) || typeof value === 'string' ? partsOf(value, node) : undefined
  if (text === undefined || other === undefined || texts.length + others.length > 0 || names.length !== 2 || parts?.length !== 2)
    return undefined
  if (!names.every((name) => node.required.has(name)) || !place.path.endsWith(']')) return undefined
  const schema = node.properties[other] ?? {}
  const own = fieldPlace(place, other, { schema: walk.read(schema).schema, descriptions: walk.descriptions })
  const isNumber = !takes(walk.read(schema), 'string')
  const taking = parts.filter((part) =>
    isNumber && typeof part === 'string' && typeof value !== 'string' ? false : isReading(walk.fix(schema, part, own)),
  )
  const [part, ...more] = taking
  const rest = parts.find((each) => each !== part)
  if (part === undefined || more.length > 0 || typeof rest !== 'string' || (typeof value === 'string' && !/^[A-Za-z_][\w.]*$/.test(rest)))
    return undefined
  const fixed = walk.fix(schema, part, own)
  if (!isReading(fixed) || fixed.cost > MOST_COST) return undefined
  const fields = Object.fromEntries(names.map((name) => [name, name === text ? rest : fixed.value]))
  if (!walk.fits(node.schema, fields)) return undefined
  const change = { path: place.path, from: value, to: fields, rule: 'parts named', cost: 3 }
  return { value: fields, changes: [change, ...fixed.changes], cost: fixed.cost + change.cost }
}

const MOST_COST = 2

function isAnyText(name: string, { node, walk }: { readonly node: SchemaNode; readonly walk: Walk }): boolean {
  const { types, listed, format, pattern, options } = walk.read(node.properties[name] ?? {})
  const isText = types?.size === 1 && types.has('string')
  return isText && listed === undefined && format === undefined && pattern === undefined && options === undefined
}

/** Whether a field takes few values of all texts, so that a wrong one would not fit. */
function isTyped(name: string, { node, walk }: { readonly node: SchemaNode; readonly walk: Walk }): boolean {
  const { types, listed, format, pattern, options } = walk.read(node.properties[name] ?? {})
  if (options !== undefined || types === undefined || types.has('object') || types.has('array')) return false
  return listed !== undefined || format !== undefined || pattern !== undefined || !types.has('string')
}

function partsOf(value: unknown, { properties }: SchemaNode): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string' || typeof each === 'number') ? value : undefined
  if (isRecord(value)) {
    const [entry, ...more] = Object.entries(value)
    const isPair = entry !== undefined && more.length === 0 && !Object.hasOwn(properties, entry[0]) && typeof entry[1] !== 'object'
    return isPair ? entry : undefined
  }
  if (typeof value !== 'string' || value.length > LONGEST) return undefined
  const parts = value.trim().split(/\s*[:,;|/]\s*|\s+/)
  return parts.includes('') ? undefined : parts
}
