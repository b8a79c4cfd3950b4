import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../scripts/run-program.ts'
import { importFlags } from '../fixtures/prepared.ts'
import { blockDatabases } from './block-databases.ts'
import { guides, languagesIn, tsBlocksIn } from './ts-blocks.ts'
import { compileModules, writeModules } from './write-modules.ts'

const all = guides().flatMap(tsBlocksIn)
const blocks = all.filter(({ isOfPeer }) => !isOfPeer)
const running = blocks.filter(({ note }) => note === '')
let home: string
const databaseOf = blockDatabases()

beforeAll(async () => {
  home = await writeModules('docs', blocks)
})

test('the README shows code that runs', () => {
  expect(running.filter(({ place }) => place.startsWith('README.md:'))).not.toEqual([])
})

test.each(guides())('%s fences its code as ts, so that it is checked here', (guide) => {
  expect(languagesIn(guide).filter((language) => /^([cm]?js|jsx|[cm]ts|tsx|javascript|typescript)$/.test(language))).toEqual([])
})

test('a block that does not run here says why: ```ts no-run: the reason, ```ts peer, ```ts peer, not run: the reason', () => {
  expect(all.filter(({ note }) => !/^$|^no-run: \S+|^peer$|^peer, not run: \S+/.test(note)).map(({ place }) => place)).toEqual([])
})

test('every block type-checks under the strict options of the repository', { timeout: 60_000 }, async () => {
  const { ok, stdout, stderr } = await compileModules(home)
  expect(ok, `${stdout}${stderr}`).toBe(true)
})

describe.concurrent('each block runs to its end and prints what it says', () => {
  // A block with a database makes one first.
  test.each(running)('$place', { timeout: 60_000 }, async ({ name, code, prints, place }) => {
    const env = databaseOf({ name, code })
    // The first code that a reader copies is run again and again, on the database that the first run left.
    for (const _time of place.startsWith('README.md:') && code.includes('.start(') ? [1, 2] : [1]) {
      const run = await runProgram('node', [...importFlags, join(home, `${name}.ts`)], { env })
      expect(run.code, run.stderr).toBe(0)
      const printed = run.stdout.split('\n').map((line) => line.trimEnd())
      expect(printed).toEqual(prints.length > 0 ? [...prints, ''] : printed)
    }
  })
})
