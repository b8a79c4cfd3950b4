import { quantityOf } from './quantity.ts'
import { columnsOf, type GroupedLine, groupTable, type LineGroup, lineGroups } from './line-groups.ts'
import { bareValue } from './line-tokens.ts'
import type { Table } from './table.ts'
import { timeOf } from './time-of.ts'

const MOST_COLUMNS = 3
const MOST_TABLES = 12
const MOST_ROWS = 20_000
const FEWEST_ROWS = 20
const FEWEST_OF_A_GROUP = 5
const FEWEST_WORDS = 3
const FEWEST_FIXED = 2
const LOOKED_AT = 60
const LONGEST_CELL = 300

/** Tables of the values that the cells of a column tell in words: `pulled in 3.2s` in one message after the other. */
export function toldValues(tables: readonly Table[]): Table[] {
  const found: Table[] = []
  for (const table of tables) {
    if (table.rows < FEWEST_ROWS || table.rows > MOST_ROWS || table.weight < 1) continue
    for (const name of spokenColumns(table)) {
      const cells = table.columns.get(name) ?? []
      const lines = cells.flatMap((cell, row): GroupedLine[] => {
        const text = typeof cell === 'string' ? cell : ''
        return text === '' || text.length > LONGEST_CELL ? [] : [{ text, at: table.refs[row] ?? 0, parentRow: row }]
      })
      for (const group of lineGroups(lines)) {
        if (found.length >= MOST_TABLES || group.lines.length < FEWEST_OF_A_GROUP) break
        if (!isTold(group) || !hasNumbers(group)) continue
        const told = groupTable(group, `${table.name} ${name}: ${templateOf(group)}`, { parent: table, isOfCells: true })
        told.weight = 0.25
        found.push(told)
      }
    }
  }
  return found
}

/** Columns in which something is told: texts of several words, with values in them. */
function spokenColumns(table: Table): string[] {
  return [...table.columns]
    .filter(([, cells]) => {
      const sample = cells.filter((cell) => cell !== undefined && cell !== null && cell !== '').slice(0, LOOKED_AT)
      const words = sample.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.split(' ').length : 0), 0)
      const valued = sample.filter((cell) => typeof cell === 'string' && /\d/.test(cell)).length
      if (sample.slice(0, 5).every((cell) => typeof cell === 'string' && timeOf(cell) !== undefined)) return false
      return sample.length >= FEWEST_ROWS && words >= FEWEST_WORDS * sample.length && valued >= 0.1 * sample.length
    })
    .map(([name]) => name)
    .slice(0, MOST_COLUMNS)
}

/** Mostly words that all of them have: a name with a number in it tells nothing. */
function isTold({ fixed }: LineGroup): boolean {
  const words = fixed.filter((text) => text !== undefined && /\p{L}{2}/u.test(text)).length
  return words >= FEWEST_FIXED && words >= 0.2 * fixed.length
}

/** A place whose values are numbers, not all the same. */
function hasNumbers(group: LineGroup): boolean {
  return columnsOf(group).some(([place]) => {
    const values = group.tokens.map((tokens) => bareValue(tokens[place]?.text ?? ''))
    return new Set(values).size > 1 && values.filter((value) => quantityOf(value) !== undefined).length >= 0.9 * values.length
  })
}

function templateOf({ fixed }: LineGroup): string {
  return fixed
    .map((text) => text ?? '*')
    .join(' ')
    .replace(/ ([,;)\]}>])/g, '$1')
    .replace(/([([{<]) /g, '$1')
    .slice(0, 80)
}
