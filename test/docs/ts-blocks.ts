import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/run-program.ts'

/** A fenced block of TypeScript in a guide. */
export interface TsBlock {
  /** The guide and the line where the block begins. */
  readonly place: string
  /** A name for the file that holds the block. */
  readonly name: string
  readonly code: string
  /** What stands behind `ts` on the fence. */
  readonly note: string
  /** It is code for another library: it does not use this package, and runs where that library is installed, if at all. */
  readonly isOfPeer: boolean
  /** What the block says that it prints, line by line. */
  readonly prints: readonly string[]
}

/** README.md and the guides. Records of decisions are history: their code is as old as they are. */
export function guides(): readonly string[] {
  return globSync(['README.md', 'docs/**/*.md'], { cwd: root, exclude: ['docs/decisions/**'] }).toSorted()
}

/** The languages of all fenced blocks of a guide. */
export function languagesIn(guide: string): readonly string[] {
  return fencesIn(guide).map(({ language }) => language)
}

/** The TypeScript blocks of a guide, in order. */
export function tsBlocksIn(guide: string): readonly TsBlock[] {
  return fencesIn(guide)
    .filter(({ language }) => language === 'ts')
    .map(({ line, note, code }, index) => ({
      place: `${guide}:${line}`,
      name: `${guide.replace(/\.md$/, '').replaceAll(/[^\w-]/g, '-')}-${index + 1}`,
      code,
      note,
      isOfPeer: /^peer(,|$)/.test(note),
      prints: Array.from(code.matchAll(/\/\/ prints: (.*)$/gm), ([, text = '']) => text.trimEnd()),
    }))
}

interface Fence {
  readonly line: number
  readonly language: string
  readonly note: string
  readonly code: string
}

function fencesIn(guide: string): readonly Fence[] {
  const text = readFileSync(join(root, guide), 'utf8')
  return Array.from(text.matchAll(/^([ \t]*)```([\w-]+)[ \t]*(.*)\n([\s\S]*?)^\1```$/gm), (match) => {
    const [, indent = '', language = '', note = '', code = ''] = match
    const line = text.slice(0, match.index).split('\n').length
    return { line, language, note, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }
  })
}
