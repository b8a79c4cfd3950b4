import { groupTable, lineGroups } from './line-groups.ts'
import { linePairs } from './line-pairs.ts'
import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const FEWEST_LINES = 12
const FEWEST_OF_A_GROUP = 5
const MOST_GROUPS = 20
/** So many of the lines are of a kind that comes again. */
const LIKE_SHARE = 0.7
const LONGEST_NAME = 80
const OF_A_SMALL_GROUP = 0.5

/** Lines of a few kinds, each a record: a table of the `key=value` pairs of all, and one for the values of each kind. */
export function repeatedLines(lines: readonly string[]): FoundView | undefined {
  const told = lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ text: text.trim(), at }]))
  if (told.length < FEWEST_LINES) return undefined
  const paired = told.map(({ text, at }) => ({ at, text, pairs: linePairs(text) }))
  const all = new Table('records')
  const rest = paired.filter(({ at, pairs }) => {
    if (pairs.length < 2) return true
    const row = all.addRow({ ref: at })
    for (const [key, value] of pairs) all.set(row, key, value)
    return false
  })
  const groups = lineGroups(rest)
  const large = groups.filter(({ lines: own, fixed }) => own.length >= FEWEST_OF_A_GROUP && fixed.some((text) => text === undefined))
  const kept = large.slice(0, MOST_GROUPS)
  const covered = all.rows + kept.reduce((sum, { lines: own }) => sum + own.length, 0)
  if (covered < LIKE_SHARE * told.length) return undefined
  const sentences: Sentence[] = groups
    .filter((group) => !kept.includes(group))
    .flatMap(({ lines: own }) => own.map(({ text, at }) => ({ text, line: at + 1 })))
    .toSorted((a, b) => a.line - b.line)
  const tables = kept.map((group) => {
    const name = group.fixed.map((text) => text ?? '*').join(' ')
    const table = groupTable(group, name.slice(0, LONGEST_NAME))
    if (group.lines.length < told.length / 3) table.weight = OF_A_SMALL_GROUP
    return table
  })
  return {
    shape: 'mixed',
    tables: [...(all.rows >= FEWEST_OF_A_GROUP ? [all] : []), ...tables],
    sentences,
    document: {
      records: [all, ...tables].flatMap((table) =>
        table.refs.map((ref, row) => ({
          line: ref + 1,
          ...Object.fromEntries([...table.columns].flatMap(([column, cells]) => (cells[row] === undefined ? [] : [[column, cells[row]]]))),
        })),
      ),
    },
  }
}
