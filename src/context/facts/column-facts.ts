import { figure } from '../view/quantity.ts'
import { cellText } from '../view/table.ts'
import { brief, type Fact, ORDER } from './fact.ts'
import { timeSpans } from '../view/time-spans.ts'
import { KIND_WEIGHT } from './kind-weights.ts'
import { type ColumnProfile, type NumberProfile, profileColumn, type TimeProfile } from './profile-column.ts'
import type { TableProfile } from './table-profile.ts'

const MOST_SHOWN = 24
const MOST_LISTED = 400
const FEW = 6
/** What a column with one value says: next to nothing. */
const CONSTANT = 0.2
/** So few rows that differ from so many others are named. */
const MOST_ODD = 3
const OF_CARRIED = 0.4
const FEWEST_AROUND_AN_ODD_ONE = 12

/** What each column holds, in one line. */
export function columnFacts(profile: TableProfile, part: string): Fact[] {
  const { rows } = profile.table
  const seen = new Map<string, string>()
  const own = profile.columns.flatMap((column) => {
    const same = profile.table.carried.has(column.name) ? undefined : sameAs(column, seen)
    const twin = profile.twins.get(column.name)
    const fact =
      same !== undefined
        ? { text: `as ${same}`, worth: 0.15 }
        : twin !== undefined
          ? { text: `as ${twin.name}: ${legend(column, twin, profile)}`, short: listed(column.counts ?? new Map(), FEW), worth: OF_A_TWIN }
          : factOf(column, profile)
    if (fact === undefined) return []
    // A field that hardly any row has is said with its row.
    const missing = rows - column.filled
    const weight =
      (rows > 20 && column.filled <= 2 ? 0.3 : 1) *
      (missing > 0.5 * rows ? KIND_WEIGHT.partialColumn : 1) *
      (profile.table.carried.has(column.name) ? OF_CARRIED : 1)
    const note =
      missing > 0 && missing <= 0.5 * rows
        ? ` (${missing} without${namesOfEmpty(column, profile)})`
        : missing > 0
          ? ` (${column.filled} of ${rows})`
          : ''
    const next = same === undefined && column.number !== undefined ? nextTo(column.number, profile) : ''
    return [
      ...(next === ''
        ? []
        : [{ text: `${column.name}, next to the highest: ${next}`, worth: OF_THE_NEXT * weight, part, order: ORDER.column }]),
      {
        ...fact,
        worth: fact.worth * weight,
        text: `${column.name}${note}: ${fact.text}`,
        ...(fact.short === undefined ? {} : { short: `${column.name}${note}: ${fact.short}` }),
        part,
        order: ORDER.column,
      },
    ]
  })
  return [...own, ...spanFact(profile, part)]
}

/** How long rows last, where they say when they begin and end. */
function spanFact(profile: TableProfile, part: string): Fact[] {
  const spans = profile.columns.filter(({ kind }) => kind === 'time').length < 2 ? undefined : timeSpans(profile.table)
  const column = spans === undefined ? undefined : profileColumn('duration', spans)
  if (column?.number === undefined || column.filled < FEWEST_AROUND_AN_ODD_ONE) return []
  const { text, short } = numberFact(column, column.number, profile)
  return [
    { text: `duration in s, computed: ${text}`, short: `duration in s, computed: ${short}`, worth: OF_A_SPAN, part, order: ORDER.column },
  ]
}

const OF_A_SPAN = 1.6

/** The rows without a value where nearly all have one. */
function namesOfEmpty({ name, filled }: ColumnProfile, profile: TableProfile): string {
  const { table } = profile
  if (table.rows < FEWEST_AROUND_AN_ODD_ONE || table.rows - filled > MOST_ODD || !profile.hasLabel) return ''
  const empty = table.refs.flatMap((_ref, row) => (isEmpty(table.cell(row, name)) ? [brief(profile.label(row), 40)] : []))
  return `: ${empty.join(', ')}`
}

function isEmpty(cell: unknown): boolean {
  return cell === undefined || cell === null || cell === ''
}

/** The column before it with the same values in the same numbers, as logs and joins have them. */
function sameAs({ name, counts, kind }: ColumnProfile, seen: Map<string, string>): string | undefined {
  if (counts === undefined || counts.size < 2 || counts.size > MOST_LISTED || kind === 'time') return undefined
  const key = [...counts].flat().join('\n')
  const before = seen.get(key)
  if (before === undefined) seen.set(key, name)
  return before
}

const OF_A_TWIN = 2

/** Which value stands for which, and how often. */
function legend({ name, counts }: ColumnProfile, twin: ColumnProfile, profile: TableProfile): string {
  const pairs = new Map<string, string>()
  const cells = profile.table.columns.get(name) ?? []
  cells.forEach((cell, row) => {
    if (!isEmpty(cell) && pairs.size < (counts?.size ?? 0)) pairs.set(cellText(cell), cellText(profile.table.cell(row, twin.name)))
  })
  return [...pairs].map(([own, other]) => `${brief(own, 40)} ${counts?.get(own) ?? 0} = ${brief(other, 40)}`).join(', ')
}

type Said = Pick<Fact, 'text' | 'short' | 'worth'>

function factOf(column: ColumnProfile, profile: TableProfile): Said | undefined {
  const { kind, number, time, counts, filled } = column
  if (kind === 'empty') return { text: 'empty', worth: 0.3 }
  if (time !== undefined) return timeFact(time, filled, profile)
  if (number !== undefined) return numberFact(column, number, profile)
  if (counts === undefined || kind === 'text') return lengthFact(column, profile)
  if (kind === 'category' || counts.size <= MOST_SHOWN) return categoryFact(column, counts, profile)
  return manyFact(column, counts)
}

/** Long texts: how long they are, and the one that is much longer than the others. */
function lengthFact({ name }: ColumnProfile, profile: TableProfile): Said | undefined {
  const lengths = (profile.table.columns.get(name) ?? []).flatMap((cell, row) =>
    typeof cell === 'string' ? [{ row, length: cell.length }] : [],
  )
  if (lengths.length < FEWEST_AROUND_AN_ODD_ONE) return undefined
  const [longest, second] = lengths.toSorted((a, b) => b.length - a.length)
  if (longest === undefined || second === undefined) return undefined
  const isOdd = longest.length > 2 * second.length
  return { text: `texts of up to ${longest.length} characters (${profile.label(longest.row)})`, worth: isOdd ? 1.2 : 0.3 }
}

function numberFact({ counts, filled }: ColumnProfile, number: NumberProfile, profile: TableProfile): Said {
  const { min, max, sum, mean, median, p95 } = number
  if (min.value === max.value)
    return { text: filled === 1 ? min.text : `${min.text} in all ${filled}, sum ${sum}`, worth: filled === 1 ? 1.5 : CONSTANT }
  const spread = `min ${min.text} (${profile.label(min.row)}), max ${max.text} (${profile.label(max.row)}), sum ${sum}`
  const codes = counts !== undefined && counts.size <= 12 && filled >= 3 * counts.size ? `; ${listed(counts, 12)}` : ''
  return {
    text: `${spread}, mean ${figure(mean)}, median ${figure(median)}, p95 ${figure(p95)}${codes}`,
    short: `${nearSide(number, profile)}, sum ${sum}`,
    worth: 3.2,
  }
}

const MOST_NEXT = 2
const OF_THE_NEXT = 0.4

/** The rows after the highest one, where they have names. */
function nextTo({ values, max }: NumberProfile, profile: TableProfile): string {
  if (!profile.hasLabel || values.length < FEWEST_AROUND_AN_ODD_ONE) return ''
  const next: NumberProfile['values'][number][] = []
  for (const each of values) {
    if (each.row === max.row || (next.length === MOST_NEXT && each.value <= (next.at(-1)?.value ?? 0))) continue
    next.push(each)
    next.sort((a, b) => b.value - a.value)
    next.length = Math.min(next.length, MOST_NEXT)
  }
  // Many that are as high say nothing.
  if (next.some(({ value }) => value === max.value)) return ''
  return next.map(({ row, value }) => `${figure(value)} (${profile.label(row)})`).join(', ')
}

/** Both ends, with the name of the row at the upper one, unless the lower one is much farther from the others. */
function nearSide({ min, max, median }: NumberProfile, profile: TableProfile): string {
  const isLow = median - min.value > 3 * (max.value - median)
  const named = ({ text, row }: NumberProfile['min'], isNamed: boolean): string => (isNamed ? `${text} (${profile.label(row)})` : text)
  return `min ${named(min, isLow)}, max ${named(max, !isLow)}`
}

function timeFact({ first, last, stepMs, gaps }: TimeProfile, filled: number, profile: TableProfile): Said {
  if (filled === 1) return { text: first.text, worth: 1 }
  if (first.value === last.value) return { text: `${first.text}, all`, worth: CONSTANT }
  const step = stepMs === undefined ? '' : `, every ${span(stepMs)}`
  const missing = gaps.map((gap) => `${gap.missing} missing between ${gap.after} and ${gap.before}`)
  const shown = missing.length === 0 ? (stepMs === undefined ? '' : ', no gaps') : `; ${missing.slice(0, 5).join('; ')}`
  const named = (row: number, text: string): string => (profile.isLabel(text, row) ? text : `${text} (${profile.label(row)})`)
  return {
    text: `${named(first.row, first.text)}${inWords(first)} to ${named(last.row, last.text)}${inWords(last)}${step}${shown}`,
    short: `${first.text}${inWords(first)} to ${last.text}${inWords(last)}`,
    worth: gaps.length > 0 ? 2.6 : 2,
  }
}

/** Seconds since the epoch say little to a reader. */
function inWords({ text, value }: TimeProfile['first']): string {
  return /^\d+$/.test(text) && Math.abs(value) <= LAST_MOMENT ? ` (${new Date(value).toISOString().replace('.000', '')})` : ''
}

/** The last moment that a calendar has. */
const LAST_MOMENT = 8.64e15

function categoryFact({ name, filled }: ColumnProfile, counts: ReadonlyMap<string, number>, profile: TableProfile): Said | undefined {
  if (counts.size === 1)
    return {
      text:
        filled === 1
          ? `${brief([...counts.keys()][0] ?? '')}${[...oddOnes(name, counts, profile).values()].map((who) => ` (${who})`).join('')}`
          : `${listed(counts, 1)}, all`,
      worth: filled === 1 ? 1.6 : CONSTANT,
    }
  if (counts.size <= MOST_SHOWN) {
    const odd = oddOnes(name, counts, profile)
    return {
      text: listed(counts, MOST_SHOWN, odd),
      ...(counts.size > FEW ? { short: `${listed(counts, FEW)}, … ${counts.size} values` } : {}),
      // A short list of different things counts nothing.
      worth: counts.size === filled ? 1.2 : 3,
    }
  }
  return manyFact({ name, filled }, counts)
}

/** Values that one row alone has, among many rows with others: with the names of these rows. */
function oddOnes(name: string, counts: ReadonlyMap<string, number>, profile: TableProfile): ReadonlyMap<string, string> {
  const odd = new Set([...counts].filter(([, count]) => count === 1).map(([value]) => value))
  const most = [...counts.values()][0] ?? 0
  const names = new Map<string, string>()
  const isAlone = most >= FEWEST_AROUND_AN_ODD_ONE || (counts.size <= MOST_ODD && profile.table.rows >= FEWEST_AROUND_AN_ODD_ONE)
  if (odd.size === 0 || odd.size > MOST_ODD || !isAlone || !profile.hasLabel) return names
  profile.table.columns.get(name)?.forEach((cell, row) => {
    const value = cellText(cell)
    if (odd.has(value) && !profile.isLabel(value, row)) names.set(value, brief(profile.label(row), 40))
  })
  return names
}

function manyFact({ filled }: Pick<ColumnProfile, 'name' | 'filled'>, counts: ReadonlyMap<string, number>): Said | undefined {
  const most = [...counts.values()][0] ?? 0
  if (most === 1) {
    if (counts.size <= MOST_LISTED && averageLength(counts) < 30)
      return {
        text: `${counts.size} different: ${[...counts.keys()].map((each) => brief(each, 40)).join(', ')}`,
        short: sample(counts),
        worth: 1.3,
      }
    return { text: sample(counts), worth: 0.2 }
  }
  const top = `${counts.size} values in ${filled}, most: ${listed(counts, 5)}`
  if (counts.size <= MOST_LISTED && averageLength(counts) < 30)
    return { text: `${counts.size} values: ${listed(counts, MOST_LISTED)}`, short: top, worth: KIND_WEIGHT.manyListed * 1.3 }
  return { text: top, worth: KIND_WEIGHT.manyTop }
}

function sample(counts: ReadonlyMap<string, number>): string {
  return `${counts.size} different, such as ${[...counts.keys()]
    .slice(0, 2)
    .map((each) => brief(each, 40))
    .join(', ')}`
}

function listed(counts: ReadonlyMap<string, number>, most: number, names?: ReadonlyMap<string, string>): string {
  return [...counts]
    .slice(0, most)
    .map(([value, count]) => `${brief(value, 60)} ${count}${names?.has(value) === true ? ` (${names.get(value)})` : ''}`)
    .join(', ')
}

function averageLength(counts: ReadonlyMap<string, number>): number {
  let length = 0
  for (const key of counts.keys()) length += key.length
  return length / counts.size
}

function span(ms: number): string {
  if (ms % 86_400_000 === 0) return `${ms / 86_400_000} d`
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`
  if (ms % 60_000 === 0) return `${ms / 60_000} min`
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
