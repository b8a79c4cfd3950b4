import type { Pool } from 'pg'
import { decode, encode, type JsonData } from '../tool/journal/codec.ts'
import { appOf, schemasOf } from '../store/app.ts'
import type { AppOptions } from '../store/app-options.ts'
import { appPool } from '../store/app-store.ts'
import { migrate, type Migration } from '../store/migrate.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { MemoryEntry, MemoryStore } from './memory/memory.ts'
import { ownerKey, type OutputStore, type StoredOutput } from './stored-outputs.ts'

/** The options of `postgresContext`. */
export interface PostgresContextOptions {
  /** Whose outputs and memories, such as `orders:production`. The default is that of `createRuntime`. */
  readonly app?: string | AppOptions | undefined
  /** How long outputs are kept; a week by default. */
  readonly keep?: Duration | undefined
}

/** Outputs and memories in a database: for all processes of an app that share it. */
export interface PostgresContext {
  readonly outputs: OutputStore
  readonly memories: MemoryStore
  /** Removes what is past its time, and returns how many. */
  readonly sweep: () => Promise<number>
}

const NAMES = optionNames<PostgresContextOptions>({ app: true, keep: true })
const MOST_OF_A_SCOPE = 2000

/**
 * Keeps stored outputs and memories in PostgreSQL, in tables that it makes when it is first used: a run that goes on in another process reads
 * the outputs of the first.
 * @example
 * const store = await openStore({ idleStop: '1s' })
 * const { outputs } = postgresContext(store.pool)
 * const router = outputRouter({ budget: 16_000, store: outputs })
 * console.log(router.tools.map(({ name }) => name)) // [ 'read_output' ]
 * await store.close()
 */
export function postgresContext(pool: Pool, options: PostgresContextOptions = {}): PostgresContext {
  checkOptionNames(options, NAMES, 'The options of postgresContext')
  const keepMs = toMilliseconds(options.keep ?? '7d', 'keep of postgresContext')
  const own = appPool(pool, schemasOf(appOf(options.app, { isShared: true })))
  let making: Promise<void> | undefined
  /** The first who needs them makes the tables; when that fails, the next one tries again. */
  const ready = (): Promise<void> =>
    (making ??= migrate(own, [contextMigration], 'toolwright.context').catch((error: unknown) => {
      making = undefined
      throw error
    }))
  return {
    outputs: {
      put: async (pointer, output, owner) => {
        await ready()
        await own.query(PUT_OUTPUT, [pointer, ownerKey(owner), bytesOf(output), keepMs])
      },
      get: async (pointer, owner) => {
        await ready()
        const { rows } = await own.query<{ readonly output: Buffer }>(GET_OUTPUT, [pointer, ownerKey(owner)])
        return rows[0] === undefined ? undefined : (valueOf(rows[0].output) as StoredOutput)
      },
    },
    memories: {
      add: async (entry, scope) => {
        await ready()
        await own.query(ADD_MEMORY, [entry.id, scope, bytesOf(entry), entry.until])
      },
      list: async (scope) => {
        await ready()
        const { rows } = await own.query<{ readonly entry: Buffer }>(LIST_MEMORIES, [scope, MOST_OF_A_SCOPE])
        return rows.map(({ entry }) => valueOf(entry) as MemoryEntry).toReversed()
      },
    },
    sweep: async () => {
      await ready()
      const swept = await Promise.all([own.query(SWEEP_OUTPUTS), own.query(SWEEP_MEMORIES)])
      return swept.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
    },
  }
}

/** As bytes: a text of the database holds neither every character nor every JSON. */
function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(encode(value)))
}

function valueOf(bytes: Buffer): unknown {
  return decode(JSON.parse(bytes.toString()) as JsonData)
}

const PUT_OUTPUT = `
INSERT INTO toolwright.stored_output (pointer, owner, output, keep_until)
VALUES ($1, $2, $3, statement_timestamp() + $4::float8 * interval '1 ms')
ON CONFLICT (pointer) DO NOTHING`
const GET_OUTPUT = `
SELECT output FROM toolwright.stored_output WHERE pointer = $1 AND owner = $2 AND keep_until > statement_timestamp()`
const ADD_MEMORY = `
INSERT INTO toolwright.memory (id, scope, entry, keep_until) VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000))
ON CONFLICT (scope, id) DO NOTHING`
const LIST_MEMORIES = `
SELECT entry FROM toolwright.memory WHERE scope = $1 AND keep_until > statement_timestamp() ORDER BY number DESC LIMIT $2`
const SWEEP_OUTPUTS = 'DELETE FROM toolwright.stored_output WHERE keep_until <= statement_timestamp()'
const SWEEP_MEMORIES = 'DELETE FROM toolwright.memory WHERE keep_until <= statement_timestamp()'

const contextMigration: Migration = {
  id: 1,
  name: 'context',
  sql: `
CREATE TABLE toolwright.stored_output (
  pointer text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  output bytea NOT NULL,
  keep_until timestamptz NOT NULL
);
CREATE INDEX stored_output_keep_until ON toolwright.stored_output (keep_until);

CREATE TABLE toolwright.memory (
  number bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  entry bytea NOT NULL,
  keep_until timestamptz NOT NULL,
  PRIMARY KEY (scope, id)
);
CREATE INDEX memory_keep_until ON toolwright.memory (keep_until);
`,
}
