import { columnsOf, FILE, type GroupedLine, groupTable, isTabular, type LineGroup, lineGroups } from './line-groups.ts'
import { InnerTable } from './inner-table.ts'
import { linePairs, namedValues, openedName, type Pair } from './line-pairs.ts'
import { bareValue, lineTokens } from './line-tokens.ts'
import { recordHeads, type RecordHeads, RULE } from './record-heads.ts'
import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const FEWEST_OF_A_GROUP = 4
const MOST_GROUPS = 20
const LONGEST_CELL = 400
const LONGEST_MARK = 80
const MOST_LISTED = 20
const OF_A_GROUP = 0.5
const FEW_FIELDS = 3
const RARE = 0.05
const USUAL = 0.5
const MANY = 3

/** A text of records that begin with a line of one kind: their fields, their rows, and what they say. */
export function segmentedView(lines: readonly string[]): FoundView | undefined {
  // Headings divide a text of their own.
  const isHeading = (line: string, at: number): boolean =>
    /^#{1,6} \S/.test(line) || (/^(?:-{3,}|={3,})\s*$/.test(lines[at + 1] ?? '') && /^\S/.test(line) && (lines[at - 1] ?? '').trim() === '')
  if (lines.filter(isHeading).length >= FEWEST_OF_A_GROUP) return undefined
  const heads = recordHeads(lines)
  return heads === undefined ? undefined : new SegmentReader(heads.isHead).read(lines)
}

/** A line that is the address of a page, and nothing else. */
const LINK = /^\s*https?:\/\/[^\s<>"]{1,2000}\s*$/

class SegmentReader {
  readonly #isHead: RecordHeads['isHead']
  readonly #table = new Table('records')
  readonly #heads: GroupedLine[] = []
  readonly #rest: GroupedLine[] = []
  readonly #sentences: Sentence[] = []
  readonly #pairs: { readonly key: string; readonly text: string; readonly at: number; readonly row: number }[] = []
  /** Lines with pairs of their own. */
  readonly #lines = new Table('lines', this.#table)
  readonly #scalars: (readonly [string, unknown])[] = []
  /** Keys that come many times in each record: the lines are rows, not fields. */
  #listed: ReadonlySet<string> = new Set()
  #row = -1
  /** Names of what is open around a line, by its indentation. */
  #open: { readonly indent: number; readonly name: string }[] = []
  /** Of these names, those that come in many records: they are no data. */
  #usual: ReadonlySet<string> = new Set()

  constructor(isHead: RecordHeads['isHead']) {
    this.#isHead = isHead
  }

  read(lines: readonly string[]): FoundView {
    this.#usual = this.#usualNames(lines)
    this.#listed = this.#listedKeys(lines)
    const inner = new InnerTable(lines, (line, at) => this.#isHead(line, at), this.#table)
    lines.forEach((line, at) => {
      if (line.trim() === '' || RULE.test(line) || /^\s*[\])}]+[,;]?\s*$/.test(line)) return inner.end()
      if (!this.#isHead(line, at) && inner.take(line, at, this.#row)) return
      if (this.#isHead(line, at)) this.#begin(line, at)
      else this.#line(line, at)
    })
    this.#nameRecords()
    const tables = this.#groups()
    this.#sayRarePairs()
    return {
      shape: 'mixed',
      tables: [this.#table, ...(inner.table.rows > 1 ? [inner.table] : []), ...(this.#lines.rows > 1 ? [this.#lines] : []), ...tables],
      scalars: this.#scalars,
      sentences: this.#sentences.toSorted((a, b) => a.line - b.line),
      marks: this.#heads.map(({ text, at }) => ({ text: text.trim().slice(0, LONGEST_MARK), line: at + 1 })),
      document: { records: recordsOf(this.#table) },
    }
  }

  #usualNames(lines: readonly string[]): ReadonlySet<string> {
    const counts = new Map<string, number>()
    let records = 0
    lines.forEach((line, at) => {
      if (line.trim() !== '' && this.#isHead(line, at)) records++
      const name = openedName(line)
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
    })
    return new Set([...counts].flatMap(([name, count]) => (count >= USUAL * records ? [name] : [])))
  }

  #listedKeys(lines: readonly string[]): ReadonlySet<string> {
    const uses = new Map<string, { count: number; records: number; last: number }>()
    let record = 0
    lines.forEach((line, at) => {
      if (line.trim() === '') return
      if (this.#isHead(line, at)) return void record++
      const [name] = linePairs(line)[0] ?? []
      if (name === undefined) return
      const key = `${line.search(/\S/)} ${name}`
      const use = uses.get(key) ?? { count: 0, records: 0, last: -1 }
      uses.set(key, use)
      use.count++
      if (use.last !== record) use.records++
      use.last = record
    })
    return new Set([...uses].flatMap(([key, { count, records }]) => (count > MANY * records ? [key] : [])))
  }

  #begin(text: string, at: number): void {
    this.#row = this.#table.addRow({ ref: at })
    this.#open = []
    this.#heads.push({ text, at, parentRow: this.#row })
    const pairs = linePairs(text)
    const values = pairs.length > 0 ? pairs : namedValues(text)
    const [first] = values
    const name = first === undefined ? '' : text.slice(0, Math.max(0, text.indexOf(`${first[0]}=`))).trim()
    if (name !== '') this.#set('name', name)
    for (const [key, value] of values) this.#set(key, value)
  }

  #line(line: string, at: number): void {
    const indent = line.search(/\S/)
    while (this.#open.length > 0 && (this.#open.at(-1)?.indent ?? 0) >= indent) this.#open.pop()
    const name = openedName(line)
    if (name !== undefined) {
      const above = this.#open.findLast((each) => this.#usual.has(each.name))?.name
      if (above !== undefined && this.#row >= 0 && !this.#usual.has(name)) this.#set(above, name)
      this.#open.push({ indent, name })
      return
    }
    if (this.#row >= 0 && LINK.test(line)) return this.#set('link', line.trim())
    const pairs = linePairs(line)
    const [only] = pairs
    const named = only !== undefined && pairs.length === 1 ? linePairs(only[1]) : []
    if (named.length > 1) return this.#named(only?.[0] ?? '', named, at)
    if (this.#row < 0) {
      if (pairs.length > 0) this.#scalars.push(...pairs)
      else this.#sentences.push({ text: line.trim(), line: at + 1 })
      return
    }
    if (only !== undefined && this.#listed.has(`${indent} ${only[0]}`))
      return void this.#rest.push({ text: line, at, parentRow: this.#row })
    for (const [key] of pairs) this.#pairs.push({ key, text: line, at, row: this.#row })
    if (pairs.length === 0) return void this.#rest.push({ text: line, at, parentRow: this.#row })
    const above = this.#open.findLast((each) => this.#usual.has(each.name))?.name
    for (const [key, value] of pairs) this.#set(above === undefined ? key : `${above}.${key}`, value)
  }

  /** `name: key=1 other=2`: a row by itself. */
  #named(name: string, pairs: readonly Pair[], at: number): void {
    const row = this.#lines.addRow({ ref: at, parentRow: this.#row })
    this.#lines.set(row, 'name', name)
    for (const [key, value] of pairs) this.#lines.set(row, key, value)
  }

  /** A field that comes again in one record is a list. */
  #set(column: string, value: string): void {
    const before = this.#table.cell(this.#row, column)
    const text = value.slice(0, LONGEST_CELL)
    if (before === undefined) this.#table.set(this.#row, column, text)
    else if (typeof before === 'string' && before.split(', ').length < MOST_LISTED) this.#table.set(this.#row, column, `${before}, ${text}`)
  }

  /** What differs between the heads is the name of a record, and its values are fields. */
  #nameRecords(): void {
    const [first] = this.#heads
    if (first === undefined || linePairs(first.text).length > 0) return
    const names = withoutShared(this.#heads.map(({ text }) => text.trim()))
    const groups = lineGroups(this.#heads)
    const column = names.every((name) => FILE.test(name)) ? 'file' : 'name'
    const isNamed = groups[0] !== undefined && groups[0].lines.length >= NEARLY_ALL * this.#heads.length && hasNames(groups[0])
    this.#heads.forEach(({ parentRow = 0 }, at) => {
      // One of several values names the record better than all of them.
      if (isNamed) return
      const name = (names[at] ?? '').slice(0, LONGEST_MARK)
      if (name !== '') this.#table.set(parentRow, column, name)
    })
    // Heads of many kinds are free texts: the words of some of them name no fields.
    for (const group of groups.slice(0, MOST_GROUPS)) if (group.lines.length >= OF_THE_HEADS * this.#heads.length) this.#asColumns(group)
  }

  /** Lines of one kind: fields of their records if each record has one; a table of their own otherwise. The others are sentences. */
  #groups(): Table[] {
    const tables: Table[] = []
    const groups = lineGroups(this.#rest)
    const headers = headersOf(groups, this.#table.rows)
    const families = new Map<string, number>()
    groups.forEach((group, index) => {
      const owners = new Set(group.lines.map(({ parentRow }) => parentRow)).size
      const isFixed = group.fixed.every((text) => text !== undefined)
      if (isFixed && owners >= 0.5 * this.#table.rows) return
      const header = headers(group)
      const isTable = isTabular(group) || header.header !== undefined
      if (group.lines.length < FEWEST_OF_A_GROUP || index >= MOST_GROUPS || isFixed || !isTable) this.#say(group)
      else if (group.lines.length <= 1.1 * owners && owners >= 0.2 * this.#table.rows) this.#asColumns(group)
      else {
        const table = groupTable(group, `records: ${nameOf(group)}`, { parent: this.#table, ...header })
        const [first = ''] = group.fixed
        const before = families.get(first) ?? 0
        families.set(first, before + 1)
        // The second kind of line that begins like the first says less that is new.
        table.weight = OF_A_GROUP / (1 + before)
        tables.push(table)
      }
    })
    return tables
  }

  /** A field that hardly any record has is an exception, and is said as one. */
  #sayRarePairs(): void {
    const counts = new Map<string, number>()
    for (const { key } of this.#pairs) counts.set(key, (counts.get(key) ?? 0) + 1)
    for (const { key, text, at, row } of this.#pairs) {
      if ((counts.get(key) ?? 0) > Math.min(FEW_FIELDS, RARE * this.#table.rows)) continue
      this.#sentences.push({ text: text.trim(), line: at + 1, place: this.#heads[row]?.text.trim().slice(0, LONGEST_MARK) })
    }
  }

  #asColumns(group: LineGroup): void {
    const columns = columnsOf(group)
    group.lines.forEach(({ parentRow = 0 }, index) => {
      for (const [place, column] of columns) {
        const text = bareValue(group.tokens[index]?.[place]?.text ?? '')
        if (text !== '' && this.#table.cell(parentRow, column) === undefined) this.#table.set(parentRow, column, text)
      }
    })
  }

  #say({ lines }: LineGroup): void {
    for (const { text, at, parentRow = 0 } of lines)
      this.#sentences.push({ text: text.trim(), line: at + 1, place: this.#heads[parentRow]?.text.trim().slice(0, LONGEST_MARK) })
  }
}

/** A line of words that stands in most records, with as many fields as the rows below it: the names of their columns. */
function headersOf(groups: readonly LineGroup[], records: number): (group: LineGroup) => { header?: readonly string[] } {
  const fixed = groups.filter(({ fixed: own, lines }) => own.every((text) => text !== undefined) && lines.length >= 0.3 * records)
  return (group) => {
    const header = fixed.find(({ fixed: own, lines }) => {
      const [line] = lines
      return own.length === group.fixed.length && line !== undefined && group.lines.some(({ at }) => at > line.at && at <= line.at + 2)
    })
    return header === undefined ? {} : { header: lineTokens(header.lines[0]?.text ?? '').map(({ text }) => text) }
  }
}

const NEARLY_ALL = 0.9
const OF_THE_HEADS = 0.5
const FEWEST_COLUMNS = 3

/** Heads of several values, of which one is another in each of them, and is no number or time. */
function hasNames({ fixed, tokens }: LineGroup): boolean {
  const places = fixed.flatMap((text, place) => (text === undefined ? [place] : []))
  return (
    places.length >= FEWEST_COLUMNS &&
    places.some((place) => {
      const values = tokens.map((own) => bareValue(own[place]?.text ?? ''))
      return new Set(values).size === values.length && values.every((value) => /\p{L}/u.test(value) && value.length <= 40)
    })
  )
}

function nameOf({ fixed }: LineGroup): string {
  return fixed
    .map((text) => text ?? '*')
    .join(' ')
    .slice(0, 60)
}

/** Texts without the words that nearly all of them begin and end with. */
function withoutShared(texts: readonly string[]): string[] {
  const words = texts.map((text) => text.split(/\s+/))
  const [first = []] = words
  const isShared = (at: number): boolean => words.filter((own) => own.at(at) === first.at(at)).length >= NEARLY_ALL * words.length
  let from = 0
  while (from < first.length - 1 && isShared(from)) from++
  let to = 0
  while (to < first.length - from - 1 && isShared(-1 - to)) to++
  return words.map((own) => {
    const begins = own.slice(0, from).every((word, at) => word === first[at])
    const ends = own.slice(own.length - to).every((word, at) => word === first.at(at - to))
    return (begins && ends ? own.slice(from, to === 0 ? undefined : -to) : own).join(' ')
  })
}

function recordsOf(table: Table): readonly Readonly<Record<string, unknown>>[] {
  return table.refs.map((ref, row) => {
    const record: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    record['line'] = ref + 1
    for (const [column, cells] of table.columns) if (cells[row] !== undefined) record[column] = cells[row]
    return record
  })
}
