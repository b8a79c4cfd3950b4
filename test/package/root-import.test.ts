import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { root, runProgram } from '../../scripts/run-program.ts'

/** Prints the address of every module that an import loads, `require` included. */
const PRINTED = `
  import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })
`

const PROGRAM = `${PRINTED}
  const { tool, jsonSchema } = await import('toolwright')
  if (process.argv.includes('use')) {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    tool({ name: 'greet', description: 'Greets.', inputSchema: jsonSchema(schema), execute: ({ name }) => name })
  }
`

function modulesLoadedBy(...flags: readonly string[]): Promise<readonly string[]> {
  return modulesOf(PROGRAM, ...flags)
}

async function modulesOf(program: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const run = await runProgram('node', ['--conditions=toolwright-source', '--input-type=module', '--eval', program, ...flags])
  expect(run.stderr).toBe('')
  return run.stdout.trim().split('\n')
}

test('importing the root loads its own sources and builtin modules, and no package', async () => {
  const own = pathToFileURL(join(root, 'src')).href
  const loaded = await modulesLoadedBy()
  expect(loaded).toContain(`${own}/index.ts`)
  expect(loaded.filter((url) => !url.startsWith(`${own}/`) && !url.startsWith('node:'))).toEqual([])
})

test('importing the root loads nothing of durable runs but what it checks at once', async () => {
  const own = pathToFileURL(join(root, 'src')).href
  const loaded = (await modulesLoadedBy()).map((url) => url.replace(`${own}/`, ''))
  expect(loaded.filter((path) => /^(run|store)\//.test(path)).toSorted()).toEqual([
    'run/database-options.ts',
    'run/shared-stores.ts',
    'run/worker/tool-limit.ts',
    'run/worker/worker-options.ts',
    'store/store-options.ts',
  ])
})

test('importing the selection loads little of durable runs, no word vectors and no crypto', async () => {
  const own = pathToFileURL(join(root, 'src')).href
  const loaded = (await modulesOf(`${PRINTED} await import('toolwright/select')`)).map((url) => url.replace(`${own}/`, ''))
  expect(loaded.filter((path) => path.startsWith('run/')).toSorted()).toEqual([
    'run/database-options.ts',
    'run/journal/encryption-key.ts',
    'run/journal/place.ts',
    'run/journal/storable.ts',
    'run/journal/values.ts',
    'run/postgres/sealed-bytes.ts',
  ])
  expect(loaded).toContain('select/catalog.ts')
  expect(loaded.filter((path) => /word-vectors-data|^node:(?:crypto|fs\/promises)$/.test(path))).toEqual([])
})

test('a package is loaded when it is first used, and then seen here', async () => {
  const loaded = await modulesLoadedBy('use')
  expect(loaded.some((url) => url.includes('/node_modules/ajv/'))).toBe(true)
})
