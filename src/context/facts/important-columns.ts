import type { ColumnProfile } from './profile-column.ts'
import type { TableProfile } from './table-profile.ts'

/** What is added up: the more of it, the more there is. */
const ADDED =
  /(?:^|[^a-z])(?:total|amount|revenue|turnover|sum|cost|costs|value|paid|net|gross|balance|bytes|size|duration|elapsed|count|qty|quantity|hours|minutes|seconds|ms|sales|volume|usage|spend|fee|tax|units|points|requests|errors|lines|tokens|weight|distance)(?:$|[^a-z])/
/** What is compared, never added: a part, a price of one, a place in an order, a place on the earth. */
const COMPARED =
  /(?:^|[^a-z])(?:pct|percent|percentage|rate|ratio|price|score|index|version|lat|lon|lng|latitude|longitude|zip|year|month|day|hour|prio|priority|rank|position|offset|pos|temp|temperature|p\d\d|avg|mean|median|age|confidence|probability|grade|level|humidity|pressure|ph|utilization|utilisation|share|rating|stars)(?:$|[^a-z])|%/
/** A name that was given because there was none. */
const UNNAMED = /^(?:(?:field|value|number|column) )?\d+$/

/** A column of numbers, and how much of what is asked about a table is asked about it. */
export interface Measure {
  readonly column: ColumnProfile
  /** Whether sums of it say something. */
  readonly isAdded: boolean
  readonly weight: number
}

const known = new WeakMap<TableProfile, readonly Measure[]>()

/** The columns of numbers, the most important first; one of several that say the same. */
export function measuresOf(profile: TableProfile): readonly Measure[] {
  const before = known.get(profile)
  if (before !== undefined) return before
  const seen = new Set<string>()
  const measures = profile.columns.flatMap((column): Measure[] => {
    const { number, kind, counts, filled } = column
    if (kind !== 'number' || number === undefined || counts?.size === 1) return []
    const key = `${number.sum} ${number.min.value} ${number.max.value} ${filled}`
    if (seen.has(key)) return []
    seen.add(key)
    const name = spaced(column.name)
    const isCompared = COMPARED.test(name) || isSampled(profile)
    const carried = profile.table.carried.has(column.name) ? 0.5 : 1
    const weight = (ADDED.test(name) && !isCompared ? 1 : isCompared ? 0.6 : UNNAMED.test(column.name) ? 0.6 : 0.8) * carried
    return [{ column, isAdded: !isCompared, weight }]
  })
  // The most important one of a table counts whole, however little its name says.
  const most = measures.reduce((largest, { weight }) => Math.max(largest, weight), 0)
  const sorted = measures.map((each) => ({ ...each, weight: each.weight / most })).toSorted((a, b) => b.weight - a.weight)
  known.set(profile, sorted)
  return sorted
}

/** A time and one value, again and again: what a measure shows at a moment is not added to what it shows at the next. */
function isSampled({ columns }: TableProfile): boolean {
  return columns.length === 2 && columns.some(({ kind }) => kind === 'time') && columns.some(({ name }) => name === 'value')
}

/** `netTotal_eur` as `net total eur`. */
function spaced(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('_', ' ')
}
