import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ProgramRun, root, runProgram } from '../../scripts/run-program.ts'
import { importFlags } from '../fixtures/prepared.ts'
import { blockDatabases } from './block-databases.ts'
import { jsDocExamples } from './jsdoc-examples.ts'
import { compileModules, writeModules } from './write-modules.ts'

const examples = jsDocExamples()
let home: string
let compiled: ProgramRun
const databaseOf = blockDatabases()

/** Compiled, since Node does not run decorators as they are. Errors of types do not keep tsc from emitting. */
beforeAll(async () => {
  home = await writeModules('examples', examples)
  compiled = await compileModules(home, ['--noEmit', 'false', '--rootDir', root, '--outDir', join(home, 'out')])
}, 60_000)

test('every @example type-checks; what it refers to and does not make is in test/docs/scene.ts', () => {
  expect(examples).not.toEqual([])
  expect(compiled.ok, `${compiled.stdout}${compiled.stderr}`).toBe(true)
})

describe.concurrent('each @example runs to its end and prints what it says', () => {
  test.each(examples)('$place', { timeout: 60_000 }, async ({ name, code, prints }) => {
    const file = join(home, 'out', '.cache', 'examples', `${name}.js`)
    const run = await runProgram('node', [...importFlags, '--unhandled-rejections=strict', file], {
      env: databaseOf({ name, code }),
    })
    expect(run.code, run.stderr).toBe(0)
    expect(withoutSpace(run.stdout)).toBe(withoutSpace(prints.length > 0 ? prints.join('') : run.stdout))
  })
})

/** Node breaks and pads what it prints; a comment does not. */
function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '')
}
