import type { Pool } from 'pg'
import { decode, encode, type JsonData } from '../tool/journal/codec.ts'
import { digest } from '../tool/journal/hash.ts'
import { checkEncryption, type EncryptionOptions } from '../run/database-options.ts'
import { inContext, type Place } from '../run/journal/place.ts'
import { Values } from '../run/journal/values.ts'
import { isSealed } from '../run/postgres/sealed-bytes.ts'
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
  /** Seals outputs and memories, and hides whose they are: use the key of the runs. Without it, the database holds them as they are. */
  readonly encryption?: EncryptionOptions | undefined
}

/** Outputs and memories in a database: for all processes of an app that share it. */
export interface PostgresContext {
  readonly outputs: OutputStore
  readonly memories: MemoryStore
  /** Removes what is past its time, and returns how many. */
  readonly sweep: () => Promise<number>
  /** Seals what was written before the key was set, and returns how many. Until then, it is not found. */
  readonly seal: () => Promise<number>
}

const NAMES = optionNames<PostgresContextOptions>({ app: true, keep: true, encryption: true })
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
  const { encryption } = options
  checkEncryption(encryption, 'postgresContext')
  const keepMs = toMilliseconds(options.keep ?? '7d', 'keep of postgresContext')
  const own = appPool(pool, schemasOf(appOf(options.app, { isShared: true })))
  const values = new Values(encryption)
  let making: Promise<void> | undefined
  /** The first who needs them makes the tables; when that fails, the next one tries again. */
  const ready = (): Promise<void> =>
    (making ??= open(own, values).catch((error: unknown) => {
      making = undefined
      throw error
    }))
  return {
    outputs: {
      put: async (pointer, output, owner) => {
        await ready()
        const whose = ownerKey(owner)
        await own.query(PUT_OUTPUT, [
          pointer,
          printOf(values, whose),
          sealed(values, output, inContext('stored_output', whose, pointer)),
          keepMs,
        ])
      },
      get: async (pointer, owner) => {
        await ready()
        const whose = ownerKey(owner)
        const { rows } = await own.query<{ readonly output: Buffer }>(GET_OUTPUT, [pointer, printsOf(values, whose)])
        if (rows[0] === undefined) return undefined
        return opened(values, rows[0].output, inContext('stored_output', whose, pointer)) as StoredOutput
      },
    },
    memories: {
      add: async (entry, scope) => {
        await ready()
        const { id, until } = entry
        await own.query(ADD_MEMORY, [id, printOf(values, scope), sealed(values, entry, inContext('memory', scope, id)), until])
      },
      list: async (scope) => {
        await ready()
        const { rows } = await own.query<{ readonly id: string; readonly entry: Buffer }>(LIST_MEMORIES, [
          printsOf(values, scope),
          MOST_OF_A_SCOPE,
        ])
        return rows.map(({ id, entry }) => opened(values, entry, inContext('memory', scope, id)) as MemoryEntry).toReversed()
      },
    },
    sweep: async () => {
      await ready()
      const swept = await Promise.all([own.query(SWEEP_OUTPUTS), own.query(SWEEP_MEMORIES)])
      return swept.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
    },
    seal: async () => {
      await ready()
      if (!values.isSealing) return 0
      return (await sealPlain(own, values, OUTPUT_COLUMNS)) + (await sealPlain(own, values, MEMORY_COLUMNS))
    },
  }
}

/** A process without the key must not write plain values beside sealed ones: nobody with the key would find them. */
async function open(pool: Pool, values: Values): Promise<void> {
  await migrate(pool, [contextMigration], 'toolwright.context')
  if (values.isSealing) return
  const { rows } = await pool.query<{ readonly sealed: boolean }>(HOLDS_SEALED)
  if (rows[0]?.sealed === true) values.refusePlain()
}

/** Without the key nobody can tell whose it is. */
function printOf(values: Values, whose: string): string {
  return values.isSealing ? values.fingerprint(digest(whose)) : whose
}

function printsOf(values: Values, whose: string): readonly string[] {
  return values.isSealing ? values.fingerprints(digest(whose)) : [whose]
}

interface SealedColumns {
  readonly table: 'stored_output' | 'memory'
  readonly name: string
  readonly owner: string
  readonly value: string
}

const OUTPUT_COLUMNS: SealedColumns = { table: 'stored_output', name: 'pointer', owner: 'owner', value: 'output' }
const MEMORY_COLUMNS: SealedColumns = { table: 'memory', name: 'id', owner: 'scope', value: 'entry' }

async function sealPlain(pool: Pool, values: Values, { table, name, owner, value }: SealedColumns): Promise<number> {
  const find = `SELECT ${name} AS name, ${owner} AS owner, ${value} AS value FROM toolwright.${table} WHERE NOT ${isSealed(value)} LIMIT ${AT_A_TIME}`
  const change = `UPDATE toolwright.${table} SET ${owner} = $3, ${value} = $4 WHERE ${name} = $1 AND ${owner} = $2`
  for (let count = 0; ;) {
    const { rows } = await pool.query<{ readonly name: string; readonly owner: string; readonly value: Buffer }>(find)
    for (const row of rows) {
      const plain = decode(JSON.parse(row.value.toString()) as JsonData)
      await pool.query(change, [
        row.name,
        row.owner,
        printOf(values, row.owner),
        sealed(values, plain, inContext(table, row.owner, row.name)),
      ])
    }
    count += rows.length
    if (rows.length < AT_A_TIME) return count
  }
}

/** As bytes: a text of the database holds neither every character nor every JSON. */
function sealed(values: Values, value: unknown, place: Place): Buffer {
  return Buffer.from(values.seal(encode(value), place))
}

function opened(values: Values, bytes: Buffer, place: Place): unknown {
  return decode(values.unseal(bytes.toString(), place))
}

const AT_A_TIME = 200

const HOLDS_SEALED = `
SELECT EXISTS (SELECT FROM toolwright.stored_output WHERE ${isSealed('output')})
  OR EXISTS (SELECT FROM toolwright.memory WHERE ${isSealed('entry')}) AS sealed`

const PUT_OUTPUT = `
INSERT INTO toolwright.stored_output (pointer, owner, output, keep_until)
VALUES ($1, $2, $3, statement_timestamp() + $4::float8 * interval '1 ms')
ON CONFLICT (pointer) DO NOTHING`
const GET_OUTPUT = `
SELECT output FROM toolwright.stored_output WHERE pointer = $1 AND owner = ANY($2::text[]) AND keep_until > statement_timestamp()`
const ADD_MEMORY = `
INSERT INTO toolwright.memory (id, scope, entry, keep_until) VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000))
ON CONFLICT (scope, id) DO NOTHING`
const LIST_MEMORIES = `
SELECT id, entry FROM toolwright.memory WHERE scope = ANY($1::text[]) AND keep_until > statement_timestamp() ORDER BY number DESC LIMIT $2`
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
