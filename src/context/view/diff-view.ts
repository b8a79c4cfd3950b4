import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

/** Whether a text is a diff in the unified form. */
export function looksLikeDiff(lines: readonly string[]): boolean {
  const head = lines.slice(0, 400)
  return (
    head.some((line) => line.startsWith('diff --git ') || /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line)) &&
    head.some((line) => /^(?:\+\+\+|---|rename |Binary )/.test(line))
  )
}

/** A diff: its files with how much each changes, and the changed lines. */
export function diffView(lines: readonly string[]): FoundView {
  const table = new Table('files')
  const sentences: Sentence[] = []
  let row = -1
  let file = ''
  let hunk = ''
  let isInHunk = false
  const count = (column: string): void => table.set(row, column, Number(table.cell(row, column) ?? 0) + 1)
  const begin = (line: number, name: string): void => {
    row = table.addRow({ ref: line })
    file = name
    table.set(row, 'file', name)
    table.set(row, 'status', 'modified')
    for (const column of ['added', 'deleted', 'hunks']) table.set(row, column, 0)
    isInHunk = false
  }
  lines.forEach((whole, line) => {
    const text = whole.slice(0, 1000)
    const git = /^diff --git a\/(\S+) b\/(\S+)/.exec(text)
    if (git !== null) return begin(line, git[2] ?? '')
    if (!isInHunk || /^(?:--- |\+\+\+ )\S/.test(text)) {
      const status = statusOf(text)
      if (status !== undefined && row >= 0) table.set(row, 'status', status)
      const old = /^rename from (.+)$/.exec(text)?.[1]
      if (old !== undefined && row >= 0) table.set(row, 'was', old)
      const plain = /^\+\+\+ (?:b\/)?(\S+)/.exec(text)?.[1]
      if (plain !== undefined && plain !== '/dev/null' && file !== plain) begin(line, plain)
      if (/^(?:--- |\+\+\+ )/.test(text)) return
    }
    if (text.startsWith('@@')) {
      isInHunk = true
      hunk = /@@ (.+)$/.exec(text.slice(2))?.[1] ?? ''
      if (row >= 0) count('hunks')
      return
    }
    if (!isInHunk || row < 0 || !/^[+-]/.test(text)) return
    count(text.startsWith('+') ? 'added' : 'deleted')
    sentences.push({ text, line: line + 1, place: hunk === '' ? file : `${file} ${hunk}` })
  })
  const sum = (column: string): number => (table.columns.get(column) ?? []).reduce<number>((all, each) => all + Number(each ?? 0), 0)
  return {
    shape: 'diff',
    tables: [table],
    scalars: [['all', `${table.rows} files, ${sum('added')} lines added, ${sum('deleted')} lines deleted`]],
    sentences,
    document: {
      files: table.refs.map((_ref, each) => Object.fromEntries([...table.columns].map(([column, cells]) => [column, cells[each]]))),
    },
  }
}

function statusOf(text: string): string | undefined {
  if (text.startsWith('new file mode') || text === '--- /dev/null') return 'added'
  if (text.startsWith('deleted file mode') || text === '+++ /dev/null') return 'deleted'
  if (text.startsWith('rename from')) return 'renamed'
  if (text.startsWith('Binary files') || text.startsWith('GIT binary patch')) return 'binary'
  return text.startsWith('old mode') ? 'mode changed' : undefined
}
