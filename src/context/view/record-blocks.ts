import { quantityOf } from './quantity.ts'
import { Table } from './table.ts'

/** Lines of `key: value` that stand together. */
export interface PairBlock {
  readonly heading: string
  /** The number of its first line, from 0. */
  readonly first: number
  readonly pairs: readonly (readonly [key: string, value: string])[]
}

export interface BlockValues {
  readonly tables: readonly Table[]
  /** What is in no table. */
  readonly scalars: readonly (readonly [string, unknown])[]
}

const FEWEST_RECORDS = 3
const FEWEST_ITEMS = 4
/** Blocks are of one kind if they share so many of their keys. */
const SAME_SHARE = 0.5
const MOST_KINDS = 60

interface Kind {
  readonly keys: Set<string>
  readonly blocks: PairBlock[]
}

/** The column that says under which heading a row stands. */
export const SECTION = 'section'

/** Blocks with the same keys are rows of one table; long lists of numbers by name are another; the rest are single values. */
export function readBlocks(blocks: readonly PairBlock[]): BlockValues {
  const records = blocks.flatMap(splitAtRepeats)
  const kinds: Kind[] = []
  for (const block of records) {
    const keys = block.pairs.map(([key]) => key)
    const kind = kinds.find(({ keys: known }) => keys.filter((key) => known.has(key)).length >= SAME_SHARE * Math.max(keys.length, 1))
    if (kind === undefined) {
      if (kinds.length < MOST_KINDS) kinds.push({ keys: new Set(keys), blocks: [block] })
    } else {
      kind.blocks.push(block)
      for (const key of keys) kind.keys.add(key)
    }
  }
  const repeated = kinds.filter((kind) => kind.blocks.length >= FEWEST_RECORDS && isOneKind(kind))
  const tables = repeated.map(({ blocks: own }, at) => recordTable(own, repeated.length === 1 ? 'records' : `records ${at + 1}`))
  const rest = records.filter((block) => !repeated.some(({ blocks: own }) => own.includes(block)))
  const lists = rest.filter(({ pairs }) => isListOfNumbers(pairs))
  if (lists.length > 0) tables.push(listTable(lists))
  const single = rest.filter((block) => !lists.includes(block))
  return {
    tables,
    scalars: single.flatMap(({ heading, pairs }) =>
      pairs.map(([key, value]): readonly [string, unknown] => [heading === '' ? key : `${heading}: ${key}`, value]),
    ),
  }
}

/** Where a key comes again, the next record begins. */
function splitAtRepeats(block: PairBlock): PairBlock[] {
  const parts: PairBlock[] = []
  let own: (readonly [string, string])[] = []
  let seen = new Set<string>()
  let first = block.first
  const [start] = block.pairs[0] ?? []
  block.pairs.forEach((pair, at) => {
    if (seen.has(pair[0]) && pair[0] === start) {
      parts.push({ heading: block.heading, first, pairs: own })
      own = []
      seen = new Set()
      first = block.first + at
    }
    own.push(pair)
    seen.add(pair[0])
  })
  return [...parts, { heading: block.heading, first, pairs: own }]
}

function isOneKind({ keys, blocks }: Kind): boolean {
  const average = blocks.reduce((sum, { pairs }) => sum + pairs.length, 0) / blocks.length
  return average >= 2 ? keys.size <= 6 * average : keys.size === 1
}

function recordTable(blocks: readonly PairBlock[], name: string): Table {
  const table = new Table(name)
  const isUnderHeadings = new Set(blocks.map(({ heading }) => heading)).size > 1
  for (const { heading, first, pairs } of blocks) {
    const row = table.addRow({ ref: first })
    if (isUnderHeadings && heading !== '') table.set(row, SECTION, heading)
    const seen = new Map<string, number>()
    for (const [key, value] of pairs) {
      const count = (seen.get(key) ?? 0) + 1
      seen.set(key, count)
      table.set(row, count === 1 ? key : `${key} ${count}`, value)
    }
  }
  return table
}

function isListOfNumbers(pairs: PairBlock['pairs']): boolean {
  return pairs.length >= FEWEST_ITEMS && pairs.filter(([, value]) => quantityOf(value) !== undefined).length >= 0.8 * pairs.length
}

function listTable(blocks: readonly PairBlock[]): Table {
  const table = new Table('list')
  for (const { heading, first, pairs } of blocks) {
    pairs.forEach(([name, value], at) => {
      const row = table.addRow({ ref: first + at })
      if (heading !== '') table.set(row, SECTION, heading)
      table.set(row, 'name', name)
      table.set(row, 'value', value)
    })
  }
  return table
}

/** Tables with the same columns are one, with the name of each as the section of its rows. */
export function mergedTables(tables: readonly Table[]): Table[] {
  const kinds = new Map<string, Table[]>()
  for (const table of tables) {
    const key = [...table.columns.keys()].join('\n')
    kinds.set(key, [...(kinds.get(key) ?? []), table])
  }
  return [...kinds.values()]
    .map((alike) => {
      const [first] = alike
      if (first === undefined || alike.length < FEWEST_RECORDS || alike.some(({ parent }) => parent !== undefined)) return alike
      const all = new Table(`${alike.length} tables`)
      for (const each of alike) {
        each.refs.forEach((ref, at) => {
          const row = all.addRow({ ref })
          all.set(row, SECTION, each.name)
          for (const [column, cells] of each.columns) if (cells[at] !== undefined) all.set(row, column, cells[at])
        })
      }
      return [all]
    })
    .flat()
}
