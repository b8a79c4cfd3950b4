import { isNumber } from '../../json/json.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { quantityOf } from './quantity.ts'
import { sentencesOf } from './sentences.ts'
import { Table } from './table.ts'
import { timeOf, unixScale } from './time-of.ts'
import type { Sentence } from './view.ts'

const MAX_DEPTH = 48
const MAX_TABLES = 60
const MAX_SCALARS = 20_000
const MAX_SENTENCES = 20_000
/** A text of more characters is read as sentences, not as a value of a column. */
const LONG_TEXT = 160
const FEWEST_OF_A_MAP = 4
const FEWEST_OF_A_SERIES = 5
/** A list of so few values is a value itself. */
const FEW_VALUES = 6
const OF_INNER_LISTS = 0.1
const OF_NAMED_VALUES = 0.3
const MOST_NAMED = 60

interface Place {
  readonly table: Table
  readonly row: number
}

/** The tables in a value: lists of objects, maps of like objects, lists of lists, lists of the same length side by side. */
export class JsonTables {
  readonly tables: Table[] = []
  readonly scalars: (readonly [path: string, value: unknown])[] = []
  readonly sentences: Sentence[] = []
  readonly notes = new Set<string>()
  readonly #byName = new Map<string, Table>()
  /** Paths of objects whose keys are data. */
  readonly #maps: ReadonlySet<string>
  #records = 0

  constructor(value: unknown) {
    this.#maps = pathsOfMaps(value)
    this.#walk(value, { path: '', field: '', depth: 0 })
  }

  #walk(value: unknown, at: Where): void {
    if (at.depth > MAX_DEPTH) {
      this.notes.add(`Values more than ${MAX_DEPTH} levels deep are not in the outline.`)
    } else if (Array.isArray(value)) this.#list(value, at)
    else if (isRecord(value) && !isNumber(value)) this.#object(value, at)
    else this.#leaf(value, at)
  }

  #leaf(value: unknown, at: Where): void {
    const { path, field, place } = at
    const inside = embedded(value)
    if (inside !== undefined && at.depth < MAX_DEPTH) return this.#walk(inside, { ...at, depth: at.depth + 1 })
    if (place !== undefined) place.table.set(place.row, field === '' ? 'value' : field, value)
    else if (this.scalars.length < MAX_SCALARS) this.scalars.push([path === '' ? 'value' : path, value])
    if (typeof value === 'string' && value.length > LONG_TEXT && this.sentences.length < MAX_SENTENCES) {
      const label = place === undefined ? path : `${place.table.name} ${place.row}.${field}`
      for (const text of sentencesOf(value)) this.sentences.push({ text, line: 0, place: label })
    }
  }

  #list(list: readonly unknown[], at: Where): void {
    const name = `${at.path === '' ? '' : at.path}[]`
    if (list.length === 0) return this.#leaf('[]', at)
    if (
      at.place === undefined &&
      at.path !== '' &&
      list.length <= FEW_VALUES &&
      list.every((each) => !isRecord(each) && !Array.isArray(each))
    )
      return this.#leaf(list.map(shortText).join(', '), at)
    const named = at.place === undefined ? undefined : namedValues(list)
    if (named !== undefined && at.place !== undefined) {
      for (const [key, value] of named) {
        at.place.table.set(at.place.row, `${at.field}.${key}`, value)
        at.place.table.carried.add(`${at.field}.${key}`)
      }
    }
    const table = this.#table(name, at.place?.table)
    if (table === undefined) return
    if (named !== undefined) table.weight = OF_NAMED_VALUES
    const names = at.names ?? namesOfSamples(list)
    const isSimple = list.every((each) => !isRecord(each) && !Array.isArray(each))
    if (isSimple && at.place !== undefined) at.place.table.set(at.place.row, at.field, list.slice(0, 50).map(shortText).join(', '))
    for (const each of list) {
      const row = table.addRow({ ref: at.place === undefined ? this.#records++ : this.#records, parentRow: at.place?.row })
      const place = { table, row }
      const inside = { path: name, depth: at.depth + 1, place }
      if (Array.isArray(each))
        each.forEach((cell, column) =>
          this.#walk(cell, { ...inside, path: `${name}[${column}]`, field: names?.[column] ?? String(column) }),
        )
      else if (isRecord(each) && !isNumber(each)) this.#fields(each, { ...inside, field: '' })
      else this.#leaf(each, { ...inside, field: '' })
    }
  }

  #object(object: Readonly<Record<string, unknown>>, at: Where): void {
    const entries = Object.entries(object)
    if (entries.length === 0) return this.#leaf('{}', at)
    if (isMapOfMaps(entries)) return this.#mapOfMaps(entries, at)
    if (isMapOfLikes(entries) || this.#maps.has(at.path)) return this.#map(entries, at)
    this.#fields(object, at)
  }

  #map(entries: readonly (readonly [string, unknown])[], at: Where): void {
    const name = `${at.path === '' ? '' : `${at.path}.`}*`
    const table = this.#table(name, at.place?.table)
    if (table === undefined) return
    for (const [key, value] of entries) {
      const row = table.addRow({ ref: this.#records++, parentRow: at.place?.row })
      table.set(row, 'key', key)
      this.#walk(value, { path: name, field: '', depth: at.depth + 1, place: { table, row } })
    }
  }

  /** A row for each inner object, with both of its keys. */
  #mapOfMaps(entries: readonly (readonly [string, unknown])[], at: Where): void {
    const name = `${at.path === '' ? '' : `${at.path}.`}*.*`
    const table = this.#table(name, at.place?.table)
    if (table === undefined) return
    for (const [key, inner] of entries) {
      const ref = this.#records++
      for (const [innerKey, value] of Object.entries(isRecord(inner) ? inner : {})) {
        const row = table.addRow({ ref, parentRow: at.place?.row })
        table.set(row, 'key', key)
        table.set(row, 'key 2', innerKey)
        this.#walk(value, { path: name, field: '', depth: at.depth + 2, place: { table, row } })
      }
    }
  }

  #fields(object: Readonly<Record<string, unknown>>, at: Where): void {
    const entries = Object.entries(object)
    const series = sideBySide(entries)
    if (series !== undefined) this.#series(series, at)
    for (const [key, value] of entries) {
      if (series?.has(key) === true) continue
      const path = at.path === '' ? key : `${at.path}.${key}`
      const field = at.field === '' ? key : `${at.field}.${key}`
      this.#walk(value, { ...at, path, field, depth: at.depth + 1, names: namesBeside(key, value, entries) })
    }
  }

  /** Lists of one length side by side are the columns of one table. */
  #series(series: ReadonlyMap<string, readonly unknown[]>, at: Where): void {
    const table = this.#table(`${at.path === '' ? '' : `${at.path}.`}{${[...series.keys()].join(',')}}[]`, at.place?.table)
    if (table === undefined) return
    const [first = []] = series.values()
    for (let index = 0; index < first.length; index++) {
      const row = table.addRow({ ref: this.#records++, parentRow: at.place?.row })
      for (const [column, cells] of series) table.set(row, column, cells[index])
    }
  }

  #table(name: string, parent: Table | undefined): Table | undefined {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    if (this.tables.length >= MAX_TABLES) {
      this.notes.add(`More than ${MAX_TABLES} lists are not in the outline.`)
      return undefined
    }
    const table = new Table(name, parent)
    // Coordinates and matrices: nobody asks for the numbers of a list in a list in a record.
    if (/\[\](?:\[\d*\])+$/.test(name) || (parent !== undefined && /coordinates/.test(name))) table.weight = OF_INNER_LISTS
    this.#byName.set(name, table)
    this.tables.push(table)
    return table
  }
}

const FEWEST_SAMPLES = 12
const SAMPLED = 60

/** `[[1716000000, "0.5"], …]`: what measures give, a time and a value, in either order. */
function namesOfSamples(list: readonly unknown[]): readonly string[] | undefined {
  if (list.length < FEWEST_SAMPLES || !list.every((each) => Array.isArray(each) && each.length === 2)) return undefined
  const sample = list.slice(0, SAMPLED) as readonly (readonly [unknown, unknown])[]
  const isTime = (column: 0 | 1): boolean => {
    const cells = sample.map((each) => each[column])
    if (cells.every((cell) => typeof cell === 'string')) return cells.every((cell) => timeOf(cell) !== undefined)
    const numbers = cells.flatMap((cell) => quantityOf(cell)?.value ?? [])
    return numbers.length === cells.length && unixScale(numbers) !== undefined
  }
  if (isTime(0)) return isTime(1) ? undefined : ['time', 'value']
  return isTime(1) ? ['value', 'time'] : undefined
}

const LONGEST_EMBEDDED = 20_000

/** The record that a text is the JSON of, as messages carry their payloads. */
function embedded(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > LONGEST_EMBEDDED || !/^\s*\{\s*"/.test(value)) return undefined
  try {
    const read: unknown = JSON.parse(value)
    return isRecord(read) && Object.keys(read).length > 0 ? read : undefined
  } catch {
    return undefined
  }
}

interface Where {
  readonly path: string
  /** The column in the row. */
  readonly field: string
  readonly depth: number
  readonly place?: Place | undefined
  /** The columns of a list of lists, where a list beside it names them. */
  readonly names?: readonly string[] | undefined
}

/** Rows as lists have their columns in a list beside them: names, or objects with names. */
function namesBeside(key: string, value: unknown, entries: readonly (readonly [string, unknown])[]): readonly string[] | undefined {
  const width = Array.isArray(value) && value.length > 1 && Array.isArray(value[0]) ? value[0].length : 0
  if (width < 2) return undefined
  for (const [other, list] of entries) {
    if (other === key || !Array.isArray(list) || list.length !== width) continue
    const names = list.map((each: unknown) => (isRecord(each) ? (each['name'] ?? each['label'] ?? each['key'] ?? each['id']) : each))
    if (names.every((name): name is string => typeof name === 'string' && name !== '') && new Set(names).size === width) return names
  }
  return undefined
}

/** `[{ Key, Value }]`, as tags, headers and labels are written: fields of the record that they are in. */
function namedValues(list: readonly unknown[]): readonly (readonly [string, unknown])[] | undefined {
  if (list.length > MOST_NAMED) return undefined
  const found: (readonly [string, unknown])[] = []
  for (const each of list) {
    if (!isRecord(each)) return undefined
    const entries = Object.entries(each)
    const key = entries.find(([name]) => /^(?:key|name|k|label)$/i.test(name))?.[1]
    const value = entries.find(([name]) => /^(?:value|val|v|content)$/i.test(name))?.[1]
    const single = isRecord(value) && !isNumber(value) && Object.keys(value).length === 1 ? Object.values(value)[0] : value
    if (typeof key !== 'string' || entries.length > 3 || single === undefined || (isRecord(single) && !isNumber(single))) return undefined
    found.push([key, Array.isArray(single) ? single.slice(0, 20).map(shortText).join(', ') : single])
  }
  return found.length === 0 ? undefined : found
}

interface KeysAt {
  objects: number
  uses: number
  readonly keys: Set<string>
  isOfLikes: boolean
}

const FEWEST_OBJECTS = 4
const MOST_KEYS = 50_000

/** The paths at which each object has other keys, with an object of the same kind under every one of them. */
function pathsOfMaps(value: unknown): ReadonlySet<string> {
  const found = new Map<string, KeysAt>()
  let seen = 0
  const visit = (each: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH || seen > MOST_KEYS) return
    if (Array.isArray(each)) {
      for (const item of each) visit(item, `${path}[]`, depth + 1)
      return
    }
    if (!isRecord(each) || isNumber(each)) return
    const entries = Object.entries(each)
    seen += entries.length
    const objects = entries.filter(([, below]) => isRecord(below) && !isNumber(below)).length
    const values = entries.filter(([, below]) => !isRecord(below) && !Array.isArray(below)).length
    const isOfOneKind = objects === entries.length || values === entries.length
    const at = found.get(path) ?? { objects: 0, uses: 0, keys: new Set<string>(), isOfLikes: true }
    found.set(path, at)
    at.objects += entries.length === 0 ? 0 : 1
    at.uses += entries.length
    at.isOfLikes &&= isOfOneKind
    for (const [key] of entries) at.keys.add(key)
    const isMap = isMapOfLikes(entries)
    for (const [key, below] of entries) visit(below, `${path === '' ? '' : `${path}.`}${isMap ? '*' : key}`, depth + 1)
  }
  visit(value, '', 0)
  return new Set(
    [...found].flatMap(([path, { objects, uses, keys, isOfLikes }]) =>
      isOfLikes && objects >= FEWEST_OBJECTS && keys.size > objects / 2 && keys.size > 0.5 * uses ? [path] : [],
    ),
  )
}

function shortText(value: unknown): string {
  return typeof value === 'string' ? value : String(value)
}

/** Objects under keys that are data: at least four, and most fields of each are fields that half of them have. */
function isMapOfLikes(entries: readonly (readonly [string, unknown])[]): boolean {
  return entries.length >= FEWEST_OF_A_MAP && areAlike(entries.map(([, value]) => value))
}

/** Objects of objects, where the inner ones are alike, whatever their keys are: paths with their methods, hosts with their ports. */
function isMapOfMaps(entries: readonly (readonly [string, unknown])[]): boolean {
  if (entries.length < FEWEST_OF_A_MAP) return false
  const inner: unknown[] = []
  for (const [, value] of entries) {
    if (!isRecord(value) || isNumber(value)) return false
    inner.push(...Object.values(value))
  }
  // Objects whose fields are always the same are rows themselves.
  const keys = new Set(entries.flatMap(([, value]) => (isRecord(value) ? Object.keys(value) : [])))
  const isVaried = entries.some(([, value]) => isRecord(value) && Object.keys(value).length < keys.size)
  return isVaried && inner.length >= entries.length && areAlike(inner)
}

function areAlike(all: readonly unknown[]): boolean {
  // An empty object is like any other, however it is written.
  const values = all.filter((value) => (isRecord(value) ? Object.keys(value).length > 0 : value !== null && value !== '{}'))
  if (values.length < Math.min(all.length, FEWEST_OF_A_MAP)) return false
  const counts = new Map<string, number>()
  for (const value of values) {
    if (!isRecord(value) || isNumber(value)) return false
    for (const key of Object.keys(value)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const isCommon = (key: string): boolean => (counts.get(key) ?? 0) >= values.length / 2
  const common = [...counts.keys()].filter(isCommon).length
  if (common === 0) return false
  const shares = values.map((value) => {
    const own = Object.keys(value as object)
    return own.filter(isCommon).length / Math.max(own.length, common)
  })
  return shares.reduce((sum, share) => sum + share, 0) >= 0.6 * values.length
}

function sideBySide(entries: readonly (readonly [string, unknown])[]): ReadonlyMap<string, readonly unknown[]> | undefined {
  const lists = entries.filter(
    (each): each is readonly [string, readonly unknown[]] =>
      Array.isArray(each[1]) && each[1].length >= FEWEST_OF_A_SERIES && each[1].every((cell) => !isRecord(cell) && !Array.isArray(cell)),
  )
  const length = lists[0]?.[1].length
  const same = lists.filter(([, list]) => list.length === length)
  return same.length < 2 ? undefined : new Map(same)
}
