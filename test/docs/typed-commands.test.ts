import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/help-text.ts'
import { withOtherWord } from '../../src/cli/other-words.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs/**/*.md']
const SOURCES = ['src/**/*.ts', 'examples/**/*.ts']
/** A command as it is to be typed: after npx, in backticks, at the beginning of a line or after a colon. The name of the package is no command. */
const TYPED = /(?:npx |`|: |^|, or )toolwright ([a-z][a-z-]+)/gm
const KNOWN: ReadonlySet<string> = new Set([...Object.keys(COMMANDS), 'help'])

/** The words after `toolwright` that readers are told to type, each with its place. */
function typedWords(patterns: readonly string[], exclude: readonly string[]): readonly (readonly [word: string, file: string])[] {
  return globSync(patterns, { cwd: ROOT, exclude: [...exclude] }).flatMap((file) =>
    Array.from(readFileSync(join(ROOT, file), 'utf8').matchAll(TYPED), ([, word = '']) => [word, file] as const),
  )
}

test('every command that a guide, an error page or a message tells somebody to type is there', () => {
  const found = [...typedWords(PAGES, ['docs/decisions/**']), ...typedWords(SOURCES, ['**/*.test.ts'])]
  expect(found.filter(([word]) => !KNOWN.has(word))).toEqual([])
  expect(new Set(found.map(([word]) => word)).size).toBeGreaterThan(20)
})

test('what is offered for a word that is no command is one', () => {
  for (const word of [
    'answer',
    'decline',
    'deny',
    'edit',
    'inbox',
    'logs',
    'ps',
    'requests',
    'retry',
    'reviews',
    'start',
    'status',
    'stop',
    'tools',
  ]) {
    expect(KNOWN.has(word), word).toBe(false)
    const told = withOtherWord(`error: unknown command '${word}'\n(Did you mean list?)\n`)
    const [, first = ''] = /^Type: toolwright ([a-z-]+)/m.exec(told) ?? []
    expect(KNOWN.has(first), told).toBe(true)
    expect(told).not.toContain('Did you mean')
  }
})
