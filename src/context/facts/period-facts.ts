import { exactSum, figure as figureOf } from '../view/quantity.ts'
import { type Fact, ORDER } from './fact.ts'
import { atTheEnds } from './group-facts.ts'
import { measuresOf } from './important-columns.ts'
import type { TimeProfile } from './profile-column.ts'
import type { TableProfile } from './table-profile.ts'

/** How much of a moment, as it is written in UTC, names its period. */
const PERIODS = { year: 4, month: 7, day: 10, hour: 13, minute: 16 } as const
const MOST_PERIODS = 40
/** Of more periods than are listed, those with the most and the fewest. */
const MOST_COMPARED = 1500
const OF_THE_ENDS = 0.4
const FEWEST_ROWS = 12
const MOST_NUMBERS = 3
const MOST_ADDED = 100_000
/** Times of the day have no day: they count from here. */
const FIRST_DAY = '1970-01-01T'

/** Rows, and numbers in them, by the years, months, days, hours or minutes that they are of: the periods of which there are some, and not many. */
export function periodFacts(profile: TableProfile, part: string): Fact[] {
  const { table, columns } = profile
  const time = columns.find((column) => column.time !== undefined && !table.carried.has(column.name))
  if (time?.time === undefined || table.rows < FEWEST_ROWS || table.rows > MOST_ADDED) return []
  const numbers = measuresOf(profile).slice(0, MOST_NUMBERS)
  return Object.entries(PERIODS).flatMap(([period, length]) => {
    const groups = rowsBy(time.time as TimeProfile, length)
    if (groups.size < 2 || groups.size > MOST_COMPARED || 2 * groups.size > table.rows) return []
    const said = (what: string, worth: number, of: (rows: readonly number[]) => string): Fact => {
      const head = `${what} by ${period}: `
      const all = [...groups].map(([name, rows]) => ({ name, figure: of(rows) }))
      const ends = atTheEnds(all.toSorted((a, b) => Number(b.figure) - Number(a.figure)).map(({ name, figure }) => `${name} ${figure}`))
      if (groups.size > MOST_PERIODS) return { text: head + ends, worth: OF_THE_ENDS * worth, part, order: ORDER.group }
      const text = head + all.map(({ name, figure }) => `${name} ${figure}`).join(', ')
      return { text, short: head + ends, shortShare: OF_THE_ENDS, worth, part, order: ORDER.group }
    }
    const counts = new Set([...groups.values()].map(({ length: count }) => count))
    const sums = numbers.map(({ column: { name, number }, isAdded, weight }) => {
      return said(`${isAdded ? 'sum' : 'mean'} of ${name}`, 0.7 * weight, (rows) => {
        const read = rows.flatMap((row) => number?.at(row) ?? [])
        return isAdded ? exactSum(read) : figureOf(Number(exactSum(read)) / Math.max(1, read.length))
      })
    })
    // Samples at equal times are as many in every period.
    return counts.size < 3 && groups.size > 2 ? sums : [said('rows', 0.9, ({ length: count }) => String(count)), ...sums]
  })
}

function rowsBy({ values }: TimeProfile, length: number): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const { row, at } of values) {
    const name = nameOf(at, length)
    if (name === undefined) continue
    const own = groups.get(name)
    if (own === undefined) groups.set(name, [row])
    else own.push(row)
    if (groups.size > MOST_COMPARED) break
  }
  return groups
}

function nameOf(at: number, length: number): string | undefined {
  // A moment that no calendar has.
  if (Math.abs(at) > 8.64e15) return undefined
  const name = new Date(at).toISOString().slice(0, length)
  return name.startsWith(FIRST_DAY) ? `${name.slice(FIRST_DAY.length)}${length === PERIODS.hour ? 'h' : ''}` : name
}
