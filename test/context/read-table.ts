/** Reads back what stands beside a table too: plain fields as JSON, and the name of the list. */
export function readTables(text: string): unknown {
  const [first = '', ...others] = text.split('\n')
  const [rest, lines] = first.startsWith('{') ? [JSON.parse(first) as object, others] : [{}, [first, ...others]]
  const [name = '', ...table] = lines
  if (cellsOf(name.replace(/:$/, '')).length > 1) return readTable(lines.join('\n'))
  return Object.fromEntries([...Object.entries(rest), [String(valueOf(name.slice(0, -1))), readTable(table.join('\n'))]])
}

/** Reads back what `tableText` writes, as its description says. */
export function readTable(text: string): Record<string, unknown>[] {
  const [names = [], ...rows] = text.split('\n').map(cellsOf)
  return rows.map((cells) =>
    Object.fromEntries(names.flatMap((name, at) => (cells[at] === '' ? [] : [[valueOf(name), valueOf(cells[at] ?? '')]]))),
  )
}

function cellsOf(line: string): string[] {
  const cells: string[] = []
  for (let rest: string | undefined = line; rest !== undefined;) {
    const [cell = '']: readonly string[] = /^(?:"(?:[^"\\]|\\.)*"|[^,]*)/.exec(rest) ?? []
    cells.push(cell)
    rest = rest.length > cell.length ? rest.slice(cell.length + 1) : undefined
  }
  return cells
}

function valueOf(cell: string): unknown {
  return /^["\d-]|^(?:true|false|null)$/.test(cell) ? (JSON.parse(cell) as unknown) : cell
}
