import { figure } from '../view/quantity.ts'
import { cellText } from '../view/table.ts'
import { brief, type Fact, ORDER } from './fact.ts'
import { measuresOf } from './important-columns.ts'
import type { ColumnProfile } from './profile-column.ts'
import { type Series, seriesOf } from './series-of.ts'
import type { TableProfile } from './table-profile.ts'

const MOST_MEASURES = 4
const MOST_RUNS = 5
const MOST_COLUMNS = 8
const FEWEST_ROWS = 12
/** A step that is so many times as large as the usual one is a change. */
const FAR_STEP = 8
const MOST_STEPS = 2
const MOST_VALUES = 8
const OF_RUNS = 1.3
const OF_A_STEP = 1

/** What changes in the course of rows: values that hold for long and then are others, and numbers that jump. */
export function changeFacts(profile: TableProfile, part: string): Fact[] {
  if (profile.table.rows < FEWEST_ROWS) return []
  const series = seriesOf(profile).filter(({ rows }) => rows.length >= FEWEST_ROWS)
  if (series.length === 0) return []
  const measures = measuresOf(profile).slice(0, MOST_MEASURES)
  const held = profile.columns.filter(({ kind, counts, name }) => {
    const isFew = counts !== undefined && counts.size >= 2 && counts.size <= MOST_VALUES
    return isFew && kind !== 'time' && !profile.table.carried.has(name)
  })
  return [
    ...held.slice(0, MOST_COLUMNS).flatMap((column) => runsFact(profile, column, series)),
    ...measures.flatMap(({ column, weight }) =>
      stepsFact(profile, column, series).map((fact) => ({ ...fact, worth: weight * fact.worth })),
    ),
  ].map((fact) => ({ ...fact, part, order: ORDER.group }))
}

type Said = Pick<Fact, 'text' | 'worth'>

/** `6 up to 09:34, then 9 from 09:36`. */
function runsFact(profile: TableProfile, { name }: ColumnProfile, series: readonly Series[]): Said[] {
  const cells = profile.table.columns.get(name) ?? []
  const changed = series.flatMap(({ name: whose, rows }) => {
    const starts: number[] = []
    let before: string | undefined
    rows.forEach((row, at) => {
      const text = cellText(cells[row])
      if (text === before || starts.length > MOST_RUNS) return
      starts.push(at)
      before = text
    })
    if (starts.length < 2 || starts.length > MOST_RUNS) return []
    // Values that hold for a row or two are no state.
    const shortest = starts.reduce((least, start, at) => Math.min(least, (starts[at + 1] ?? rows.length) - start), Infinity)
    if (shortest < 2) return []
    const said = starts.map((start, at) => {
      const text = brief(cellText(cells[rows[start] ?? 0]), 40)
      return at === 0 ? text : `${text} from ${placeOf(profile, rows[start] ?? 0)} (after ${placeOf(profile, rows[start - 1] ?? 0)})`
    })
    return [`${whose === '' ? '' : `${whose}: `}${said.join(', ')}`]
  })
  return changed.length === 0 || changed.length > MOST_RUNS ? [] : [{ text: `${name} changes: ${changed.join('; ')}`, worth: OF_RUNS }]
}

/** The steps of a course are so much smaller than the spread of its values. */
const STEADY = 0.6

function spreadOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.floor(0.75 * sorted.length)] ?? 0) - (sorted[Math.floor(0.25 * sorted.length)] ?? 0)
}

interface Step {
  readonly whose: string
  readonly row: number
  readonly from: number
  readonly to: number
  readonly far: number
  readonly before: number
}

/** The largest steps from one row to the next, where they are far larger than usual. */
function stepsFact(profile: TableProfile, { name, number }: ColumnProfile, series: readonly Series[]): Said[] {
  const numberAt = number?.at
  if (numberAt === undefined) return []
  const steps = series.flatMap(({ name: whose, rows }): Step[] => {
    const values = rows.flatMap((row) => {
      const value = numberAt(row)?.value
      return value === undefined ? [] : [{ row, value }]
    })
    const sizes = values.slice(1).map(({ value }, at) => Math.abs(value - (values[at]?.value ?? 0)))
    const usual = sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0
    // Numbers that come in any order have no steps: from one to the next is as far as from any to any other.
    if (usual === 0 || usual > STEADY * spreadOf(values.map(({ value }) => value))) return []
    let best: Step | undefined
    for (let at = 1; at < values.length; at++) {
      const [one, other] = [values[at - 1], values[at]]
      const far = Math.abs((other?.value ?? 0) - (one?.value ?? 0)) / usual
      if (one !== undefined && other !== undefined && far > (best?.far ?? FAR_STEP))
        best = { whose, row: other.row, before: one.row, from: one.value, to: other.value, far }
    }
    return best === undefined ? [] : [best]
  })
  const largest = steps.toSorted((a, b) => b.far - a.far).slice(0, MOST_STEPS)
  return largest.map(({ whose, row, before, from, to }) => ({
    text: `${name}, largest step${whose === '' ? '' : ` of ${whose}`}: from ${figure(from)} (${placeOf(profile, before)}) to ${figure(to)} (${placeOf(profile, row)})`,
    worth: OF_A_STEP,
  }))
}

/** When a row is, or what it is called. */
function placeOf(profile: TableProfile, row: number): string {
  const time = profile.columns.find(({ kind }) => kind === 'time')
  const said = time === undefined ? '' : cellText(profile.table.cell(row, time.name))
  return said === '' ? profile.label(row) : said
}
