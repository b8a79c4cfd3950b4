import { linePairs } from './line-pairs.ts'
import { lineTokens, shapeOf } from './line-tokens.ts'

const LOOKED_AT = 3000
const FEWEST_RECORDS = 4
const LATEST_START = 15
const MOST_LINES = 120
const MOST_CANDIDATES = 40
/** So many of the lines come in most records. */
const LIKE_SHARE = 0.5
/** A kind of line belongs to records if so many of them have it. */
const OFTEN = 0.4
/** Of heads that divide equally well, the first one begins the record. */
const NEARLY = 0.9
/** The first line of a block. */
const AFTER_BLANK = 'after a blank line'
const FEWEST_WITH_FIELDS = 8
const FEWEST_FIELDS = 3
const NEARLY_ALL = 0.8
const ALIKE_SHARE = 0.7
const COMMENT = /^(?:#|\/\/|--|;)/
export const RULE = /^\s*(?:[-=*_~#+.]\s?){4,}\s*$/

/** Whether a line of the text, from 0, begins a record. */
export interface RecordHeads {
  readonly isHead: (line: string, at: number) => boolean
}

/** Finds the kind of line that each record begins with: between two of them, the same kinds of lines come again. */
export function recordHeads(lines: readonly string[]): RecordHeads | undefined {
  const numbered = lines.slice(0, LOOKED_AT).flatMap((line, at) => (line.trim() === '' || RULE.test(line) ? [] : [{ line, at }]))
  const told = numbered.map(({ line }) => line)
  const isFirst = (line: string, at: number): boolean =>
    (at === 0 || lines[at - 1]?.trim() === '') && /^\S/.test(line) && !COMMENT.test(line)
  const firsts = numbered.flatMap(({ line, at }) => (isFirst(line, at) ? [headKinds(line)] : []))
  const isDivided = usualOf(firsts) !== undefined
  const kinds = numbered.map(({ line, at }) => (isDivided && isFirst(line, at) ? [AFTER_BLANK, ...headKinds(line)] : headKinds(line)))
  const lineKinds = told.map(lineKind)
  const places = new Map<string, number[]>()
  kinds.forEach((own, at) => {
    for (const kind of own) {
      const known = places.get(kind)
      if (known === undefined) places.set(kind, [at])
      else known.push(at)
    }
  })
  const candidates = [...places]
    .filter(([, at]) => isSpread(at, told.length))
    // Of kinds that the same line is of, the one that more lines are of.
    .toSorted((a, b) => (a[1][0] ?? 0) - (b[1][0] ?? 0) || b[1].length - a[1].length)
    .slice(0, MOST_CANDIDATES)
    .map(([kind, at]) => ({ kind, at, score: likeness(lineKinds, at) }))
  const best = candidates.reduce((most, { score }) => Math.max(most, score), 0)
  if (best < LIKE_SHARE) return undefined
  const good = candidates.filter(({ score }) => score >= NEARLY * best)
  // Who wrote the text divided it with blank lines.
  const found = good.find(({ kind }) => kind === AFTER_BLANK) ?? good[0]
  if (found === undefined) return undefined
  if (found.kind === AFTER_BLANK) {
    const usual = usualOf(firsts)
    const [begin] = numbered
    // What stands before the first record is no record.
    const isPreamble = begin !== undefined && usual !== undefined && !headKinds(begin.line).includes(usual)
    return { isHead: (line, at) => isFirst(line, at) && !(isPreamble && at === begin.at) }
  }
  return { isHead: (line) => headKinds(line).includes(found.kind) }
}

/** In what most blocks begin alike: then they are records. */
function usualOf(firsts: readonly (readonly string[])[]): string | undefined {
  const counts = new Map<string, number>()
  for (const own of firsts) for (const kind of new Set(own)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].find(([, count]) => count >= ALIKE_SHARE * firsts.length)?.[0]
}

function isSpread(at: readonly number[], lines: number): boolean {
  const [first = 0] = at
  const gap = (lines - first) / at.length
  return at.length >= FEWEST_RECORDS && first <= Math.max(LATEST_START, 0.05 * lines) && gap >= 2 && gap <= MOST_LINES
}

const NUMBERED = /^\s{0,6}\d{1,6}[.):]\s/

/** A fine kind, by the words, and a coarse one, by the marks; only lines at the margin begin records, and items that are numbered from the right. */
function headKinds(line: string): readonly string[] {
  if (!/^\S/.test(line) && !NUMBERED.test(line)) return []
  const pairs = linePairs(line)
  const [key] = pairs[0] ?? []
  if (key !== undefined) return [`pair ${key}`]
  const tokens = lineTokens(line).slice(0, 8)
  if (tokens.length === 0) return []
  const fine = tokens.map(({ text, kind }) => (kind === 'value' ? '9' : text)).join(' ')
  const start = tokens
    .slice(0, 2)
    .map(({ text, kind }) => (kind === 'value' ? '9' : kind === 'mark' ? text : text.replace(/\p{L}+/gu, 'w')))
    .join(' ')
  const [first] = tokens
  const opening = first?.kind === 'word' ? [`begins ${first.text}`] : NUMBERED.test(line) ? ['numbered'] : []
  return [`fine ${fine}`, ...opening, `coarse ${start}`]
}

/** By its key, or by where its values and marks stand. */
function lineKind(line: string): string {
  const [key] = linePairs(line)[0] ?? []
  return key === undefined ? shapeOf(lineTokens(line)) : `pair ${key}`
}

/** The share of lines whose kind comes in most of the records that the heads make. */
function likeness(kinds: readonly string[], heads: readonly number[]): number {
  const records = new Map<string, Set<number>>()
  let record = -1
  const isHead = new Set(heads)
  const [first = 0] = heads
  for (let at = first; at < kinds.length; at++) {
    if (isHead.has(at)) record++
    const kind = kinds[at] ?? ''
    const known = records.get(kind)
    if (known === undefined) records.set(kind, new Set([record]))
    else known.add(record)
  }
  const often = new Set([...records].filter(([, own]) => own.size >= OFTEN * heads.length).map(([kind]) => kind))
  // Records whose fields are all there are records, however much text stands between them.
  const fields = [...records].filter(([kind, own]) => kind.startsWith('pair ') && own.size >= NEARLY_ALL * heads.length).length
  if (heads.length >= FEWEST_WITH_FIELDS && fields >= FEWEST_FIELDS) return 1
  let like = 0
  for (let at = first; at < kinds.length; at++) if (isHead.has(at) || often.has(kinds[at] ?? '')) like++
  return like / kinds.length
}
