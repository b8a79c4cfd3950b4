import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool, ToolError } from 'toolwright'
import { expect } from 'vitest'
import { z } from 'zod'
import { cliHere } from '../cli/cli-here.ts'
import type { CliRun } from '../cli/run-cli.ts'
import { rowsOn } from '../fixtures/rows-on.ts'
import type { Attack } from './attack.ts'

const COLUMNS = 80
const ALL_OF_IT = 'Approved 1 as ada'

/** Texts with a line or a row of their own that poses as one of ours. */
const LIES: Readonly<Record<string, string>> = {
  'a line of its own': `x\n${ALL_OF_IT}`,
  'a line after an empty one': `x\n\n   ${ALL_OF_IT}`,
  'colours and cursor moves': `x\u001B[2K\u001B[1A${ALL_OF_IT}`,
  'a one-byte control sequence': `x\u009B2K${ALL_OF_IT}`,
  'a carriage return': `x\r${ALL_OF_IT}`,
  'a right-to-left override': `x\u202E${ALL_OF_IT}`,
  'a line separator': `x\u2028${ALL_OF_IT}`,
  'a tab': `x\t${ALL_OF_IT}`,
  'spaces up to the next row': rowsOfIt(' '),
  'wide letters up to the next row': rowsOfIt('漢'),
}

/** Wherever the text begins, one of these stands at the beginning of a row. */
function rowsOfIt(filler: string): string {
  return `x${filler.repeat(COLUMNS / 2)}${`${ALL_OF_IT} `.repeat(COLUMNS)}`
}

/** Letters that move, hide or reorder others. The line feed and the colours are ours. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** What was said is there, and no row of it poses as ours. */
function expectHonest({ stdout, stderr }: CliRun, columns: number | undefined): void {
  // oxlint-disable-next-line no-control-regex
  const lines = `${stdout}\n${stderr}`.replaceAll(/\u001B\[\d+m/g, '').split('\n')
  for (const line of lines) {
    expect(line).not.toMatch(HIDDEN)
    for (const row of columns === undefined ? [line] : rowsOn(line, columns)) expect(row).not.toMatch(/^\s*(Approved|\d+ as ada|as ada)/)
  }
  expect(lines.join('').replaceAll('  |> ', '')).toMatch(/ada|漢/)
}

/** The words of a command that prints a lie. */
type Place = (lie: string) => readonly string[]

/** Where the configuration finds the tools. */
const TOOLS = '__toolwrightAttackTools'

const lying = (lie: string) =>
  ({
    described: tool({ name: 'described', description: lie, execute: () => 'x' }),
    listed: tool({
      name: 'listed',
      description: 'd',
      inputSchema: z.object({ [lie]: z.string().describe(lie).optional() }),
      execute: () => 'x',
    }),
    failing: tool({
      name: 'failing',
      description: 'd',
      effect: 'read',
      execute: (_input, { progress }): string => {
        progress(lie)
        throw new ToolError(lie, { code: lie, hint: lie })
      },
    }),
  }) as const

const PLACES: Readonly<Record<string, Place>> = {
  'the description of a tool, in describe': () => ['describe', 'described'],
  'the description of a tool, in list': () => ['list'],
  'the name of a field, in describe': () => ['describe', 'listed'],
  'the message and the hint of a failure': () => ['call', 'failing', 'x'],
  'a progress text': () => ['call', 'failing', 'x', '--progress', '--trace'],
  'an error that is printed to debug it': (lie) => ['call', lie, '--debug'],
  'the name of an unknown tool': (lie) => ['call', lie],
  'the name of an unknown command': (lie) => [lie],
  'the name of an unknown flag': (lie) => ['runs', `--${lie}`],
  'the value of a flag': (lie) => ['runs', '--limit', lie],
  'the name of a file that is not there': (lie) => ['list', '--config', `/nowhere/${lie}`],
}

async function attempt(place: Place, lie: string, columns: number | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-attack-'))
  try {
    const config = join(folder, 'toolwright.config.mjs')
    writeFileSync(config, `export default { tools: Object.values(globalThis.${TOOLS}) }`)
    Object.assign(globalThis, { [TOOLS]: lying(lie) })
    const words = place(lie)
    const own = words.includes('--config') ? [] : ['--config', config]
    expectHonest(await cliHere([...words, ...own], { columns }), columns)
  } finally {
    Reflect.deleteProperty(globalThis, TOOLS)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Those that each place fell to. */
const LINES = ['a line of its own', 'a line after an empty one']
const ROWS = ['spaces up to the next row', 'wide letters up to the next row']
const MESSAGE: readonly string[] = [...LINES, 'a tab', ...ROWS]
const FELL: Readonly<Record<string, readonly string[]>> = {
  'the description of a tool, in describe': [...LINES, ...ROWS],
  'the description of a tool, in list': [],
  // JSON escapes the others.
  'the name of a field, in describe': ['a one-byte control sequence', 'a right-to-left override', 'a line separator', ...ROWS],
  'an error that is printed to debug it': [...LINES, 'a tab'],
  'the message and the hint of a failure': Object.keys(LIES),
  'a progress text': Object.keys(LIES),
  'the name of an unknown command': Object.keys(LIES),
  'the name of an unknown flag': Object.keys(LIES),
}

const SECRET = 'k-4711-typed-89'

/** A value that is no JSON is told without being repeated. */
const UNREADABLE: readonly (readonly string[])[] = [
  ...['--input', '--patch', '--answer'].map((flag) => ['approve', 'r1', flag, SECRET]),
  ...['--input', '--patch', '--answer'].map((flag) => ['approve', 'r1', flag, `{"password": ${SECRET}}`]),
  ['settle', 'r1', 'pay', '--happened', SECRET],
  ['approve', 'r1', '--patch', SECRET, '--json'],
]

async function keepsTyped(words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await cliHere(words)
  expect(code).toBe(2)
  expect(stderr).toContain('is not valid JSON')
  expect(`${stdout}${stderr}`).not.toContain(SECRET)
}

/** The address of a database in a place for something else, and whether its password was shown. */
const ADDRESS = `postgres://ada:${SECRET}@127.0.0.1:1/none`
const MISPLACED: readonly (readonly [before: Attack['before'], words: readonly string[]])[] = [
  ['fell', ['runs', `--database-urll=${ADDRESS}`]],
  ['fell', ['runs', '--app', ADDRESS]],
  ['fell', ['runs', '--home', ADDRESS]],
  ['fell', ['runs', '--limit', ADDRESS]],
  ['fell', ['call', 'x', '--deadline', ADDRESS]],
  ['fell', ['check', '--dialect', ADDRESS]],
  // No database is there: the duration is not looked at.
  ['held', ['prune', '--older-than', ADDRESS]],
  ['fell', [ADDRESS]],
]

async function keepsPassword(words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await cliHere(words)
  expect(code).not.toBe(0)
  expect(`${stdout}${stderr}`).toMatch(/error/)
  expect(`${stdout}${stderr}`).not.toContain(SECRET)
}

/** Foreign text in what the command line prints, on a terminal and elsewhere. */
export const COMMAND_LINE_ATTACKS: readonly Attack[] = [
  ...Object.entries(PLACES).flatMap(([where, place]) =>
    Object.entries(LIES).flatMap(([what, lie]) =>
      ([undefined, COLUMNS] as const)
        // Rows are those of a terminal.
        .filter((columns) => columns !== undefined || !what.endsWith('row'))
        .map((columns): Attack => {
          const name = `${where} has ${what}, ${columns === undefined ? 'in a file' : 'on a terminal'}`
          return { name, before: (FELL[where] ?? MESSAGE).includes(what) ? 'fell' : 'held', attempt: () => attempt(place, lie, columns) }
        }),
    ),
  ),
  ...UNREADABLE.map((words): Attack => ({
    name: `a secret in what is no JSON is repeated: ${words.join(' ')}`,
    // The engine repeats the beginning of a long text only.
    before: words.some((word) => word.startsWith('{')) ? 'held' : 'fell',
    attempt: () => keepsTyped(words),
  })),
  ...MISPLACED.flatMap(([before, words]) =>
    [words, [...words, '--json'], [...words, '--debug']].map((each): Attack => ({
      name: `the password of an address in another place is shown: ${each.join(' ')}`,
      before,
      attempt: () => keepsPassword(each),
    })),
  ),
]
