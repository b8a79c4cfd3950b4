import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/run-program.ts'

/** What a cell of docs/comparison.md rests on: words that files of a package have, or lack. */
export interface Evidence {
  readonly id: string
  readonly package: string
  readonly files: string
  readonly has: boolean
  readonly words: string
}

export interface Comparison {
  /** The row, the column and the text of each cell. */
  readonly cells: readonly { readonly row: string; readonly column: string; readonly text: string }[]
  readonly evidence: readonly Evidence[]
}

/** Reads the two tables of docs/comparison.md. */
export function readComparison(): Comparison {
  const [compared = [], listed = []] = tablesIn(readFileSync(join(root, 'docs', 'comparison.md'), 'utf8'))
  const [columns = [], ...rows] = compared
  return {
    cells: rows.flatMap(([row = '', ...cells]) => cells.map((text, place) => ({ row, column: columns[place + 1] ?? '', text }))),
    evidence: listed.slice(1).map(([id = '', name = '', files = '', has = '', words = '']) => ({
      id,
      package: name.replaceAll('`', ''),
      files: files.replaceAll('`', ''),
      has: has === 'has',
      words: words.replaceAll('`', ''),
    })),
  }
}

/** Why a piece of evidence does not hold, if it does not. */
export function refuted(evidence: Evidence): string | undefined {
  const folder = evidence.package === 'toolwright' ? root : join(root, 'bench', 'peers', 'node_modules', evidence.package)
  const files = globSync(evidence.files, { cwd: folder })
  if (files.length === 0) return `${evidence.id}: ${evidence.package} has no ${evidence.files}.`
  const holding = files.filter((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return evidence.has ? text.includes(evidence.words) : text.toLowerCase().includes(evidence.words.toLowerCase())
  })
  return holding.length > 0 === evidence.has
    ? undefined
    : `${evidence.id}: '${evidence.words}' is in ${holding.join(', ') || 'none of the files'}.`
}

/** The cells of each table, row by row, with the head and without the line below it. */
function tablesIn(page: string): readonly (readonly (readonly string[])[])[] {
  const tables: string[][][] = []
  let before = false
  for (const line of page.split('\n')) {
    const isRow = line.startsWith('|')
    if (isRow && !before) tables.push([])
    before = isRow
    if (isRow && !/^[|\-\s]+$/.test(line))
      tables.at(-1)?.push(
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
  }
  return tables
}
