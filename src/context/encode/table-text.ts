import { isNumber } from '../../json/json.ts'
import { isRecord } from '../../schema/json-schema.ts'

const FEWEST_ROWS = 2

/**
 * A list of flat records with the names of its fields once: a line of names, then a line for each record, cells as in JSON with quotes only
 * where they are needed. A field that a record does not have is an empty cell. Undefined for a value of another kind.
 * @example
 * console.log(JSON.stringify(tableText([{ id: 1, name: 'Ana' }, { id: 2 }]))) // "id,name\n1,Ana\n2,"
 */
export function tableText(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length < FEWEST_ROWS) return undefined
  const names: string[] = []
  const known = new Set<string>()
  for (const record of value) {
    if (!isRecord(record) || isNumber(record) || Object.keys(record).length === 0) return undefined
    for (const [name, cell] of Object.entries(record)) {
      if (typeof cell === 'object' && cell !== null && !isNumber(cell)) return undefined
      if (!isPlain(cell)) return undefined
      if (known.has(name)) continue
      known.add(name)
      names.push(name)
    }
  }
  // One empty cell alone would be an empty line.
  if (names.length < 2) return undefined
  const rows = value.map((record: Readonly<Record<string, unknown>>) =>
    names.map((name) => (Object.hasOwn(record, name) ? cellOf(record[name]) : '')).join(','),
  )
  return [names.map(cellOf).join(','), ...rows].join('\n')
}

function isPlain(cell: unknown): boolean {
  return (
    cell === null ||
    typeof cell === 'string' ||
    typeof cell === 'boolean' ||
    (typeof cell === 'number' ? Number.isFinite(cell) : isNumber(cell))
  )
}

/** A text that could be read as something else, or that has a mark in it, stands in quotes. */
export function cellOf(cell: unknown): string {
  if (typeof cell !== 'string') return JSON.stringify(cell)
  return /^[\p{L}][\p{L}\p{N} _./:@()#%&+-]*$/u.test(cell) && !cell.endsWith(' ') && !/^(?:true|false|null)$/.test(cell)
    ? cell
    : JSON.stringify(cell)
}
