import { exactSum, figure } from '../view/quantity.ts'
import { cellText } from '../view/table.ts'
import { type Fact, ORDER } from './fact.ts'
import { atTheEnds } from './group-facts.ts'
import { type Measure, measuresOf } from './important-columns.ts'
import { seriesOf } from './series-of.ts'
import type { TableProfile } from './table-profile.ts'

const MOST_MEASURES = 3
/** The numbers of several things in one column say little before they are told apart. */
const OF_EACH = 2
const OF_ENDS = 1.6
const SHORT_SHARE = 0.4

/** Numbers for each row above, or for each thing that comes again: its sum or its mean, its largest and its smallest. */
export function parentFacts(profile: TableProfile, part: string): Fact[] {
  if (seriesOf(profile).length < 2) return []
  return measuresOf(profile)
    .slice(0, MOST_MEASURES)
    .flatMap((measure) => numbersOf(profile, measure))
    .map((fact) => ({ ...fact, part, order: ORDER.group }))
}

interface Told {
  readonly name: string
  readonly value: number
  readonly text: string
}

function numbersOf(profile: TableProfile, { column, isAdded, weight }: Measure): Pick<Fact, 'text' | 'short' | 'shortShare' | 'worth'>[] {
  const { name, number } = column
  const cells = profile.table.columns.get(name) ?? []
  const time = profile.columns.find(({ kind }) => kind === 'time')
  const when = (row: number): string => (time === undefined ? '' : ` (${cellText(profile.table.cell(row, time.name))})`)
  const middles: Told[] = []
  const ends: Told[] = []
  for (const { name: whose, rows } of seriesOf(profile)) {
    const read = rows.flatMap((row) => {
      const quantity = number?.at(row)
      return quantity === undefined ? [] : [{ row, quantity }]
    })
    const [first] = read
    if (first === undefined) continue
    const most = read.reduce((best, each) => (each.quantity.value > best.quantity.value ? each : best), first)
    const least = read.reduce((best, each) => (each.quantity.value < best.quantity.value ? each : best), first)
    const sum = exactSum(read.map(({ quantity }) => quantity))
    const mean = Number(sum) / read.length
    middles.push({ name: whose, value: isAdded ? Number(sum) : mean, text: isAdded ? `${sum} (mean ${figure(mean)})` : figure(mean) })
    ends.push({
      name: whose,
      value: most.quantity.value,
      text: `max ${cellText(cells[most.row])}${when(most.row)} min ${cellText(cells[least.row])}`,
    })
  }
  if (middles.length < 2) return []
  return [
    { ...listed(`${isAdded ? 'sum' : 'mean'} of ${name} of each`, middles), worth: OF_EACH * weight },
    { ...listed(`${name} of each`, ends), worth: OF_ENDS * weight },
  ]
}

/** All of them, those with the same first word under it; in short, the largest and the smallest. */
function listed(head: string, all: readonly Told[]): Pick<Fact, 'text' | 'short' | 'shortShare'> {
  const sorted = all.toSorted((a, b) => b.value - a.value)
  const short = `${head}: ${atTheEnds(sorted.map(({ name, text }) => `${name} ${text}`))}`
  const groups = new Map<string, string[]>()
  for (const { name, text } of sorted) {
    const space = name.indexOf(' ')
    const [first, rest] = space < 0 ? ['', name] : [name.slice(0, space), name.slice(space + 1)]
    groups.set(first, [...(groups.get(first) ?? []), `${rest} ${text}`])
  }
  const isNested = !groups.has('') && 2 * groups.size <= all.length
  const texts = isNested
    ? [...groups].map(([first, own]) => `${first} (${own.join(', ')})`)
    : sorted.map(({ name, text }) => `${name} ${text}`)
  return { text: `${head}: ${texts.join(', ')}`, short, shortShare: SHORT_SHARE }
}
