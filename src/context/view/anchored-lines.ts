import type { LineToken, PlacedToken } from './line-tokens.ts'

/** A line with its tokens. */
interface TokenLine {
  readonly text: string
  readonly tokens: readonly PlacedToken[]
}

/** Lines cut into the same cells: what stands at the anchors, and what stands between them. */
export interface AnchoredLines {
  /** For each line its cells; undefined for a line that has not all anchors. */
  readonly cells: readonly (readonly LineToken[] | undefined)[]
}

const LOOKED_AT = 60
/** A token that so many of the lines have, in the same order, is an anchor. */
const NEARLY_ALL = 0.85
const FEWEST_ANCHORS = 3
const FEWEST_LINES = 0.7
const WIDE = ' '

interface Anchor {
  readonly kind: string
  readonly token: PlacedToken | undefined
  readonly from: number
  readonly to: number
}

/**
 * Finds what lines have in common although their words differ: the dates, numbers, marks, wide gaps and words that nearly all of them have in the
 * same order. The text between two of these is a cell, however many words it has.
 */
export function anchoredLines(lines: readonly TokenLine[]): AnchoredLines | undefined {
  const sample = spread(lines).map(anchorsOf)
  const template = templateOf(sample)
  if (template.length < FEWEST_ANCHORS || template.every((kind) => kind === WIDE || kind.length > 1)) return undefined
  if (sample.filter((own) => fitted(own, template) !== undefined).length < FEWEST_LINES * sample.length) return undefined
  const cells = lines.map((line) => cellsOf(line, fitted(anchorsOf(line), template)))
  if (cells.filter((own) => own !== undefined).length < FEWEST_LINES * lines.length) return undefined
  return { cells }
}

function spread<T>(list: readonly T[]): readonly T[] {
  if (list.length <= LOOKED_AT) return list
  return Array.from({ length: LOOKED_AT }, (_, at) => list[Math.floor((at * list.length) / LOOKED_AT)] as T)
}

function anchorsOf({ text, tokens }: TokenLine): readonly Anchor[] {
  return tokens.flatMap((token, at): Anchor[] => {
    const before = tokens[at - 1]?.to
    const isWide = before !== undefined && /\s{2}|\t/.test(text.slice(before, token.from))
    const own = { kind: kindOf(token), token, from: token.from, to: token.to }
    return isWide && before !== undefined ? [{ kind: WIDE, token: undefined, from: before, to: token.from }, own] : [own]
  })
}

/** One character for what a value is; a word stands for itself. */
function kindOf({ text, kind }: LineToken): string {
  if (kind === 'mark') return text
  if (kind === 'word') return `=${text}`
  if (/^["'`]/.test(text)) return 'Q'
  if (/^\d{4}-\d\d-\d\d(?!\d)/.test(text) || /^\d{1,4}[./]\d\d?[./]\d{2,4}$/.test(text)) return 'D'
  if (/^\d\d?:\d\d:\d\d(?![:\d])/.test(text)) return 'T'
  if (/^[-+]?\d[\d.,]*%?$/.test(text)) return /^\d{7,}$/.test(text) ? 'V' : 'N'
  return 'V'
}

/** What the anchors of nearly all lines have in common, in their order. */
function templateOf(sample: readonly (readonly Anchor[])[]): readonly string[] {
  const frequency = new Map<string, number>()
  for (const own of sample) for (const kind of new Set(own.map((each) => each.kind))) frequency.set(kind, (frequency.get(kind) ?? 0) + 1)
  const kinds = sample.map((own) => own.map(({ kind }) => kind).filter((kind) => (frequency.get(kind) ?? 0) >= NEARLY_ALL * sample.length))
  let template = kinds.toSorted((a, b) => a.length - b.length)[Math.floor(kinds.length / 2)] ?? []
  for (let pass = 0; pass < 3; pass++) {
    const support = template.map(() => 0)
    for (const own of kinds) for (const at of commonPlaces(template, own)) support[at] = (support[at] ?? 0) + 1
    const kept = template.filter((_kind, at) => (support[at] ?? 0) >= NEARLY_ALL * sample.length)
    if (kept.length === template.length) break
    template = kept
  }
  return template
}

/** The places of a list that stand in another one too, in the same order: as many as possible. */
function commonPlaces(list: readonly string[], other: readonly string[]): readonly number[] {
  const width = other.length + 1
  const lengths = new Uint16Array((list.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = list.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        list[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const places: number[] = []
  for (let row = 0, column = 0; row < list.length && column < other.length;) {
    if (list[row] === other[column]) {
      places.push(row++)
      column++
    } else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return places
}

/** The first of the anchors of a line that are those of the template; undefined if one is missing. */
function fitted(anchors: readonly Anchor[], template: readonly string[]): readonly Anchor[] | undefined {
  const found: Anchor[] = []
  let at = 0
  for (const kind of template) {
    while (at < anchors.length && anchors[at]?.kind !== kind) at++
    const anchor = anchors[at++]
    if (anchor === undefined) return undefined
    found.push(anchor)
  }
  return found
}

/** What stands before, at, between and after the anchors. A time that follows its date is one cell with it. */
function cellsOf({ text }: TokenLine, anchors: readonly Anchor[] | undefined): readonly LineToken[] | undefined {
  if (anchors === undefined) return undefined
  const cells: LineToken[] = []
  let end = 0
  anchors.forEach(({ kind, token, from, to }, at) => {
    const isTimeOfDate = kind === 'T' && anchors[at - 1]?.kind === 'D'
    const between = text.slice(end, from).trim()
    if (!isTimeOfDate) cells.push({ text: between, kind: 'value' })
    if (token !== undefined && isTimeOfDate) {
      const day = cells.pop()
      cells.push({ text: `${day?.text ?? ''} ${[between, token.text].filter((each) => each !== '').join(' ')}`, kind: 'value' })
    } else if (token !== undefined) cells.push({ text: token.text, kind: token.kind })
    end = to
  })
  cells.push({ text: text.slice(end).trim(), kind: 'value' })
  return cells
}
