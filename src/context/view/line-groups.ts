import { bareValue, type LineToken, lineTokens, shapeOf } from './line-tokens.ts'
import { Table } from './table.ts'

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
  readonly tokens: (readonly LineToken[])[]
}

/** Lines whose words agree so far are of one group. */
const SAME_SHARE = 0.5
/** So many kinds of one shape are compared with a line. */
const MOST_DRAFTS = 40
const MOST_WITHOUT_WORDS = 4
const MOST_NAMED = 2

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
  return [...byShape.values()].flat().toSorted((a, b) => b.lines.length - a.lines.length)
}

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
export function isTabular({ fixed }: LineGroup): boolean {
  return fixed.some((text) => text !== undefined && /\p{L}/u.test(text)) || fixed.length <= MOST_WITHOUT_WORDS
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
    for (const [place, column] of columns) table.set(row, column, bareValue(group.tokens[index]?.[place]?.text ?? ''))
  })
  return table
}

/** The places of a group that differ, with their names. */
export function columnsOf({ fixed, tokens }: LineGroup, header?: readonly string[]): readonly (readonly [place: number, column: string])[] {
  const taken = new Map<string, number>()
  const places = fixed.flatMap((text, at) => (text === undefined ? [at] : []))
  return places.map((place, index) => {
    const named = header !== undefined && header.length === fixed.length ? header[place] : undefined
    const own = named ?? (unitAt(tokens, place) || unitAfter(fixed[place + 1]) || nameBefore(fixed, place) || `value ${index + 1}`)
    const count = (taken.get(own) ?? 0) + 1
    taken.set(own, count)
    return [place, count === 1 ? own : `${own} ${count}`]
  })
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
