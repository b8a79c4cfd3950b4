import { bareValue } from '../view/line-tokens.ts'
import { quantityOf } from '../view/quantity.ts'
import { Table } from '../view/table.ts'
import type { OutputView } from '../view/view.ts'

const LONGEST_LINE = 2000
const MOST_LINES = 200_000
const FEWEST_ROWS = 2
const LONGEST_VALUE = 60
/** What stands behind a phrase: a text in quotes, or up to the next blank or mark. */
const AFTER = /^["')\]]*\s*(?:[:=]+|->|is|was)?\s*(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s,;()[\]{}]{1,200}))/
const BEFORE = /([-+]?\d[\d.,]*)\s?$/

/**
 * Rows out of the lines of a text that name something in their words, such as `Rows Removed by Filter: 12` or `12 ms`: the value behind each phrase, or
 * the number before it. Undefined where a phrase is in no line with a value.
 */
export function phraseTable(
  { lines }: Pick<OutputView, 'lines'>,
  phrases: readonly string[],
  isNumber: (phrase: string) => boolean,
): Table | undefined {
  if (phrases.length === 0) return undefined
  const wanted = phrases.map((phrase) => ({ phrase, find: finderOf(phrase), isNumber: isNumber(phrase) }))
  const table = new Table(`lines with ${phrases.join(' and ')}`)
  for (let at = 0; at < lines.length && at < MOST_LINES; at++) {
    const line = (lines[at] ?? '').slice(0, LONGEST_LINE)
    const cells = wanted.map(({ find, isNumber: asNumber }) => valueIn(line, find, asNumber))
    if (cells.some((cell) => cell === undefined)) continue
    const row = table.addRow({ ref: at })
    wanted.forEach(({ phrase }, index) => table.set(row, phrase, cells[index]))
    table.set(row, 'line', `${at + 1}: ${line.trim()}`)
    // A value on a line of its own belongs to what stands above it.
    const above = lines.slice(Math.max(0, at - 3), at).findLast((each) => each.search(/\S/) >= 0 && each.search(/\S/) < line.search(/\S/))
    if (above !== undefined) table.set(row, 'below', above.trim().slice(0, 160))
  }
  return table.rows < FEWEST_ROWS ? undefined : table
}

/** The phrase as whole words, with any case and any blanks. A unit may stand right behind its number. */
function finderOf(phrase: string): RegExp {
  const words = phrase
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}_])${words.join('\\s+')}(?![\\p{L}\\d_])`, 'iu')
}

function valueIn(line: string, find: RegExp, isNumber: boolean): string | undefined {
  const found = find.exec(line)
  if (found === null) return undefined
  const [, double, single, bare] = AFTER.exec(line.slice(found.index + found[0].length)) ?? []
  const after = bareValue(double ?? single ?? bare ?? '').slice(0, LONGEST_VALUE)
  const before = BEFORE.exec(line.slice(0, found.index))?.[1]
  if (!isNumber) return after === '' ? before : after
  return quantityOf(after) === undefined ? before : after
}
