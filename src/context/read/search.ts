import { factsOf, profilesOf } from '../facts/facts-of.ts'
import { brief } from '../facts/fact.ts'
import { TaskWords } from '../facts/task-words.ts'
import { fillBudget } from '../fill-budget.ts'
import type { CountTokens } from '../tokens.ts'
import { JsonTables } from '../view/json-tables.ts'
import { Table } from '../view/table.ts'
import type { OutputView } from '../view/view.ts'
import { findText } from './find-text.ts'
import type { Unit } from './units-of.ts'
import { type Found, nearestWords } from './words-together.ts'
import { wordsAfter } from './words-after.ts'

export interface SearchOptions {
  readonly units: readonly Unit[]
  readonly maxTokens: number
  readonly count: CountTokens
}

const FEW_HITS = 3
const LINES_BEFORE = 3
const LINES_AFTER = 12
const MOST_OF_A_BLOCK = 25
const MOST_OF_A_SECTION = 40
const LINES_OF_A_HEAD = 6
const PROFILE_SHARE = 0.45
const LONGEST_QUERY = 500
const MOST_WITH_CONTEXT = 12

/** Looks for a text in an output: how often it comes, then the records or lines with it, as far as they fit. */
export function search(view: OutputView, query: string, options: SearchOptions): string {
  const whole = query.trim()
  if (whole === '') return 'The query is empty: give words to look for.'
  if (whole.length > LONGEST_QUERY) {
    const note = `Only the first ${LONGEST_QUERY} characters of the query were looked for: ask with fewer words.`
    const left = { ...options, maxTokens: options.maxTokens - options.count(note) - 2 }
    return `${note}\n${foundText(view, whole.slice(0, LONGEST_QUERY), left)}`
  }
  return foundText(view, whole, options)
}

function foundText(view: OutputView, wanted: string, options: SearchOptions): string {
  const found = findText(view, wanted, options.units)
  if (found === undefined) return nothingFound(view, wanted, options)
  const what =
    view.shape === 'json' || view.shape === 'ndjson' || view.shape === 'xml' ? 'record' : view.shape === 'html' ? 'passage' : 'line'
  const others =
    found.others === undefined
      ? ''
      : `; with other capitals ${counted(found.others.matches, 'match', 'matches')} in ${counted(found.others.units.length, what, `${what}s`)}`
  const head = `${counted(found.matches, 'match', 'matches')} in ${counted(found.units.length, what, `${what}s`)}${found.note === undefined ? '' : ` (${found.note})`}${others}`
  const after = found.units.length > FEW_HITS && found.note === undefined ? wordsAfter(found.units, wanted) : undefined
  const top = after === undefined ? head : `${head}\n${after}`
  const left = options.maxTokens - options.count(top) - 2
  const hits = shownHits(view, found, wanted, { ...options, maxTokens: left })
  const near = nearHits(view, found, wanted, { ...options, maxTokens: left - options.count(hits) - 2 })
  return [top, hits, ...near].join('\n').trimEnd()
}

/** Where hits have only some of the words, others may have those that were meant. */
function nearHits(view: OutputView, { units, isPartly, others }: Found, wanted: string, options: SearchOptions): string[] {
  const known = new Set(units)
  const near =
    others !== undefined ? others.units : isPartly === true ? nearestWords(options.units, wanted).filter((unit) => !known.has(unit)) : []
  const intro = others === undefined ? 'Others with some of the words:' : 'With other capitals:'
  const left = options.maxTokens - options.count(intro) - 2
  if (near.length === 0 || left < FEWEST_FOR_OTHERS) return []
  return [intro, firstHits(inContext(view, near, options.units), left, options.count)]
}

const FEWEST_FOR_OTHERS = 60

function shownHits(view: OutputView, { units }: Found, wanted: string, options: SearchOptions): string {
  const { maxTokens, count } = options
  const fits = (text: string): boolean => text.length < MOST_CHARACTERS * maxTokens && count(text) <= maxTokens
  if (units.length <= MOST_WITH_CONTEXT) {
    const all = inContext(view, units, options.units).join('\n')
    if (fits(all)) return all
  }
  const texts = units.length <= FEW_HITS ? inContext(view, units, options.units) : units.map(({ text, place }) => `${place}: ${text}`)
  const all = texts.join('\n')
  if (fits(all)) return all
  const profile = units.length <= FEW_HITS ? '' : profileOf(view, units, { maxTokens: Math.floor(maxTokens * PROFILE_SHARE), count })
  const left = maxTokens - (profile === '' ? 0 : count(profile) + 1)
  const whole = firstHits(texts, left, count)
  // Of long records the place of the hit says more than all of the first ones.
  const isLong = units.length > 1 && texts.some((text) => text.length > LONGEST_SNIPPET)
  const shown = isLong
    ? firstHits(
        units.map((unit) => snippet(unit, wanted)),
        left,
        count,
      )
    : whole
  return [profile, shown].filter((text) => text !== '').join('\n')
}

const LONGEST_SNIPPET = 600
const HEAD_OF_A_SNIPPET = 160

/** A hit with the beginning of its record, or its line, and what stands around the words. */
function snippet({ text, place }: Unit, wanted: string): string {
  if (text.length <= LONGEST_SNIPPET) return `${place}: ${text}`
  const at = text.toLowerCase().indexOf(wanted.toLowerCase())
  const from = Math.max(0, at - HEAD_OF_A_SNIPPET)
  const part = text.slice(from, Math.max(at, 0) + wanted.length + HEAD_OF_A_SNIPPET + 90)
  return `${place}: ${from <= HEAD_OF_A_SNIPPET ? text.slice(0, LONGEST_SNIPPET - HEAD_OF_A_SNIPPET) : `${text.slice(0, HEAD_OF_A_SNIPPET)} … ${part}`} …`
}

/** Hits with what stands around them: lines with their record, passages of a page with those beside them. */
function inContext(view: OutputView, units: readonly Unit[], all: readonly Unit[]): string[] {
  let shown = 0
  return units.flatMap((unit) => {
    if (unit.value !== undefined || unit.line === undefined) return [`${unit.place}: ${withDecoded(view, unit.text)}`]
    if (view.shape === 'html') return [withNeighbours(unit, all)]
    // A hit that stands in what was shown for the one before is there already.
    if (unit.line <= shown) return []
    const { text, to } = withContext(view, unit)
    shown = to
    return [text]
  })
}

/** A record with what its binary data say, where they are text. */
function withDecoded({ blobs, text: whole }: OutputView, text: string): string {
  return blobs.reduce((shown, { text: said, at, length }) => {
    const raw = said === undefined ? '' : whole.slice(at, at + length)
    return raw === '' || !shown.includes(raw) ? shown : shown.replace(raw, () => `<decoded: ${said}>`)
  }, text)
}

function withNeighbours(unit: Unit, all: readonly Unit[]): string {
  const at = all.indexOf(unit)
  const below = unit.place === 'heading' ? all.filter((each) => sectionOf(each) === unit.text).slice(0, MOST_BELOW_A_HEADING) : []
  if (below.length > 0) return `heading ${unit.text}: ${below.map(({ text }) => text).join(' ')}`
  const section = sectionOf(unit)
  const beside = all.slice(Math.max(0, at - 1), at + 1 + PASSAGES_AFTER).filter((each) => sectionOf(each) === section)
  return `${unit.place}: ${beside.map(({ text }) => text).join(' ') || unit.text}`
}

function sectionOf({ place }: Unit): string {
  return place.replace(/,? ?(?:line|row) \d+$/, '')
}

const PASSAGES_AFTER = 2
const MOST_BELOW_A_HEADING = 12

/** What the hits have in common, by the same code as the outline. */
function profileOf(view: OutputView, units: readonly Unit[], { maxTokens, count }: Pick<SearchOptions, 'maxTokens' | 'count'>): string {
  const tables =
    units[0]?.value === undefined
      ? view.tables.flatMap((table) => rowsAt(table, new Set(units.flatMap(({ line }) => (line === undefined ? [] : [line - 1])))) ?? [])
      : new JsonTables(units.map(({ value }) => value)).tables
  const lines = units.map(({ text }) => text)
  const hits: OutputView = { ...view, text: '', lines, tables, scalars: [], sentences: [], headings: [], blobs: [], notes: [] }
  const facts = factsOf(hits, profilesOf(tables), new TaskWords())
  return fillBudget(facts, { budget: maxTokens, count, leastWorth: 0.01 }).text
}

function rowsAt(table: Table, lines: ReadonlySet<number>): Table | undefined {
  const chosen = new Table(table.name)
  table.refs.forEach((ref, row) => {
    if (!lines.has(ref)) return
    const own = chosen.addRow({ ref })
    for (const [column, cells] of table.columns) if (cells[row] !== undefined) chosen.set(own, column, cells[row])
  })
  return chosen.rows < 2 ? undefined : chosen
}

function withContext(view: OutputView, { line = 1, place }: Unit): { readonly text: string; readonly to: number } {
  const { lines } = view
  const shown = (from: number, to: number): string[] =>
    lines.slice(from, to).map((text, at) => `${from + at + 1}${from + at + 1 === line ? '>' : ' '} ${brief(text, 1000)}`)
  const { from, to } = sectionBelow(view, line) ?? recordAround(view, line) ?? blockAround(lines, line - 1)
  const start = startOfRecord(view, line)
  const head = start === undefined || start >= from ? [] : [...shown(start, Math.min(from, start + LINES_OF_A_HEAD)), '…']
  return { text: `${place}:\n${[...head, ...shown(from, to)].join('\n')}`, to }
}

/** What stands below a heading, or in the record that begins with the line, if that is not long. */
function sectionBelow(
  { headings, marks = [], lines }: OutputView,
  line: number,
): { readonly from: number; readonly to: number } | undefined {
  for (const starts of [headings, marks]) {
    const at = starts.findIndex((each) => each.line === line)
    if (at < 0) continue
    const end = starts.slice(at + 1).find((each) => each.line > line)?.line ?? lines.length + 1
    return { from: Math.max(0, line - 2), to: Math.min(end - 1, line - 1 + MOST_OF_A_SECTION) }
  }
  return undefined
}

/** Where the record of a line begins, from 0. */
function startOfRecord({ marks = [] }: OutputView, line: number): number | undefined {
  const mark = marks.findLast((each) => each.line <= line)
  return mark === undefined ? undefined : mark.line - 1
}

/** The record with a line, whole, if it is not long. */
function recordAround(view: OutputView, line: number): { readonly from: number; readonly to: number } | undefined {
  const from = startOfRecord(view, line)
  if (from === undefined) return undefined
  const to = (view.marks?.find((each) => each.line > line)?.line ?? view.lines.length + 1) - 1
  return to - from <= MOST_OF_A_SECTION ? { from, to } : undefined
}

/** The lines around one: a few, and on both sides up to the ends of its block, if that is not long. */
function blockAround(lines: readonly string[], at: number): { readonly from: number; readonly to: number } {
  let from = at
  while (from > 0 && at - from < MOST_OF_A_BLOCK && lines[from - 1]?.trim() !== '') from--
  let to = at + 1
  while (to < lines.length && to - at < MOST_OF_A_BLOCK && lines[to]?.trim() !== '') to++
  const isLong = at - from >= MOST_OF_A_BLOCK || to - at >= MOST_OF_A_BLOCK
  return {
    from: Math.max(0, isLong ? at - LINES_BEFORE : Math.min(from, at - LINES_BEFORE)),
    to: isLong ? at + 1 + LINES_AFTER : Math.max(to, at + 1 + LINES_AFTER),
  }
}

/** The first hits that fit and the last, and how many more there are. */
function firstHits(texts: readonly string[], maxTokens: number, count: CountTokens): string {
  const room = maxTokens - TOKENS_OF_MORE
  const size = (text: string, left: number): number => (text.length > MOST_CHARACTERS * left ? Infinity : count(text) + 1)
  const last = texts.at(-1) ?? ''
  const tokensOfLast = size(last, room)
  // The last one is asked for too, where it takes a small part.
  const isLastShown = texts.length > 1 && tokensOfLast <= SHARE_OF_THE_LAST * room
  const shown: string[] = []
  let left = room - (isLastShown ? tokensOfLast : 0)
  for (const text of isLastShown ? texts.slice(0, -1) : texts) {
    const tokens = size(text, left)
    if (tokens > left) break
    shown.push(text)
    left -= tokens
  }
  // A hit that does not fit by itself is shown as far as it goes.
  if (shown.length === 0 && texts[0] !== undefined) shown.push(cutTo(texts[0], left, count))
  const more = texts.length - shown.length - (isLastShown ? 1 : 0)
  return [...shown, ...(more > 0 ? [`… ${more} more`] : []), ...(isLastShown ? [last] : [])].filter((text) => text !== '').join('\n')
}

const SHARE_OF_THE_LAST = 0.2
const TOKENS_OF_MORE = 8
const MOST_CHARACTERS = 12

/** The beginning of a text that fits. */
export function cutTo(text: string, maxTokens: number, count: CountTokens): string {
  if (maxTokens <= 0) return ''
  let low = 0
  let high = Math.min(text.length, 12 * maxTokens)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (count(text.slice(0, middle)) <= maxTokens) low = middle
    else high = middle - 1
  }
  return text.slice(0, /[\ud800-\udbff]/.test(text[low - 1] ?? '') ? low - 1 : low)
}

function nothingFound(view: OutputView, wanted: string, { units, maxTokens, count }: SearchOptions): string {
  const near = nearestWords(units, wanted)
  const nothing = `0 matches: '${brief(wanted, 60)}' was not found in ${counted(units.length, 'place', 'places')}.`
  const intro = `${nothing}\nSome of the words stand here:`
  const left = maxTokens - count(intro) - 2
  if (near.length === 0 || left < TOKENS_OF_MORE) return count(nothing) > maxTokens ? '0 matches' : nothing
  const shown = firstHits(inContext(view, near, units), Math.min(left, Math.ceil(SHARE_OF_NEAR * maxTokens)), count)
  return `${intro}\n${shown}`
}

const SHARE_OF_NEAR = 0.7

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
