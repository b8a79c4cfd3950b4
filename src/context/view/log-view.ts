import { groupTable, isTabular, type LineGroup, lineGroups } from './line-groups.ts'
import { type LogRecord, logRecords } from './log-records.ts'
import { logTemplates, templateTable } from './log-templates.ts'
import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const MOST_TEMPLATE_TABLES = 30
const FEWEST_OF_A_TEMPLATE = 5
/** Messages that come so seldom are said themselves; of others the first. */
const FEW = 5
const OF_A_USUAL_LINE = 0.5
/** The lines below belong to it: a command, a step of a build, a group of lines. */
const STEP = /^(?:(?:##|::)\[?group(?:\]|::)|\$ \S|\+ \S|> \S|\[command\]|(?:Step|Stage|Phase|TASK|PLAY|RUN|Running)\b|={3,} ?\w|-{3,} ?\w)/
const THROWN =
  /^\s*(?:Caused by: )?((?:[A-Za-z_$][\w$]{0,60}\.){0,8}[A-Za-z_$][\w$]{0,60}(?:Error|Exception|Failure|Fault|Panic))\b:?\s*(.*)$/

/** A log: a table of all records, one for the values of each kind of message, and the errors that were thrown. */
export function logView(lines: readonly string[], first = 0): FoundView {
  const records = logRecords(lines).map((record) => ({ ...record, line: record.line + first }))
  const all = recordTable(records)
  all.lineOf = (ref) => `line ${ref + 1}: ${lines[ref - first] ?? ''}`
  const spoken = records.filter(({ isAccess }) => isAccess !== true)
  const apart = logTemplates(spoken)
  const [most] = apart
  const one = most === undefined || most.records.length > OF_MANY_KINDS * spoken.length ? undefined : oneKindOf(spoken)
  if (one !== undefined) fillFrom(one, all)
  const told = new Set(one?.lines.map(({ at }) => at))
  const templates = one === undefined ? apart : logTemplates(spoken.filter(({ line }) => !told.has(line)))
  const kinds = new Table('messages')
  kinds.weight = 0.25
  for (const { text, level, records: own } of templates) {
    const row = kinds.addRow({ ref: own[0]?.line ?? 0 })
    kinds.set(row, 'message', text)
    if (level !== undefined) kinds.set(row, 'level', level)
    kinds.set(row, 'count', own.length)
    const [begin, end] = [own[0]?.time, own.at(-1)?.time]
    if (begin !== undefined) kinds.set(row, 'first', begin)
    if (end !== undefined) kinds.set(row, 'last', end)
  }
  const values = templates
    .filter(({ records: own }) => own.length >= FEWEST_OF_A_TEMPLATE)
    .slice(0, MOST_TEMPLATE_TABLES)
    .flatMap(
      (template) =>
        templateTable(template, `${template.level === undefined ? '' : `${template.level} `}${template.text.slice(0, 80)}`) ?? [],
    )
  for (const table of values) table.sourceOf = all.lineOf
  const thrown = thrownErrors(lines, first)
  const shown = new Set(
    [...templates.flatMap(({ records: own }) => (own.length <= FEW ? own : own.slice(0, 1))), ...rareRoutes(records)].map(
      ({ line }) => line,
    ),
  )
  const usual = new Set(templates.flatMap(({ records: own }) => (own.length <= FEW ? [] : [own[0]?.line])))
  const sentences: Sentence[] = [...shown]
    .toSorted((a, b) => a - b)
    .map((line) => ({ text: lines[line - first] ?? '', line: line + 1, ...(usual.has(line) ? { weight: OF_A_USUAL_LINE } : {}) }))
  return {
    shape: thrown.rows > 0 && thrown.rows * 4 > records.length ? 'trace' : 'log',
    tables: [all, ...(kinds.rows > 0 ? [kinds] : []), ...(thrown.rows > 0 ? [thrown] : []), ...values],
    sentences,
    marks: records.flatMap(({ message, line }) => (STEP.test(message) ? [{ text: message.slice(0, 80), line: line + 1 }] : [])),
    document: { records: records.map(documentOf) },
  }
}

/** Words that differ make many templates of messages that are of one kind. */
const OF_MANY_KINDS = 0.5
const OF_ONE_KIND = 0.8
const LOOKED_AT = 300

/** Messages that have their words and marks in common, whatever stands between them; the first ones tell whether it is worth to look at all. */
function oneKindOf(records: readonly LogRecord[]): LineGroup | undefined {
  const grouped = (own: readonly LogRecord[]): LineGroup | undefined => {
    const [largest] = lineGroups(own.map(({ message, line }) => ({ text: message, at: line })))
    return largest !== undefined && largest.lines.length >= OF_ONE_KIND * own.length && isTabular(largest) ? largest : undefined
  }
  return grouped(records.slice(0, LOOKED_AT)) === undefined ? undefined : grouped(records)
}

/** The values of the messages become fields of their records. */
function fillFrom(group: LineGroup, all: Table): void {
  const values = groupTable(group, 'values')
  const rows = new Map(all.refs.map((ref, row) => [ref, row]))
  const known = new Set(all.columns.keys())
  for (const [column, cells] of values.columns)
    if (!known.has(column))
      cells.forEach((cell, at) => {
        const row = rows.get(values.refs[at] ?? -1)
        if (row !== undefined && cell !== undefined) all.set(row, column, cell)
      })
}

/** Requests for what few ask for. */
function rareRoutes(records: readonly LogRecord[]): LogRecord[] {
  const routes = new Map<string, LogRecord[]>()
  for (const record of records) {
    if (record.isAccess !== true) continue
    const route = record.fields.find(([key]) => key === 'route')?.[1] ?? ''
    const own = routes.get(route)
    if (own === undefined) routes.set(route, [record])
    else own.push(record)
  }
  return [...routes.values()].filter((own) => own.length <= FEW).flat()
}

function recordTable(records: readonly LogRecord[]): Table {
  const table = new Table('records')
  for (const record of records) {
    const row = table.addRow({ ref: record.line })
    if (record.time !== undefined) table.set(row, 'time', record.time)
    if (record.level !== undefined) table.set(row, 'level', record.level)
    if (record.component !== undefined) table.set(row, 'component', record.component)
    for (const [key, value] of record.fields) table.set(row, key, value)
  }
  return table
}

/** What stands at the end of a traceback, after its indented frames. */
const RAISED = /^((?:[A-Za-z_]\w{0,60}\.){0,8}[A-Za-z_]\w{0,60})(?:$|:\s*(.*)$)/

function isEndOfTraceback(lines: readonly string[], line: number): boolean {
  return /^\s{2,}\S/.test(lines[line - 1] ?? '') && lines.slice(Math.max(0, line - 3), line).some((each) => /^\s+File "/.test(each))
}

/** Each error that is named in the text, with its message and the first frame below it. */
function thrownErrors(lines: readonly string[], first: number): Table {
  const table = new Table('errors')
  lines.forEach((whole, line) => {
    const [, type, message = ''] =
      (isEndOfTraceback(lines, line) ? RAISED.exec(whole.slice(0, 500)) : undefined) ??
      THROWN.exec(whole.slice(0, 500).replace(/^.{0,120}? - /, '')) ??
      THROWN.exec(whole.slice(0, 500)) ??
      []
    if (type === undefined) return
    const row = table.addRow({ ref: first + line })
    table.set(row, 'type', type)
    if (message !== '') table.set(row, 'message', message)
    const frame =
      lines.slice(Math.max(0, line - 3), line).findLast((each) => /^\s+File /.test(each)) ??
      lines.slice(line + 1, line + 4).find((each) => /^\s+(?:at |File )/.test(each))
    if (frame !== undefined) table.set(row, 'frame', frame.trim().slice(0, 200))
    table.set(row, 'is cause', whole.includes('Caused by') ? 'yes' : 'no')
  })
  return table
}

function documentOf({ line, time, level, component, message, fields }: LogRecord): Readonly<Record<string, unknown>> {
  const own = fields.filter(([key]) => !['line', 'time', 'level', 'component', 'message'].includes(key))
  return { line: line + 1, time, level, component, message, ...Object.fromEntries(own) }
}
