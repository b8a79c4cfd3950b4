import type pg from 'pg'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { storeError } from './store-error.ts'
import { transaction } from './transaction.ts'

/** One step of the database from one shape to the next. There is no way back. */
export interface Migration {
  /** A whole number from 1, larger than that of the migration before. */
  readonly id: number
  readonly name: string
  /** One or more statements. They run in one transaction. */
  readonly sql: string
}

interface Applied {
  readonly id: number
  readonly name: string
}

/** A migration takes as long as it takes, and so does waiting for that of another process. */
const UNHURRIED = 'set local statement_timeout = 0; set local lock_timeout = 0'
const PATIENT = { query_timeout: 3_600_000 } as const
/** Any number, the same for all processes. */
const LOCK = 'select pg_advisory_xact_lock(5873021946)'
const EXISTS = `select to_regclass('toolwright.migration') is not null as exists`
const CREATE = `create schema if not exists toolwright;
create table if not exists toolwright.migration (
  series text not null,
  id integer not null,
  name text not null,
  applied_at timestamptz not null default now(),
  primary key (series, id)
)`
const APPLIED = 'select id, name from toolwright.migration where series = $1 order by id'
const RECORD = 'insert into toolwright.migration (series, id, name) values ($1, $2, $3)'

/**
 * Updates a database to the tables that the code expects, each migration in its own transaction. Concurrent processes take turns.
 * Several programs may share a database, each with a series of its own.
 * @example
 * const store = await openStore({ idleStop: '1s' })
 * await migrate(store.pool, [{ id: 1, name: 'orders', sql: 'create table if not exists orders (id text primary key)' }])
 * await store.close()
 */
export async function migrate(pool: pg.Pool, migrations: readonly Migration[], series = 'main'): Promise<void> {
  checkMigrations(migrations)
  const done = await appliedIn(pool, series)
  checkKnown(done, migrations)
  for (const migration of migrations) {
    if (!done.some(({ id }) => id === migration.id)) await apply(pool, migration, { migrations, series })
  }
}

interface Series {
  readonly series: string
  readonly migrations: readonly Migration[]
}

/** Looks again inside the turn: another process may have done it in the meantime. */
async function apply(pool: pg.Pool, migration: Migration, { migrations, series }: Series): Promise<void> {
  const { id, name, sql } = migration
  try {
    await transaction(pool, async (client) => {
      await client.query(UNHURRIED)
      await client.query({ ...PATIENT, text: LOCK })
      await client.query(CREATE)
      const { rows } = await client.query<Applied>(APPLIED, [series])
      checkKnown(rows, migrations)
      if (rows.some((row) => row.id === id)) return
      await client.query({ ...PATIENT, text: sql })
      await client.query(RECORD, [series, id, name])
    })
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause
    const { code, outcome, retryable, message } = storeError(cause)
    throw new ToolError(`Migration ${id} (${name}) failed, and nothing of it was kept: ${message}`, { code, outcome, retryable, cause })
  }
}

async function appliedIn(pool: pg.Pool, series: string): Promise<readonly Applied[]> {
  try {
    const { rows } = await pool.query<{ exists: boolean }>(EXISTS)
    return rows[0]?.exists === true ? (await pool.query<Applied>(APPLIED, [series])).rows : []
  } catch (cause) {
    throw storeError(cause)
  }
}

function checkMigrations(migrations: readonly Migration[]): void {
  migrations.forEach(({ id, name }, index) => {
    const before = migrations[index - 1]?.id ?? 0
    if (Number.isInteger(id) && id > before) return
    throw new ConfigurationError('invalid_definition', `Migration '${name}' has the id ${id}. It must be a whole number above ${before}.`)
  })
}

function checkKnown(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const unknown = applied.find((each) => !migrations.some(({ id, name }) => id === each.id && name === each.name))
  if (unknown === undefined) return
  throw new ConfigurationError(
    'store_version',
    `The database was changed by a newer version of this program: it has migration ${unknown.id} (${unknown.name}), and this version goes up to ` +
      `${migrations.at(-1)?.id ?? 0}. Nothing was touched. Use the newer version, or another database.`,
  )
}
