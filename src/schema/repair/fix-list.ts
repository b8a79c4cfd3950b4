import { isRecord } from '../json-schema.ts'
import { quote } from '../quote.ts'
import { textWords } from './field-kind.ts'
import { nameForm } from './name-words.ts'
import { itemPlace } from './place.ts'
import { after, isReading, type Outcome, type Reading, type RepairChange, reading, unchanged } from './reading.ts'
import { takes } from './schema-node.ts'
import type { Misfit } from './walk.ts'

const ONE_TO_LIST = 'one to list'

interface ListMisfit extends Misfit {
  readonly value: readonly unknown[]
}

export function isListMisfit(misfit: Misfit): misfit is ListMisfit {
  return Array.isArray(misfit.value) && takes(misfit.node, 'array')
}

/** Repairs the items of a list. Its length stays, except for labels that are listed twice. */
export function fixList({ node, value, place, walk }: ListMisfit): Outcome {
  const { items, prefixItems, uniqueItems } = node.schema
  const places: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : []
  const fixed: unknown[] = []
  const changes: RepairChange[] = []
  for (const [index, each] of value.entries()) {
    const schema: unknown = index < places.length ? places[index] : items
    if (schema === false) return { because: `it has ${value.length} items, and ${places.length} are taken` }
    const inside = isRecord(schema) ? itemPlace(place, index, walk.read(schema).schema) : undefined
    const outcome = inside === undefined || !isRecord(schema) ? unchanged(each) : walk.fix(schema, each, inside)
    if (!isReading(outcome))
      return { because: outcome.because.startsWith("'") ? outcome.because : `'${inside?.path ?? ''}': ${outcome.because}` }
    // Items that are to be lists: each of them, or all of them together?
    if (outcome.changes.some(({ rule, path }) => rule === ONE_TO_LIST && path === inside?.path))
      return oneRow({ node, value, place, walk }) ?? { because: 'it is a list, and not a list of lists' }
    fixed.push(outcome.value)
    for (const change of outcome.changes) changes.push(change)
  }
  const isListed = isRecord(items) && walk.read(items).listed !== undefined && place.kind !== 'quantity'
  const own = uniqueItems === true ? withoutRepeats(fixed, isListed ? 'plain' : place.kind) : fixed
  if (own.length < fixed.length) changes.push({ path: place.path, from: fixed, to: own, rule: 'same item twice', cost: 2 })
  const cost = changes.reduce((sum, change) => sum + change.cost, 0)
  return walk.fits(node.schema, own) ? { value: own, changes, cost } : { because: `a list of ${own.length} items does not fit` }
}

/** `['2025-03-02', 17, 'late']` where rows of cells are taken: values of several kinds are no column, of which each were a row. */
function oneRow({ node, value, place, walk }: ListMisfit): Outcome | undefined {
  const kinds = new Set(value.map((each) => typeof each))
  const isRow = kinds.size > 1 && !kinds.has('object') && (place.words.includes('rows') || /\brows?\b/.test(place.text))
  if (!isRow || !walk.fits(node.schema, [value])) return undefined
  return reading({ path: place.path, from: value, to: [value], rule: ONE_TO_LIST, cost: 3 })
}

/** A label says no more when it is listed twice. An id or a quantity may. */
function withoutRepeats(items: readonly unknown[], kind: string): readonly unknown[] {
  return kind === 'plain' && items.every((each) => typeof each === 'string') ? [...new Set(items)] : items
}

/** One value where a list is taken. */
export function oneToList({ node, value, place, walk }: Misfit): readonly Reading[] {
  // A list as text that could not be read is no item, whatever is around it.
  if (isRecord(value) && Object.values(value).some((each) => typeof each === 'string' && /^\s*\[/.test(each))) return []
  const fixed = walk.fix(node.schema, [value], place)
  return isReading(fixed) ? [after({ path: place.path, from: value, to: [value], rule: ONE_TO_LIST, cost: 2 }, fixed)] : []
}

/** One cell where a list of rows is taken, and the cell is no row. A text with the signs of a table may be several cells. */
export function cellToTable({ node, value, place, walk }: Misfit): Reading | undefined {
  const { items } = node.schema
  const row = isRecord(items) ? walk.read(items) : undefined
  const isCell =
    typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_CELL && /^[^,;|\t\r\n[\]{}]+$/.test(value))
  if (row === undefined || !isCell || takes(row, 'string') || takes(row, 'object') || takes(node, 'string')) return undefined
  const table = [[value]]
  return walk.fits(node.schema, table) ? reading({ path: place.path, from: value, to: table, rule: 'one to list', cost: 3 }) : undefined
}

const LONGEST_CELL = 100

/** `{ 0: 'a', 1: 'b' }`: a list of which only the notation is that of an object. */
export function indexedList({ node, value, place, walk }: Misfit): readonly Reading[] {
  if (!isRecord(value)) return []
  const keys = Object.keys(value)
  if (keys.length === 0 || !keys.every((key, index) => key === String(index))) return []
  const items = Object.values(value)
  const fixed = walk.fix(node.schema, items, place)
  return isReading(fixed) ? [after({ path: place.path, from: value, to: items, rule: 'object to list', cost: 2 }, fixed)] : []
}

/** `{ x: 1, y: 2 }` where a list has a place for each: by their titles, in the order of the description, or as coordinates. */
export function namedPlaces({ node, value, place, walk }: Misfit): readonly Reading[] {
  const { prefixItems: ownPlaces, items: item, minItems, maxItems } = node.schema
  const isFixed = typeof minItems === 'number' && minItems === maxItems && isRecord(item)
  const prefixItems: unknown = isFixed ? Array.from({ length: minItems }, () => item) : ownPlaces
  if (!isRecord(value) || !Array.isArray(prefixItems)) return []
  const titles = prefixItems.map((own: unknown) => (isRecord(own) && typeof own['title'] === 'string' ? nameForm(own['title']) : ''))
  const fields = new Map(Object.entries(value).map(([key, each]) => [nameForm(key), each]))
  const told = textWords(place.text)
    .map((word) => [word, PLACES[word] ?? ''].find((name) => fields.has(name)) ?? '')
    .filter((word) => word !== '')
  const names = titles.includes('') ? (told.length === prefixItems.length ? told : ['x', 'y', 'z'].slice(0, prefixItems.length)) : titles
  if (
    fields.size !== names.length ||
    names.length !== prefixItems.length ||
    !names.every((name) => fields.has(name)) ||
    new Set(names).size < names.length
  )
    return []
  const items = names.map((name) => fields.get(name))
  const fixed = walk.fix(node.schema, items, place)
  return isReading(fixed) ? [after({ path: place.path, from: value, to: items, rule: 'object to list', cost: 2 }, fixed)] : []
}

/** Short names of coordinates. */
const PLACES: Readonly<Record<string, string>> = {
  longitude: 'lon',
  latitude: 'lat',
  width: 'w',
  height: 'h',
  red: 'r',
  green: 'g',
  blue: 'b',
}

/** `{ email: true, sms: false }` where some of the listed values are taken. */
export function chosenItems({ node, value, place, walk }: Misfit): readonly Reading[] {
  const items = node.schema['items']
  if (!isRecord(value) || !isRecord(items) || walk.read(items).listed === undefined) return []
  const entries = Object.entries(value)
  if (entries.length === 0 || !entries.every(([, each]) => typeof each === 'boolean')) return []
  // Every name must be one of the values, also those that are not chosen.
  const all = walk.fix(
    node.schema,
    entries.map(([name]) => name),
    place,
  )
  const chosen = entries.flatMap(([name, isChosen]) => (isChosen === true ? [name] : []))
  const fixed = isReading(all) ? walk.fix(node.schema, chosen, place) : all
  return isReading(fixed) ? [after({ path: place.path, from: value, to: chosen, rule: 'object to list', cost: 2 }, fixed)] : []
}

/** The fields of a cron expression, each in its place. */
function isCron(value: readonly unknown[], { text, words }: Misfit['place']): boolean {
  const isTold = words.includes('cron') || /\bcron\b/.test(text)
  return isTold && value.length === 5 && value.every((each) => /^[\d*,/-]{1,20}$/.test(String(each)))
}

/** A list where a text is taken whose description says how lists are written. */
export function joinedList({ node, value, place, walk }: ListMisfit): Outcome {
  const separator = /\bcomma[ -](?:separated|delimited)/.test(place.text)
    ? ','
    : /\b(?:space|whitespace)[ -](?:separated|delimited)/.test(place.text)
      ? ' '
      : /\bsemicolon[ -](?:separated|delimited)/.test(place.text)
        ? ';'
        : isCron(value, place)
          ? ' '
          : undefined
  const isPlain = value.every(
    (each) => (typeof each === 'string' || typeof each === 'number') && separator !== undefined && !String(each).includes(separator),
  )
  // To join lists in lists takes time that is quadratic in their depth.
  const text = isPlain ? value.join(separator) : ''
  if (separator === undefined || !isPlain || value.length === 0 || !walk.fits(node.schema, text))
    return { because: `${quote(value)} is a list` }
  return { value: text, cost: 2, changes: [{ path: place.path, from: value, to: text, rule: 'list to text', cost: 2 }] }
}
