import fc from 'fast-check'
import { expect } from 'vitest'
import type { CliRun } from '../cli/run-cli.ts'
import { rowsOn } from '../fixtures/rows-on.ts'

/** A line that no command of these tests prints by itself. */
const POSING = 'Approved 1 as ada'

const SIGNS: readonly string[] = [
  '\n',
  '\n\n   ',
  '\r',
  '\r\n',
  '\t',
  '\0',
  '\u0008\u0008\u0008\u0008',
  '\u001B[2K\u001B[1A',
  '\u001B]0;x\u0007',
  '\u001B[31m',
  '\u009B2K',
  '\u0085',
  '\u202E',
  '\u2066',
  '\u200B',
  '\u2028',
  '\uFEFF',
  '\u{E0041}',
  '\uD800',
  ' '.repeat(80),
  '漢'.repeat(40),
]

/** Texts of somebody else that try to look like a line of ours. */
export function foreignTexts(more: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
    { weight: 3, arbitrary: fc.constant(POSING) },
    { weight: 1, arbitrary: fc.constantFrom(...more) },
    { weight: 1, arbitrary: fc.constantFrom('x', 'pay', '1', '=', ':', `error: ${POSING}`) },
  )
  return fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
}

/** Letters that move, hide or reorder others. The line feed and the colours are ours. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

interface Screen {
  /** The output goes to a terminal of so many columns. */
  readonly columns: number | undefined
  /** Standard output is for a program, which does not mind its rows. */
  readonly isJson: boolean
}

/** No letter of the output moves, hides or reorders others, and no row of it begins with the foreign line. */
export function expectOwnLines({ stdout, stderr }: Pick<CliRun, 'stdout' | 'stderr'>, { columns, isJson }: Screen): void {
  for (const [text, width] of [
    [stdout, isJson ? undefined : columns],
    [stderr, columns],
  ] as const) {
    // oxlint-disable-next-line no-control-regex
    for (const line of text.replaceAll(/\u001B\[\d+m/g, '').split('\n')) {
      expect(line).not.toMatch(HIDDEN)
      for (const row of width === undefined ? [line] : rowsOn(line, width)) expect(row).not.toMatch(/^\s*(Approved 1 |1 as ada|as ada)/)
    }
  }
}
