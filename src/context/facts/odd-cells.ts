/** A cell that is unlike the others of its column, and how much that says. */
export interface OddCell {
  readonly row: number
  readonly worth: number
}

interface Way {
  readonly worth: number
  readonly keyOf: (cell: string) => string | undefined
  /** So many cells are of the usual kind. Random identifiers are of many shapes. */
  readonly leastUsual?: number
}

/** By what cells are alike: the same words, the same beginning, the same end, the same sequence of letters, digits and marks. */
const WAYS: readonly Way[] = [
  { worth: 2.2, keyOf: (cell) => cell.replace(/\S*\d\S*/g, '*') },
  { worth: 1.6, keyOf: (cell) => segments(cell, 1) },
  { worth: 1.6, keyOf: (cell) => segments(cell, 2) },
  { worth: 1.6, keyOf: (cell) => segments(cell, 3) },
  { worth: 1.6, keyOf: (cell) => segments(cell, -1) },
  { worth: 1.2, keyOf: (cell) => cell.replace(/\p{L}+/gu, 'a').replace(/\d+/g, '9'), leastUsual: 0.9 },
]

const FEWEST_TEXTS = 20
const LONGEST_TEXT = 300
const MOST_LOOKED_AT = 20_000
const SAMPLED = 200
const MOST_KINDS = 0.1
const MOST_OF_A_SAMPLE = 0.3
const MOST_ODD = 6

/**
 * The cells of a column that are of a kind with at most one other, where the others are of few kinds: `NODE_FAIL` among `CANCELLED by 10160`, a file
 * that is in another folder, an image with the tag `latest`.
 */
export function oddCells(cells: readonly unknown[]): readonly OddCell[] {
  const texts: { readonly row: number; readonly text: string }[] = []
  for (let row = 0; row < cells.length && texts.length < MOST_LOOKED_AT; row++) {
    const cell = cells[row]
    if (typeof cell === 'string' && cell !== '' && cell.length <= LONGEST_TEXT) texts.push({ row, text: cell })
  }
  // Words alone are counted as values of a category.
  if (texts.length < FEWEST_TEXTS || !texts.some(({ text }) => /[\s\d/.:@]/.test(text))) return []
  const worths = new Map<number, number>()
  for (const way of WAYS) for (const row of oddBy(texts, way)) if (!worths.has(row)) worths.set(row, way.worth)
  return [...worths].map(([row, worth]) => ({ row, worth }))
}

function oddBy(texts: readonly { readonly row: number; readonly text: string }[], { keyOf, leastUsual = 0 }: Way): readonly number[] {
  const kinds = new Map<string, number[]>()
  let told = 0
  for (const { row, text } of texts) {
    if (told === SAMPLED && kinds.size > MOST_OF_A_SAMPLE * SAMPLED) return []
    const key = keyOf(text)
    if (key === undefined) continue
    told++
    const own = kinds.get(key)
    if (own === undefined) kinds.set(key, [row])
    else own.push(row)
  }
  if (told < FEWEST_TEXTS || kinds.size > MOST_KINDS * told) return []
  const usual = [...kinds.values()].reduce((most, { length }) => Math.max(most, length), 0)
  if (usual < leastUsual * told) return []
  const odd = [...kinds.values()].filter((rows) => rows.length <= 2)
  return odd.length <= MOST_ODD ? odd.flat() : []
}

/** The first segments of a path, an address or a version, or the last one; digits do not count. */
function segments(text: string, count: number): string | undefined {
  const all = text.split(/[\s/:@.,;=_-]+/).filter((each) => each !== '')
  if (all.length <= Math.abs(count)) return undefined
  return (count < 0 ? all.slice(count) : all.slice(0, count)).join(' ').replace(/\d+/g, '9')
}
