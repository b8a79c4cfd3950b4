import { NAME_PARTS, type NamePart } from '../view/name-parts.ts'
import { cellText } from '../view/table.ts'
import { brief, type Fact, ORDER } from './fact.ts'
import type { ColumnProfile } from './profile-column.ts'
import type { TableProfile } from './table-profile.ts'

const FEWEST_ROWS = 12
const MOST_PARTS = 30
/** So many cells have such a part. */
const LIKE_SHARE = 0.9
/** Parts that are nearly as many as the names say nothing more. */
const FEWER = 0.3
const MOST_COLUMNS = 4
const LOOKED_AT = 100
const WORTH = 0.6

/** How many rows there are for each folder, domain, host or beginning of the names in a column with many of them. */
export function partFacts({ columns, table }: TableProfile, part: string): Fact[] {
  if (table.rows < FEWEST_ROWS) return []
  const many = columns.filter(
    ({ kind, counts, filled }) =>
      kind !== 'number' && kind !== 'time' && counts !== undefined && counts.size > MOST_PARTS && filled >= FEWEST_ROWS,
  )
  return many.slice(0, MOST_COLUMNS).flatMap((column) =>
    NAME_PARTS.flatMap(({ name, of }): Fact[] => {
      const listed = partsOf(column, of)
      return listed === undefined ? [] : [{ text: `${column.name} by ${name}: ${listed}`, worth: WORTH, part, order: ORDER.group }]
    }),
  )
}

function partsOf({ counts }: ColumnProfile, of: NamePart['of']): string | undefined {
  const all = [...(counts ?? [])]
  if (all.slice(0, LOOKED_AT).filter(([text]) => of(text) !== undefined).length < LIKE_SHARE * Math.min(LOOKED_AT, all.length))
    return undefined
  const parts = new Map<string, number>()
  let told = 0
  for (const [text, count] of all) {
    const part = of(cellText(text))
    if (part === undefined) continue
    told++
    parts.set(part, (parts.get(part) ?? 0) + count)
    if (parts.size > MOST_PARTS) return undefined
  }
  if (parts.size < 2 || parts.size > FEWER * all.length || told < LIKE_SHARE * all.length) return undefined
  return [...parts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([text, count]) => `${brief(text, 60)} ${count}`)
    .join(', ')
}
