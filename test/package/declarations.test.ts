import { globSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { unnamedTypes } from './unnamed-types.ts'
import { UserProject } from './user-project.ts'

const CHANGED = [
  'What the compiler writes into the declarations of programs that use this package changed. It should stay short and readable.',
  'If the change is meant: npx vitest run test/package/declarations.test.ts --update.',
].join('\n')

const EVERY_COMBINATOR = 'test/fixtures/declarations/every-combinator.ts'
const modules = [EVERY_COMBINATOR, ...globSync('examples/*/*.ts', { cwd: root }).filter((file) => !/(?:\.test|main)\.ts$/.test(file))]

let project: UserProject

beforeAll(async () => {
  project = await UserProject.create()
  await project.copy('examples')
  await project.copy(EVERY_COMBINATOR)
  const emitted = await project.compile({ noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: 'out' }, [
    'examples',
    'test',
  ])
  if (!emitted.ok) throw new Error(`What a program leaves to the compiler cannot be written down. Export its type:\n${emitted.stdout}`)
}, 60_000)
afterAll(() => rm(project.folder, { recursive: true, force: true }))

test.each(modules)('the declarations of %s read as they did', async (file) => {
  const text = readFileSync(join(project.folder, 'out', file.replace(/\.ts$/, '.d.ts')), 'utf8')
  await expect(text, CHANGED).toMatchFileSnapshot(
    `declarations/${file
      .replace(/^.*?\//, '')
      .replaceAll('/', '-')
      .replace(/\.ts$/, '.txt')}`,
  )
})

test('emitted declarations compile without the sources they came from, library checks on', async () => {
  const { stdout } = await project.compile({ skipLibCheck: false }, ['out'])
  expect(stdout).toBe('')
}, 30_000)

test('every interface and class that public declarations lead to has a public name', () => {
  expect(unnamedTypes(project.declarations)).toEqual([])
})
