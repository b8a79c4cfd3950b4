import { columnsOf, type GroupedLine, groupTable, isTabular, type LineGroup, lineGroups } from './line-groups.ts'
import type { Table } from './table.ts'
import type { FoundView, Shape } from './view.ts'

/** Shapes whose rows were made of lines, by the numbers of these. */
const OF_LINES: ReadonlySet<Shape> = new Set<Shape>(['log', 'trace', 'chat', 'mail'])
const FEWEST_LEFT = 12
const MOST_LEFT = 20_000
const FEWEST_OF_A_GROUP = 6
const MOST_TABLES = 16
const LONGEST_LINE = 600
const LONGEST_NAME = 80
const WEIGHT = 0.35

/** Tables of the lines that no row was made of, where they are of a few kinds: what stands below the messages of a log, or between those of a chat. */
export function leftLines({ shape, tables = [] }: FoundView, lines: readonly string[]): Table[] {
  if (!OF_LINES.has(shape)) return []
  const known = new Set(tables.flatMap(({ refs }) => refs))
  const left: GroupedLine[] = []
  for (let at = 0; at < lines.length && left.length < MOST_LEFT; at++) {
    const text = (lines[at] ?? '').slice(0, LONGEST_LINE).trim()
    if (text !== '' && !known.has(at) && !(shape === 'mail' && HEADER.test(text))) left.push({ text, at })
  }
  if (left.length < FEWEST_LEFT) return []
  return lineGroups(left)
    .filter((group) => group.lines.length >= FEWEST_OF_A_GROUP && isTabular(group) && saysSomething(group))
    .slice(0, MOST_TABLES)
    .map((group) => {
      const name = group.fixed.map((text) => text ?? '*').join(' ')
      const table = groupTable(group, name.slice(0, LONGEST_NAME))
      table.weight = WEIGHT
      return table
    })
}

/** A header of a mail, or the mark between two parts of it. */
const HEADER = /^(?:[A-Z][A-Za-z\d-]{1,40}:(?:\s|$)|--\S|From \S+@|<blob\d+ )/

/** One value alone on a line has no name. */
function saysSomething(group: LineGroup): boolean {
  const columns = columnsOf(group).length
  return columns > 1 || (columns === 1 && group.fixed.some((text) => text !== undefined && /\p{L}{2}/u.test(text)))
}
