/**
 * The rows of a table, each as an object by the names of its first line: `sku,quantity` and a line for each item, or a table of Markdown. Undefined for a
 * text that is no such table, or has a row of another length.
 */
export function tableRows(text: string): readonly Readonly<Record<string, string>>[] | undefined {
  const lines = text.trim().split(/\r?\n/, MOST_ROWS + 1)
  const [head = '', ...rest] = lines
  if (lines.length < 2 || lines.length > MOST_ROWS || /["{}[\]]/.test(text)) return undefined
  const separator = [/\s*\|\s*/, /\t/, /\s*;\s*/, /\s*,\s*/].find((each) => cells(head, each).length > 1)
  if (separator === undefined) return undefined
  const names = cells(head, separator)
  const rows = rest.filter((line) => !/^[\s|:-]+$/.test(line)).map((line) => cells(line, separator))
  if (rows.length === 0 || new Set(names).size < names.length || !names.every((name) => /^[A-Za-z][\w -]*$/.test(name))) return undefined
  return rows.every((row) => row.length === names.length)
    ? rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
    : undefined
}

const MOST_ROWS = 200

function cells(line: string, separator: RegExp): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .trim()
    .split(separator)
    .map((cell) => cell.trim())
}
