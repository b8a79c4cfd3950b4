import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JobQueue } from '../../src/run/postgres/job-queue.ts'
import { runMigrations } from '../../src/run/postgres/run-tables.ts'
import type { AppStore } from '../../src/store/app-store.ts'
import { migrate } from '../../src/store/migrate.ts'
import { idempotencyMigration } from '../../src/store/postgres-idempotency.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type StartedPostgres, startPostgres } from '../fixtures/postgres/start-postgres.ts'
import { ownStore } from '../fixtures/run/own-store.ts'
import { CLAIM_SCENARIOS } from './claim-scenarios.ts'
import { OTHER_SCENARIOS } from './other-scenarios.ts'
import { playInMemory } from './play-in-memory.ts'
import { playOnPostgres } from './play-on-postgres.ts'
import type { WorldTrace } from './record-trace.ts'
import { replayTrace } from './replay-trace.ts'
import { STATEMENTS } from './statements/find-statement.ts'

const SCENARIOS = [...CLAIM_SCENARIOS, ...OTHER_SCENARIOS]
const ROOT = join(import.meta.dirname, '../..')

let server: StartedPostgres
let store: AppStore

beforeAll(async () => {
  server = await startPostgres({ tcp: true })
  const { host, port, user, password, database } = server.config
  store = ownStore(await openStore({ url: `postgres://${user}:${password}@${host}:${port}/${database}` }))
  await migrate(store.pool, runMigrations)
  await migrate(store.pool, [idempotencyMigration], 'toolwright.idempotency')
  await (await JobQueue.open(store, false, () => {})).close()
}, 60_000)
afterAll(async () => {
  await store.close()
  await server.stop()
})

const TABLES = ['idempotency', 'run', 'entry', 'approval', 'event', 'artifact', 'worker'].map((table) => `toolwright.${table}`).join(', ')
const EMPTY = `TRUNCATE ${TABLES}; DELETE FROM toolwright_queue.job`

beforeEach(async () => {
  await store.pool.query(EMPTY)
})

describe('the memory answers as PostgreSQL does', () => {
  test.each(SCENARIOS)('$title', async ({ steps }) => {
    const expected = await playOnPostgres(store, steps)
    expect(playInMemory(steps, expected)).toEqual(expected)
  })

  test('every statement is played, but those of keys, and those that ask for the time', () => {
    const played = new Set(SCENARIOS.flatMap(({ steps }) => steps.map(({ say }) => say)))
    const left = STATEMENTS.filter(({ name, isTimed }) => isTimed !== true && !played.has(name))
    expect(left.map(({ name }) => name)).toEqual([])
  })
})

test('the traces of faulty worlds get the same answers from PostgreSQL', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tw-trace-'))
  try {
    const file = join(folder, 'traces.json')
    const script = join(ROOT, 'scripts/simulate.ts')
    const flags = ['--conditions=toolwright-source', script, '--record', file, '--statements', '2000', '--seed', '4711']
    await promisify(execFile)(join(ROOT, 'node_modules/.bin/node'), flags)
    const traces = JSON.parse(await readFile(file, 'utf8')) as readonly WorldTrace[]
    let compared = 0
    for (const { seed, events } of traces) {
      await store.pool.query(EMPTY)
      const { differences, count } = await replayTrace(store, events)
      expect(differences, `world ${seed}`).toEqual([])
      compared += count
    }
    expect(compared).toBeGreaterThan(1000)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
