import { attributesOf, decodeEntities, type MarkupToken } from './markup-tokens.ts'
import { Table } from './table.ts'

const FEWEST_ELEMENTS = 4
const FEWEST_FIELDS = 2
const MOST_TABLES = 12
const MOST_DEPTH = 200
const LONGEST_CELL = 2000
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
const NOT_READ = new Set('script style noscript template svg nav table'.split(' '))
const LABELLED = /^([\p{L}][\p{L}\d ()/-]{0,30}):\s*(\S.*)$/u

interface Element {
  readonly name: string
  /** By what elements are alike: their name and first class. */
  readonly key: string
  /** What the text in it is called in a record. */
  readonly field: string | undefined
  readonly at: number
  readonly cells: Map<string, string>
  text: string
}

/** Elements of one class, again and again, with elements of other classes in them: cards, posts, results. A table for each such class. */
export function repeatedElements(tokens: Iterable<MarkupToken>, lineAt: (at: number) => number): Table[] {
  const kinds = new Map<string, Element[]>()
  const open: Element[] = []
  let hidden = 0
  let term: string | undefined
  const end = (element: Element): void => {
    const text = element.text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_CELL)
    if (element.name === 'dt') term = text.replace(/:$/, '')
    const [, label, labelled] = LABELLED.exec(text) ?? []
    const field = element.name === 'dd' ? term : (label ?? element.field)
    const above = open.at(-1)
    if (above !== undefined && above.text.length < LONGEST_CELL && text !== '' && element.name !== 'dt') above.text += ` ${text}`
    if (field !== undefined && text !== '')
      for (const each of open) if (!each.cells.has(field)) each.cells.set(field, labelled ?? withoutBrackets(text))
    if (element.cells.size < FEWEST_FIELDS) return
    const alike = kinds.get(element.key)
    if (alike === undefined) kinds.set(element.key, [element])
    else alike.push(element)
  }
  for (const token of tokens) {
    const name = token.kind === 'text' ? '' : token.name.toLowerCase()
    if (token.kind === 'text') {
      const inside = open.at(-1)
      if (hidden === 0 && inside !== undefined && inside.text.length < LONGEST_CELL) inside.text += decodeEntities(token.text)
    } else if (token.kind === 'open') {
      if (VOID.has(name) || token.isClosed) continue
      if (NOT_READ.has(name)) hidden++
      if (open.length < MOST_DEPTH) open.push(elementOf(name, token.attributes, token.at))
    } else {
      if (NOT_READ.has(name)) hidden = Math.max(0, hidden - 1)
      const from = open.findLastIndex((element) => element.name === name)
      while (from >= 0 && open.length > from) {
        const element = open.pop()
        if (element !== undefined) end(element)
      }
    }
  }
  const found = [...kinds].flatMap(([key, elements]) => (elements.length < FEWEST_ELEMENTS ? [] : [{ key, elements }]))
  // Of elements around each other, those that hold more are the records; of those that hold the same, the inner ones.
  const records = found.filter(
    ({ elements }) =>
      !found.some(
        (other) =>
          (isAround(elements, other.elements) && cellsOf(elements) <= cellsOf(other.elements)) ||
          (isAround(other.elements, elements) && cellsOf(elements) < cellsOf(other.elements)),
      ),
  )
  return records
    .toSorted((a, b) => b.elements.length - a.elements.length)
    .slice(0, MOST_TABLES)
    .map(({ key, elements }) => tableOf(key, elements, lineAt))
}

/** `(120)` beside a name is a count, not a debt. */
function withoutBrackets(text: string): string {
  return /^\((\d[\d,]*)\)$/.exec(text)?.[1] ?? text
}

/** As many elements, each with one of the others in it. */
function isAround(outer: readonly Element[], inner: readonly Element[]): boolean {
  return outer !== inner && inner.length === outer.length && outer.every(({ at }, index) => at < (inner[index]?.at ?? 0))
}

function cellsOf(elements: readonly Element[]): number {
  return elements.reduce((sum, { cells }) => sum + cells.size, 0)
}

function elementOf(name: string, attributes: string, at: number): Element {
  const own = attributes === '' ? [] : attributesOf(attributes)
  const value = (attribute: string): string | undefined => own.find(([key]) => key.toLowerCase() === attribute)?.[1]
  const [first] = (value('class') ?? '').split(/\s+/).filter((each) => each !== '')
  const field = value('itemprop') ?? first ?? (/^h[1-6]$/.test(name) ? 'heading' : name === 'time' ? 'time' : undefined)
  const cells = new Map<string, string>()
  const id = value('id') ?? value('data-id')
  if (id !== undefined && id !== '') cells.set('id', id)
  return { name, key: first === undefined ? name : `${name}.${first}`, field, at, cells, text: '' }
}

function tableOf(key: string, elements: readonly Element[], lineAt: (at: number) => number): Table {
  const table = new Table(key)
  for (const { at, cells } of elements.toSorted((a, b) => a.at - b.at)) {
    const row = table.addRow({ ref: lineAt(at) - 1 })
    for (const [field, cell] of cells) table.set(row, field, cell)
  }
  return table
}
