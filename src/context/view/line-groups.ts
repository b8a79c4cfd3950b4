import { anchoredLines } from './anchored-lines.ts'
import { bareValue, type LineToken, lineTokens, type PlacedToken, shapeOf } from './line-tokens.ts'
import { quantityOf } from './quantity.ts'
import { Table } from './table.ts'
import { timeOf } from './time-of.ts'

/** A line to be grouped, with the row that it belongs to. */
export interface GroupedLine {
  readonly text: string
  /** Its number in the output, from 0. */
  readonly at: number
  readonly parentRow?: number | undefined
}

export interface LineGroup {
  readonly lines: readonly GroupedLine[]
  /** What is the same in all lines; undefined where they differ. */
  readonly fixed: readonly (string | undefined)[]
  readonly tokens: readonly (readonly LineToken[])[]
}

interface Draft {
  fixed: (string | undefined)[]
  readonly lines: GroupedLine[]
  readonly tokens: (readonly PlacedToken[])[]
}

/** Lines whose words agree so far are of one group. */
const SAME_SHARE = 0.5
/** So many kinds of one shape are compared with a line. */
const MOST_DRAFTS = 40
const MOST_WITHOUT_WORDS = 4
const MOST_NAMED = 2
const LOOKED_AT = 60
const NEARLY_ALL = 0.9
/** Lines with so many numbers at the same places are rows, whatever their words are. */
const FEWEST_NUMBERS = 2
/** So few lines are not cut at their anchors. */
const FEWEST_ANCHORED = 12
/** A group with so many of the lines that begin alike says enough of them. */
const LARGE_SHARE = 0.7

/** Lines of the same shape whose words mostly agree, the largest group first. */
export function lineGroups(lines: readonly GroupedLine[]): LineGroup[] {
  const exact = new Map<string, Draft & { readonly shape: string }>()
  for (const line of lines) {
    const tokens = lineTokens(line.text)
    if (tokens.length === 0) continue
    const fixed = tokens.map(({ text, kind }) => (kind === 'value' ? undefined : text))
    const shape = shapeOf(tokens)
    const key = `${shape} ${fixed.join(' ')}`
    const draft = exact.get(key)
    if (draft === undefined) exact.set(key, { shape, fixed, lines: [line], tokens: [tokens] })
    else {
      draft.lines.push(line)
      draft.tokens.push(tokens)
    }
  }
  const byShape = new Map<string, Draft[]>()
  for (const draft of [...exact.values()].toSorted((a, b) => b.lines.length - a.lines.length)) {
    const others = byShape.get(draft.shape) ?? []
    byShape.set(draft.shape, others)
    const like = others.slice(0, MOST_DRAFTS).find((other) => isAlike(other, draft))
    if (like === undefined) others.push(draft)
    else {
      like.fixed = like.fixed.map((text, at) => (text === draft.fixed[at] ? text : undefined))
      like.lines.push(...draft.lines)
      like.tokens.push(...draft.tokens)
    }
  }
  return withAnchored([...byShape.values()].flat())
    .map(inOrder)
    .map(withNames)
    .toSorted((a, b) => b.lines.length - a.lines.length)
}

/** A group was put together of several: its lines stand in the order of the output again. */
function inOrder({ lines, fixed, tokens }: LineGroup): LineGroup {
  const order = lines.map((_line, index) => index).toSorted((a, b) => (lines[a]?.at ?? 0) - (lines[b]?.at ?? 0))
  return { fixed, lines: order.flatMap((index) => lines[index] ?? []), tokens: order.map((index) => tokens[index] ?? []) }
}

const CAPITAL = /^\p{Lu}[\p{L}.'’-]*$/u

/** Two words with capitals that differ side by side are one name: `Ana Lind`. */
export function withNames(group: LineGroup): LineGroup {
  const { lines, fixed, tokens } = group
  const isCapital = (place: number): boolean =>
    fixed[place] === undefined && place < fixed.length && tokens.every((own) => CAPITAL.test(own[place]?.text ?? ''))
  const first = fixed.findIndex((_text, place) => isCapital(place) && isCapital(place + 1))
  if (first < 0 || lines.length < 2) return group
  const joined = tokens.map((own) => {
    const text = `${own[first]?.text ?? ''} ${own[first + 1]?.text ?? ''}`
    return [...own.slice(0, first), { text, kind: 'word' as const }, ...own.slice(first + 2)]
  })
  return withNames({ lines, fixed: fixed.toSpliced(first, 1), tokens: joined })
}

/** Lines that begin alike, but fell apart into many groups, are one group if they have anchors in common. */
function withAnchored(all: readonly Draft[]): LineGroup[] {
  const { joined, drafts } = joinedByWords(all)
  const byStart = new Map<string, Draft[]>()
  for (const draft of drafts) {
    const key = shapeOf(draft.tokens[0]?.slice(0, 1) ?? [])
    const own = byStart.get(key)
    if (own === undefined) byStart.set(key, [draft])
    else own.push(draft)
  }
  const apart = [...byStart.values()].flatMap((own): LineGroup[] => {
    const total = own.reduce((sum, { lines }) => sum + lines.length, 0)
    const largest = own.reduce((most, { lines }) => Math.max(most, lines.length), 0)
    return total < FEWEST_ANCHORED || largest >= LARGE_SHARE * total ? own : (anchoredGroup(own) ?? own)
  })
  return [...joined, ...apart]
}

const FEWEST_WORDS = 3

/** Groups with the same words around their values are one: a value may be of one word or of several. */
function joinedByWords(all: readonly Draft[]): { readonly joined: readonly LineGroup[]; readonly drafts: readonly Draft[] } {
  const byWords = new Map<string, Draft[]>()
  for (const draft of all) {
    const words = draft.fixed.filter((text) => text !== undefined && /\p{L}/u.test(text))
    if (words.length < FEWEST_WORDS) continue
    const own = byWords.get(words.join(' '))
    if (own === undefined) byWords.set(words.join(' '), [draft])
    else own.push(draft)
  }
  const joined: LineGroup[] = []
  const taken = new Set<Draft>()
  for (const own of byWords.values()) {
    const total = own.reduce((sum, { lines }) => sum + lines.length, 0)
    const group = own.length < 2 || total < FEWEST_ANCHORED ? undefined : anchoredGroup(own)
    if (group === undefined || (group[0]?.lines.length ?? 0) < NEARLY_ALL * total) continue
    joined.push(...group)
    for (const draft of own) taken.add(draft)
  }
  return { joined, drafts: all.filter((draft) => !taken.has(draft)) }
}

function anchoredGroup(drafts: readonly Draft[]): LineGroup[] | undefined {
  const all = drafts
    .flatMap(({ lines, tokens }) => lines.map((line, at) => ({ line, text: line.text, tokens: tokens[at] ?? [] })))
    .toSorted((a, b) => a.line.at - b.line.at)
  const found = anchoredLines(all)
  if (found === undefined) return undefined
  const rows = all.flatMap(({ line }, at) => (found.cells[at] === undefined ? [] : [{ line, cells: found.cells[at] }]))
  const [first] = rows
  if (first === undefined) return undefined
  // A cell that is empty in all lines is none.
  const places = first.cells.flatMap((_cell, place) => (rows.some(({ cells }) => cells[place]?.text !== '') ? [place] : []))
  const tokens = rows.map(({ cells }) => places.map((place) => cells[place] ?? EMPTY))
  const fixed = places.map((place) => {
    const text = first.cells[place]?.text
    return rows.every(({ cells }) => cells[place]?.text === text) ? text : undefined
  })
  const fitting = new Set(rows.map(({ line }) => line))
  const rest = drafts.flatMap((draft): LineGroup[] => {
    const kept = draft.lines.flatMap((line, at) => (fitting.has(line) ? [] : [at]))
    if (kept.length === 0) return []
    return [
      { fixed: draft.fixed, lines: kept.flatMap((at) => draft.lines[at] ?? []), tokens: kept.flatMap((at) => [draft.tokens[at] ?? []]) },
    ]
  })
  return [{ lines: rows.map(({ line }) => line), fixed, tokens }, ...rest]
}

const EMPTY: LineToken = { text: '', kind: 'value' }

/** Short lines with values or marks in them are alike by their shape; in others most of the words must agree. */
function isAlike(a: Draft, b: Draft): boolean {
  let words = 0
  let same = 0
  let others = 0
  for (let at = 0; at < b.fixed.length; at++) {
    if (b.tokens[0]?.[at]?.kind !== 'word') {
      others++
      continue
    }
    words++
    if (a.fixed[at] === b.fixed[at]) same++
  }
  if (words <= 2) return others > 0
  return same >= SAME_SHARE * words
}

/** Lines that have no word in common say nothing as a table, unless they are short: they are text. */
export function isTabular({ fixed, tokens }: LineGroup): boolean {
  if (fixed.some((text) => text !== undefined && /\p{L}/u.test(text)) || fixed.length <= MOST_WITHOUT_WORDS) return true
  const sample = tokens.slice(0, LOOKED_AT)
  const numeric = fixed.filter(
    (text, place) =>
      text === undefined && sample.filter((own) => quantityOf(own[place]?.text) !== undefined).length >= NEARLY_ALL * sample.length,
  )
  return numeric.length >= FEWEST_NUMBERS
}

interface GroupOptions {
  readonly parent?: Table
  readonly header?: readonly string[]
  /** The lines are cells of another table, not lines of the output. */
  readonly isOfCells?: boolean
}

/** A column for each place where the lines of a group differ, named by the words before it, or by a line above the group. */
export function groupTable(group: LineGroup, name: string, { parent, header, isOfCells = false }: GroupOptions = {}): Table {
  const table = new Table(name, parent)
  const columns = columnsOf(group, header)
  const texts = new Map(group.lines.map(({ text, at }) => [at, text.trim()]))
  if (!isOfCells) table.lineOf = (ref) => `line ${ref + 1}: ${texts.get(ref) ?? ''}`
  group.lines.forEach(({ at, parentRow }, index) => {
    const row = table.addRow({ ref: at, parentRow })
    for (const [place, column] of columns) {
      const cell = bareValue(group.tokens[index]?.[place]?.text ?? '')
      if (cell !== '') table.set(row, column, cell)
    }
  })
  return table
}

/** The places of a group that differ, with their names. */
export function columnsOf({ fixed, tokens }: LineGroup, header?: readonly string[]): readonly (readonly [place: number, column: string])[] {
  const taken = new Map<string, number>()
  const places = fixed.flatMap((text, at) => (text === undefined ? [at] : []))
  return places.map((place, index) => {
    const named = header !== undefined && header.length === fixed.length ? header[place] : undefined
    const own =
      named ??
      (unitAt(tokens, place) ||
        unitAfter(fixed[place + 1]) ||
        nameBefore(fixed, place) ||
        nameOfKind(tokens, place) ||
        nameAfter(fixed, place) ||
        `value ${index + 1}`)
    const count = (taken.get(own) ?? 0) + 1
    taken.set(own, count)
    return [place, count === 1 ? own : `${own} ${count}`]
  })
}

const LEVELS = /^(?:trace|debug|info|notice|warn(?:ing)?|error|err|fatal|critical|crit|panic|severe)$/i
/** A path with a folder in it. */
export const FILE = /^(?:\/|\.{0,2}\/)?(?:[\w@.+-]+\/)+[\w@.+-]+$/

/** `no-console`, `@scope/no-cycle`. */
const RULE = /^(?:@?[a-z][a-z\d-]*\/)*[a-z][a-z\d]*(?:-[a-z\d]+)*$/

/** What all values of a place are, where that has a name. */
function nameOfKind(tokens: readonly (readonly LineToken[])[], place: number): string {
  const values = tokens.slice(0, 60).flatMap((own) => bareValue(own[place]?.text ?? '') || [])
  const isAll = (test: (value: string) => boolean): boolean => values.length > 0 && values.every(test)
  if (isAll((value) => timeOf(value) !== undefined)) return 'time'
  if (isAll((value) => LEVELS.test(value))) return 'level'
  if (isAll((value) => /^\d+:\d+$/.test(value))) return 'position'
  if (isAll((value) => RULE.test(value)) && values.some((value) => value.includes('-'))) return 'rule'
  return isAll((value) => FILE.test(value)) ? 'file' : ''
}

function nameBefore(fixed: readonly (string | undefined)[], place: number): string {
  const words: string[] = []
  for (let at = place - 1; at >= 0 && words.length < MOST_NAMED; at--) {
    const text = fixed[at]
    if (text === undefined) break
    if (/^[()[\]{}<>,;|]$/.test(text)) {
      if (words.length > 0) break
      continue
    }
    const word = text.replace(/^\W+|\W+$/g, '')
    if (word !== '') words.unshift(word)
    // The name of `key=` and `key:` is the key alone.
    if (text !== '=' && /[=:]$/.test(text)) break
    if (fixed[at + 1] === '=') break
  }
  return words.join(' ')
}

/** `450 authorised users`: what is counted names the number. */
function nameAfter(fixed: readonly (string | undefined)[], place: number): string {
  const words: string[] = []
  for (const text of fixed.slice(place + 1, place + 1 + MOST_NAMED)) {
    if (text === undefined || !/^\p{L}[\p{L}-]*$/u.test(text)) break
    words.push(text)
  }
  return words.join(' ')
}

const UNIT = /^(?:[munµ]?s|sec(?:onds?)?|min(?:utes?)?|hours?|days?|[kKMGT]i?B|bytes?|rows?|%|percent|°C)$/

/** `774 ms`: the unit is the name. */
function unitAfter(text: string | undefined): string {
  return text !== undefined && UNIT.test(text) ? text : ''
}

function unitAt(tokens: readonly (readonly LineToken[])[], place: number): string {
  const units = new Set(tokens.slice(0, 50).map((own) => /^\d[\d.,]*([a-zA-Z]{1,3})$/.exec(own[place]?.text ?? '')?.[1] ?? ''))
  const [unit = ''] = units
  return units.size === 1 ? unit : ''
}
