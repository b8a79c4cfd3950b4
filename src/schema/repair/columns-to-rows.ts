import { isRecord } from '../json-schema.ts'
import { formsOf } from './field-forms.ts'
import { nameForm } from './name-words.ts'
import { after, isReading, type Reading } from './reading.ts'
import type { Misfit } from './walk.ts'

const MOST_ROWS = 1000

/** `{ x: [0, 2], y: [1, 3] }` where a list of points is taken: a list for each field, all of one length. */
export function columnsToRows({ node, value, place, walk }: Misfit): readonly Reading[] {
  const { items } = node.schema
  const columns = isRecord(value) ? Object.entries(value) : []
  const [first] = columns
  const length = Array.isArray(first?.[1]) ? first[1].length : 0
  if (!isRecord(items) || columns.length < 2 || length === 0 || length > MOST_ROWS) return []
  const known = formsOf(walk.read(items))
  if (!columns.every(([name, each]) => known.has(nameForm(name)) && Array.isArray(each) && each.length === length)) return []
  const rows = Array.from({ length }, (_row, index) =>
    Object.fromEntries(columns.map(([name, each]) => [name, (each as readonly unknown[])[index]])),
  )
  const fixed = walk.fix(node.schema, rows, { ...place, depth: place.depth + 1 })
  return isReading(fixed) ? [after({ path: place.path, from: value, to: rows, rule: 'columns to rows', cost: 2 }, fixed)] : []
}
