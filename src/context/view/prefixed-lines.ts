import { type GroupedLine, groupTable, withNames } from './line-groups.ts'
import { type LineToken, lineTokens, type PlacedToken, shapeOf } from './line-tokens.ts'
import type { FoundView, Sentence } from './view.ts'

const FEWEST_LINES = 20
const LOOKED_AT = 200
const MOST_TOKENS = 16
/** So many of the lines begin with the same kinds of values and marks. */
const LIKE_SHARE = 0.95
const FEWEST_VALUES = 3
const FEWEST_MARKS = 2

/** Lines that begin alike and go on in any words, as notes in the margin of a text do: the values of the beginning, and the rest. */
export function prefixedLines(lines: readonly string[]): FoundView | undefined {
  const told = lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ text, at }]))
  if (told.length < FEWEST_LINES) return undefined
  const step = Math.max(1, Math.floor(told.length / LOOKED_AT))
  const sample = told.filter((_line, at) => at % step === 0).map(({ text }) => lineTokens(text))
  const length = lengthOf(sample)
  if (length === undefined) return undefined
  const shape = shapeOf((sample[0] ?? []).slice(0, length))
  const rows: { readonly line: GroupedLine; readonly cells: readonly LineToken[] }[] = []
  const rest: { readonly text: string; readonly at: number }[] = []
  for (const line of told) {
    const tokens = lineTokens(line.text)
    if (shapeOf(tokens.slice(0, length)) !== shape) rest.push(line)
    else rows.push({ line, cells: cellsOf(line.text, tokens, length) })
  }
  if (rows.length < LIKE_SHARE * told.length) return undefined
  const fixed = Array.from({ length: length + 1 }, (_each, place) => {
    const text = rows[0]?.cells[place]?.text
    return rows.every(({ cells }) => cells[place]?.text === text) ? text : undefined
  })
  const table = groupTable(withNames({ lines: rows.map(({ line }) => line), fixed, tokens: rows.map(({ cells }) => cells) }), 'lines')
  return {
    shape: 'mixed',
    tables: [table],
    sentences: [...rest.map(({ text, at }) => ({ text: text.trim(), line: at + 1 })), ...spokenRest(rows)],
    document: { lines: rows.length },
  }
}

const SHORTEST_SENTENCE = 20

function spokenRest(rows: readonly { readonly line: GroupedLine; readonly cells: readonly LineToken[] }[]): readonly Sentence[] {
  return rows.flatMap(({ line, cells }) => {
    const text = cells.at(-1)?.text ?? ''
    return text.length < SHORTEST_SENTENCE ? [] : [{ text, line: line.at + 1 }]
  })
}

function cellsOf(text: string, tokens: readonly PlacedToken[], length: number): readonly LineToken[] {
  const end = tokens[length - 1]?.to ?? 0
  return [...tokens.slice(0, length), { text: text.slice(end).trim(), kind: 'word' }]
}

/** How many tokens at the beginning nearly all lines have in common, up to the last mark among them; undefined if they say too little. */
function lengthOf(sample: readonly (readonly PlacedToken[])[]): number | undefined {
  const shapes = sample.map((tokens) => tokens.slice(0, MOST_TOKENS).map((token) => shapeOf([token])))
  const [first = []] = shapes
  const isCommon = (length: number): boolean => {
    const begin = first.slice(0, length).join('')
    return shapes.filter((own) => own.slice(0, length).join('') === begin).length >= LIKE_SHARE * shapes.length
  }
  let length = 0
  while (length < first.length && isCommon(length + 1)) length++
  while (length > 0 && sample[0]?.[length - 1]?.kind !== 'mark') length--
  const own = sample[0]?.slice(0, length) ?? []
  const values = own.filter(({ kind }) => kind === 'value').length
  const marks = own.filter(({ kind }) => kind === 'mark').length
  return values >= FEWEST_VALUES && marks >= FEWEST_MARKS ? length : undefined
}
