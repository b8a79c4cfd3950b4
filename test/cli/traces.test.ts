import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalog } from '../../src/select/catalog.ts'
import { postgresTraces } from '../../src/select/postgres-traces.ts'
import { tool } from '../../src/tool/tool.ts'
import { type StartedPostgres, startPostgres } from '../fixtures/postgres/start-postgres.ts'
import { folderWith, runCli } from './run-cli.ts'

let server: StartedPostgres
let pool: pg.Pool

beforeAll(async () => {
  server = await startPostgres({ tcp: true })
  pool = new pg.Pool({ ...server.config, max: 2 })
  pool.on('error', () => {})
}, 60_000)

afterAll(async () => {
  await pool.end()
  await server.stop()
})

const urlOf = ({ user, password = '', host, port, database }: StartedPostgres['config']): string =>
  `postgres://${user}:${password}@${host}:${port}/${database}`

const TRACES = [
  { text: 'book a table', tool: 'beta', served: true, principal: 'ada', at: 1 },
  { text: 'reserve dinner', tool: 'beta', served: false, principal: 'bob', at: 2 },
]
const texts = (stdout: string): string[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly text: string }).text)

test('traces of a database are exported and forgotten [S4]', async () => {
  const store = postgresTraces(pool, { app: 'shop:test' })
  await store.add(TRACES.map((trace, at) => ({ ...trace, id: `t${at}` })))
  const cwd = await folderWith({ 'toolwright.config.ts': 'export default { tools: [] }' })
  const cli = (...words: string[]) =>
    runCli(['traces', ...words, '--app', 'shop:test'], { cwd, env: { DATABASE_URL: urlOf(server.config) } })
  expect(texts((await cli('export')).stdout)).toEqual(['book a table', 'reserve dinner'])
  expect(texts((await cli('export', '--principal', 'bob')).stdout)).toEqual(['reserve dinner'])
  expect(await cli('forget', '--principal', 'ada')).toMatchObject({ code: 0, stderr: '1 trace was forgotten.\n' })
  expect((await store.since(undefined)).traces.map(({ text }) => text)).toEqual(['reserve dinner'])
})

test('traces that were plain are sealed by the key of the configuration, and exported with it [S4]', async () => {
  const key = randomBytes(32).toString('base64')
  await postgresTraces(pool, { app: 'late:test' }).add(TRACES.map((trace, at) => ({ ...trace, id: `t${at}` })))
  const cwd = await folderWith({
    'toolwright.config.ts': `export default { tools: [], database: { encryption: { key: '${key}' } } }`,
    'keyless.config.ts': 'export default { tools: [] }',
  })
  const cli = (...words: string[]) => runCli([...words, '--app', 'late:test'], { cwd, env: { DATABASE_URL: urlOf(server.config) } })
  expect(texts((await cli('traces', 'export')).stdout)).toEqual([])
  expect(await cli('seal')).toMatchObject({ code: 0, stderr: '2 values were sealed.\n' })
  expect(texts((await cli('traces', 'export')).stdout)).toEqual(['book a table', 'reserve dinner'])
  expect((await cli('traces', 'export', '--config', 'keyless.config.ts')).stderr).toContain('Pass it as encryption.key')
})

test('traces of a file too; a file that is damaged, and a command that says nothing, are refused', async () => {
  const cwd = await folderWith({ 'toolwright.config.ts': 'export default { tools: [] }', 'damaged.json': 'x' })
  const beta = tool({ name: 'beta', description: 'Is called beta.', effect: 'read', execute: () => 'x' })
  const tools = await catalog([beta])
  await tools.learn(TRACES)
  const file = join(cwd, 'traces.json')
  await tools.save(file)
  const cli = (...words: string[]) => runCli(['traces', ...words], { cwd })
  expect(texts((await cli('export', '--file', file)).stdout)).toEqual(['book a table', 'reserve dinner'])
  expect(await cli('forget', '--file', file, '--tool', 'beta', '--principal', 'bob')).toMatchObject({
    code: 0,
    stderr: '1 trace was forgotten.\n',
  })
  const again = await catalog([beta])
  await again.load(file)
  expect(again.traces().map(({ text }) => text)).toEqual(['book a table'])
  expect(await cli('export', '--file', join(cwd, 'damaged.json'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not a file of traces'),
  })
  expect(await cli('forget', '--file', file)).toMatchObject({ code: 2, stderr: expect.stringContaining('--principal <id>') })
  expect(await cli('erase')).toMatchObject({ code: 2, stderr: expect.stringContaining('traces export') })
})
