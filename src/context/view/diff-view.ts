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

const COMMIT = /^(?:commit|From) ([\da-f]{7,64})\b/
const HEADER = /^(Author|AuthorDate|Commit|CommitDate|Date|From|Subject|Merge):\s+(.+)$/

/** A diff, or commits with their diffs: the files with how much each changes, and the changed lines. */
export function diffView(lines: readonly string[]): FoundView {
  const commits = new Table('commits')
  const table = new Table('files', lines.some((line) => COMMIT.test(line.slice(0, 100))) ? commits : undefined)
  const sentences: Sentence[] = []
  let isInMessage = false
  let row = -1
  let file = ''
  let hunk = ''
  let isInHunk = false
  const addOne = (own: Table, at: number, column: string): void => own.set(at, column, Number(own.cell(at, column) ?? 0) + 1)
  const count = (column: string): void => {
    addOne(table, row, column)
    if (commits.rows > 0 && column !== 'hunks') addOne(commits, commits.rows - 1, column)
  }
  const tell = (text: string, line: number): void => {
    const [, name, value = ''] = HEADER.exec(text) ?? []
    const at = commits.rows - 1
    if (name !== undefined)
      return commits.set(at, name === 'From' ? 'author' : name.toLowerCase(), value.replace(/^\[PATCH[^\]]*\]\s*/, ''))
    if (text.trim() === '') return
    if (commits.cell(at, 'subject') === undefined) commits.set(at, 'subject', text.trim())
    sentences.push({ text: text.trim(), line: line + 1, place: commitOf(commits, at) })
  }
  const begin = (line: number, name: string): void => {
    row = table.addRow({ ref: line, parentRow: commits.rows - 1 })
    isInMessage = false
    file = name
    table.set(row, 'file', name)
    table.set(row, 'status', 'modified')
    for (const column of ['added', 'deleted', 'hunks']) table.set(row, column, 0)
    isInHunk = false
  }
  lines.forEach((whole, line) => {
    const text = whole.slice(0, 1000)
    const commit = COMMIT.exec(text)?.[1]
    if (commit !== undefined) {
      commits.set(commits.addRow({ ref: line }), 'commit', commit)
      for (const column of ['files', 'added', 'deleted']) commits.set(commits.rows - 1, column, 0)
      isInMessage = true
      isInHunk = false
      row = -1
      return
    }
    const git = /^diff --git a\/(\S+) b\/(\S+)/.exec(text)
    if (git !== null) {
      if (commits.rows > 0) addOne(commits, commits.rows - 1, 'files')
      return begin(line, git[2] ?? '')
    }
    if (isInMessage) return tell(text, line)
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
    const place = hunk === '' ? file : `${file} ${hunk}`
    sentences.push({ text, line: line + 1, place: commits.rows === 0 ? place : `${commitOf(commits, commits.rows - 1)} ${place}` })
  })
  const sum = (column: string): number => (table.columns.get(column) ?? []).reduce<number>((all, each) => all + Number(each ?? 0), 0)
  return {
    shape: 'diff',
    tables: commits.rows === 0 ? [table] : [commits, table],
    scalars: [['all', `${table.rows} files, ${sum('added')} lines added, ${sum('deleted')} lines deleted`]],
    sentences,
    document: { ...(commits.rows === 0 ? {} : { commits: rowsOf(commits) }), files: rowsOf(table) },
  }
}

function rowsOf({ refs, columns }: Table): unknown[] {
  return refs.map((_ref, row) => Object.fromEntries([...columns].map(([column, cells]) => [column, cells[row]])))
}

/** The beginning of the name of a commit, and who made it. */
function commitOf(commits: Table, row: number): string {
  return [String(commits.cell(row, 'commit')).slice(0, 10), commits.cell(row, 'author')].filter(Boolean).join(' ')
}

function statusOf(text: string): string | undefined {
  if (text.startsWith('new file mode') || text === '--- /dev/null') return 'added'
  if (text.startsWith('deleted file mode') || text === '+++ /dev/null') return 'deleted'
  if (text.startsWith('rename from')) return 'renamed'
  if (text.startsWith('Binary files') || text.startsWith('GIT binary patch')) return 'binary'
  return text.startsWith('old mode') ? 'mode changed' : undefined
}
