const DEFAULT_COLUMNS = 80
const LEAST_COLUMNS = 20

/** Where a line goes on. The texts of others begin behind the bar and one space, so that no text can look like this. */
const GOES_ON = '  |> '

/**
 * A text for a terminal of so many columns. A terminal breaks a long line anywhere, and a text of the right length would then fill rows that look
 * like lines of ours. So each line is broken here, and each row after its first one begins with a bar. The text must be printable, but for the
 * colours of ours, which take no room.
 */
export function inRows(text: string, columns: number | undefined): string {
  // Some terminals break a row that fills their last column.
  const room = Math.max(LEAST_COLUMNS, isColumns(columns) ? Math.floor(columns) : DEFAULT_COLUMNS) - 1
  return text
    .split('\n')
    .map((line) => broken(line, room))
    .join('\n')
}

function isColumns(columns: number | undefined): columns is number {
  return columns !== undefined && Number.isFinite(columns) && columns >= 1
}

function broken(line: string, room: number): string {
  let rows = ''
  let row = ''
  let used = 0
  for (const character of line.match(CHARACTERS) ?? []) {
    const cells = cellsOf(character)
    if (used + cells > room) {
      rows += `${row}\n`
      row = GOES_ON
      used = GOES_ON.length
    }
    row += character
    used += cells
  }
  return rows + row
}

/** Each character, and each code for a colour as one. */
// oxlint-disable-next-line no-control-regex
const CHARACTERS = /\u001B\[[\d;]*m|./gsu

/** The beginning of a printable text that takes so many cells at the most. A dot stands for the rest. */
export function inCells(text: string, most: number): string {
  if (cellsIn(text) <= most) return text
  let kept = ''
  let used = 1
  for (const character of text.match(CHARACTERS) ?? []) {
    used += cellsOf(character)
    if (used > most) break
    kept += character
  }
  return most < 1 ? '' : `${kept}…`
}

/** The cells that a printable text takes on a terminal, or a few more. */
export function cellsIn(text: string): number {
  return (text.match(CHARACTERS) ?? []).reduce((sum, character) => sum + cellsOf(character), 0)
}

const COMBINING = /^[\p{Mn}\p{Me}]$/u
/** The first block with letters that take two cells. */
const FIRST_WIDE = 0x11_00

/** From the first wide letters on, all count as wide: a row with too many cells counted is short, one with too few would be broken again. */
function cellsOf(character: string): number {
  if (character.startsWith('\u001B[')) return 0
  if ((character.codePointAt(0) ?? 0) < 0x7f) return 1
  if (COMBINING.test(character)) return 0
  return (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2
}
