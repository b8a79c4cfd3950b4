import { cellText, type Table } from '../view/table.ts'
import type { ColumnProfile } from './profile-column.ts'

const LABELS = [
  'name',
  'id',
  'key',
  'title',
  'label',
  'file',
  'path',
  'url',
  'sku',
  'code',
  'number',
  'ref',
  'email',
  'subject',
  'user',
  'host',
  'service',
  'time',
]
const TITLES = /(?:^|[._\s])(?:name|title|summary|subject|label|fn|cn)$/i
/** Made for machines: no reader asks for it. */
export const OPAQUE = /(?:message-?id|cursor|hash|etag|token|digest|checksum|integrity|sha\d*)$/i

/** What rows are called, beside an identifier. */
export function titleOf(columns: readonly ColumnProfile[], rows: number, label: ColumnProfile | undefined): ColumnProfile | undefined {
  if (label === undefined || TITLES.test(label.name) || label.kind === 'time') return undefined
  return columns.find(
    ({ name, kind, filled, counts }) =>
      name !== label.name &&
      TITLES.test(name) &&
      kind !== 'number' &&
      kind !== 'time' &&
      filled >= 0.5 * rows &&
      (counts?.size ?? 0) > 0.3 * filled,
  )
}

/** So many names of its own go before the name of what belongs to a record. */
const OF_ANOTHER = 6

/** How well a column names rows by its name; a lower one is better. */
function rankOf({ name, kind }: ColumnProfile): number {
  if (kind === 'time') return LABELS.length + 1
  if (OPAQUE.test(name)) return LABELS.length + 2
  const last =
    name
      .split(/[.\s_-]/)
      .at(-1)
      ?.toLowerCase() ?? ''
  const at = LABELS.indexOf(last)
  // What a record has of another one names it less than what it has itself.
  return at < 0 ? LABELS.length : at + (name.includes('.') ? OF_ANOTHER : 0)
}

/** The columns that name rows: one whose values are different, and whose name says so; else two or three that are different together; else the time. */
export function labelsOf(table: Table, columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const { rows } = table
  const usable = columns.filter(({ kind, filled, isUnique, counts }) => {
    const differs = isUnique || (counts !== undefined && counts.size > 0.8 * filled)
    return filled >= 0.9 * rows && differs && kind !== 'text' && kind !== 'number'
  })
  const [named] = usable.toSorted((a, b) => rankOf(a) - rankOf(b))
  if (named !== undefined) return [named]
  const together = severalOf(table, columns)
  if (together !== undefined) return together
  const one = columns.find(({ kind }) => kind === 'time') ?? columns.find((each) => rankOf(each) < 4 && each.kind === 'category')
  return one === undefined ? [] : [one]
}

const MOST_TRIED = 5
const FEWEST_ROWS = 4
const MOST_ROWS = 50_000
const SAMPLED = 500
const NEARLY_ALL = 0.95
const LONGEST_PART = 40

/** Two or three columns that name each row together, such as a host and a moment. */
function severalOf(table: Table, columns: readonly ColumnProfile[]): readonly ColumnProfile[] | undefined {
  if (table.rows < FEWEST_ROWS || table.rows > MOST_ROWS || table.lineOf !== undefined) return undefined
  const parts = columns
    .filter(
      ({ kind, filled, counts, name }) =>
        (kind === 'category' || kind === 'id' || kind === 'time') &&
        filled >= 0.9 * table.rows &&
        (counts === undefined ? kind === 'time' : counts.size > 1) &&
        !OPAQUE.test(name) &&
        isShort(counts),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, MOST_TRIED)
  const areDifferent = (own: readonly ColumnProfile[], rows: number): boolean => {
    const cells = own.map(({ name }) => table.columns.get(name) ?? [])
    const seen = new Set<string>()
    for (let row = 0; row < rows; row++) seen.add(cells.map((each) => cellText(each[row])).join('\n'))
    return seen.size >= NEARLY_ALL * rows
  }
  const pairs = parts.flatMap((a, at) => parts.slice(at + 1).map((b) => [a, b]))
  const triples = pairs.flatMap(([a, b]) => parts.slice(parts.indexOf(b as ColumnProfile) + 1).map((c) => [a, b, c]))
  return [...pairs, ...triples]
    .map((own) => own.filter((column) => column !== undefined))
    .find((own) => areDifferent(own, Math.min(SAMPLED, table.rows)) && areDifferent(own, table.rows))
}

function isShort(counts: ReadonlyMap<string, number> | undefined): boolean {
  let looked = 0
  for (const key of counts?.keys() ?? []) {
    if (key.length > LONGEST_PART) return false
    if (++looked === 20) break
  }
  return true
}
