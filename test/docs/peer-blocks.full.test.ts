import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPeers } from '../../bench/install-peers.ts'
import { root, runProgram } from '../../scripts/run-program.ts'
import { guides, tsBlocksIn } from './ts-blocks.ts'

/** The code for other libraries in "Coming from ...", where those libraries are installed. */
const blocks = guides()
  .flatMap(tsBlocksIn)
  .filter(({ note }) => note === 'peer')
const home = join(root, 'bench', 'peers', '.cache', 'docs')

beforeAll(async () => {
  const problem = await installPeers()
  if (problem !== undefined) throw new Error(problem)
  await mkdir(home, { recursive: true })
  for (const { name, code } of blocks) await writeFile(join(home, `${name}.ts`), code)
  await writeFile(join(home, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }))
}, 300_000)

afterAll(() => rm(home, { recursive: true, force: true }))

test('every peer that can run here is shown by code that runs', () => {
  expect(new Set(blocks.map(({ place }) => place.split(':')[0]))).toEqual(
    new Set(['docs/coming-from/ai-sdk.md', 'docs/coming-from/langchain.md', 'docs/coming-from/mastra.md']),
  )
})

test('each block type-checks under the strict options of the repository', { timeout: 120_000 }, async () => {
  const { ok, stdout, stderr } = await runProgram('tsc', ['--project', join(home, 'tsconfig.json'), '--pretty', 'false'])
  expect(ok, `${stdout}${stderr}`).toBe(true)
})

describe('each block runs to its end and prints what it says', () => {
  test.each(blocks)('$place', { timeout: 60_000 }, async ({ name, prints }) => {
    const run = await runProgram('node', [join(home, `${name}.ts`)])
    expect(run.code, run.stderr).toBe(0)
    expect(prints).not.toEqual([])
    expect(run.stdout.split('\n')).toEqual([...prints, ''])
  })
})
