import type { Pool } from 'pg'
import { checkEncryption, type EncryptionOptions } from '../run/database-options.ts'
import { inTraces } from '../run/journal/place.ts'
import { Values } from '../run/journal/values.ts'
import { isSealed } from '../run/postgres/sealed-bytes.ts'
import { appOf, schemasOf } from '../store/app.ts'
import type { AppOptions } from '../store/app-options.ts'
import { appPool } from '../store/app-store.ts'
import { migrate, type Migration } from '../store/migrate.ts'
import { transaction } from '../store/transaction.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import { digest } from '../tool/journal/hash.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { isTrace } from './trace-file.ts'
import type { TraceNews, TraceStore } from './trace-store.ts'
import type { Trace } from './traces.ts'

/** The options of `postgresTraces`. */
export interface PostgresTracesOptions {
  /** Whose traces, such as `orders:production`. The default is that of `createRuntime`. */
  readonly app?: string | AppOptions | undefined
  /** Seals the requests, and hides whose they are: use the key of the runs. Without it, the database holds them as they are. */
  readonly encryption?: EncryptionOptions | undefined
}

/** Traces in a database. */
export interface PostgresTraces extends TraceStore {
  /** Seals what was written before the key was set, and returns how many. Until then, it is not read. */
  readonly seal: () => Promise<number>
}

const NAMES = optionNames<PostgresTracesOptions>({ app: true, encryption: true })
/** Traces of one tool that are kept, the newest: twice as many as a catalog uses. */
const MAX_PER_TOOL = 200
const AT_A_TIME = 2000

/**
 * Keeps what catalogs learn from in PostgreSQL, in a table that it makes when it is first used: for all processes of an app that share it.
 * With `encryption` the requests are sealed; without it, the database holds them as they are.
 * @example
 * const store = await openStore({ idleStop: '1s' })
 * const tools = await catalog([shout], { store: postgresTraces(store.pool) })
 * await tools.learn([{ text: 'say it louder', tool: 'shout', served: true }])
 * console.log(tools.traces().length) // 1
 * await store.close()
 */
export function postgresTraces(pool: Pool, options: PostgresTracesOptions = {}): PostgresTraces {
  checkOptionNames(options, NAMES, 'The options of postgresTraces')
  checkEncryption(options.encryption, 'postgresTraces')
  const own = appPool(pool, schemasOf(appOf(options.app, { isShared: true })))
  const values = new Values(options.encryption)
  let making: Promise<void> | undefined
  /** The first who needs the table makes it; when that fails, the next one tries again. */
  const ready = (): Promise<void> =>
    (making ??= open(own, values).catch((error: unknown) => {
      making = undefined
      throw error
    }))
  return {
    add: async (traces) => {
      if (traces.length === 0) return
      await ready()
      const rows = traces.map(({ id, ...trace }) => ({ id, ...written(values, id, trace) }))
      await transaction(own, async (client) => {
        await client.query(IN_TURN)
        await client.query(ADD, [
          rows.map((row) => row.id),
          rows.map((row) => row.tool),
          rows.map((row) => row.principal),
          rows.map((row) => row.trace),
        ])
        await client.query(TRIM, [[...new Set(rows.map((row) => row.tool))], MAX_PER_TOOL])
      })
    },
    since: async (mark) => {
      await ready()
      const { number, forgotten } = parsedMark(mark)
      const { rows } = await own.query<NewsRow>(SINCE, [number, AT_A_TIME])
      return newsOf(rows, { number, forgotten, isFirst: mark === undefined, values })
    },
    forget: async ({ principal, tool }) => {
      await ready()
      return transaction(own, async (client) => {
        await client.query(IN_TURN)
        const prints = [principal, tool].map((each) => (each === undefined ? null : values.fingerprints(digest(each))))
        const { rowCount } = await client.query(FORGET, prints)
        await client.query(NOTE_FORGOTTEN)
        return rowCount ?? 0
      })
    },
    seal: async () => {
      await ready()
      return values.isSealing ? sealPlain(own, values) : 0
    },
  }
}

/** A process without the key must not write plain traces beside sealed ones: nobody with the key would read them. */
async function open(pool: Pool, values: Values): Promise<void> {
  await migrate(pool, [tracesMigration], 'toolwright.select')
  if (values.isSealing) return
  const { rows } = await pool.query<{ readonly sealed: boolean }>(HOLDS_SEALED)
  if (rows[0]?.sealed === true) values.refusePlain()
}

interface WrittenTrace {
  readonly tool: string
  readonly principal: string | null
  readonly trace: Buffer
}

/** Prints of names, since a text of the database holds not every character; with a key nobody else can tell whose they are. */
function written(values: Values, id: string, trace: Trace): WrittenTrace {
  const { tool, principal } = trace
  return {
    tool: values.fingerprint(digest(tool)),
    principal: principal === undefined ? null : values.fingerprint(digest(principal)),
    trace: Buffer.from(values.seal(trace as unknown as JsonData, inTraces(id))),
  }
}

/** All processes read everything anew afterwards: what was plain was left out before. */
async function sealPlain(pool: Pool, values: Values): Promise<number> {
  return transaction(pool, async (client) => {
    await client.query(IN_TURN)
    const { rows } = await client.query<{ readonly id: string; readonly trace: Buffer }>(PLAIN)
    for (const { id, trace } of rows) {
      const plain = parsedTrace(() => JSON.parse(trace.toString()) as unknown)
      // Nobody could read it anyway.
      if (plain === undefined) await client.query(REMOVE, [id])
      else {
        const sealed = written(values, id, plain)
        await client.query(SEALED, [id, sealed.tool, sealed.principal, sealed.trace])
      }
    }
    await client.query(NOTE_FORGOTTEN)
    return rows.length
  })
}

interface NewsRow {
  readonly id: string | null
  readonly number: string | number
  readonly trace: Buffer | null
  readonly forgotten: string | number
}

interface Mark {
  readonly number: number
  /** How often something was forgotten. */
  readonly forgotten: number
}

interface Read extends Mark {
  readonly isFirst: boolean
  readonly values: Values
}

function newsOf(rows: readonly NewsRow[], { number, forgotten, isFirst, values }: Read): TraceNews {
  const now = Number(rows[0]?.forgotten ?? 0)
  const found = rows.filter((row) => row.trace !== null)
  const last = found.reduce((most, row) => Math.max(most, Number(row.number)), number)
  return {
    // A row that another program has written, changed or moved is left out.
    traces: found
      .map(({ id, trace }) => parsedTrace(() => values.unseal((trace as Buffer).toString(), inTraces(id as string))))
      .filter((each) => each !== undefined),
    forgotten: !isFirst && now !== forgotten,
    mark: `${last}.${now}`,
    more: found.length === AT_A_TIME,
  }
}

function parsedMark(mark: string | undefined): Mark {
  const [, number = '0', forgotten = '0'] = /^(\d{1,15})\.(\d{1,15})$/.exec(mark ?? '') ?? []
  return { number: Number(number), forgotten: Number(forgotten) }
}

/** A missing key is told: without it nothing at all can be read. */
function parsedTrace(read: () => unknown): Trace | undefined {
  try {
    const value = read()
    return isTrace(value) ? value : undefined
  } catch (error) {
    if (isConfigurationError(error) && error.code === 'missing_encryption_key') throw error
    return undefined
  }
}

/** One after another: otherwise a trace with a lower number could appear after a reader has passed it, and be lost for that reader. */
const IN_TURN = 'SELECT pg_advisory_xact_lock(5873021947)'
const ADD = `
INSERT INTO toolwright.selection_trace (id, tool, principal, trace)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) ON CONFLICT (id) DO NOTHING`
const TRIM = `
DELETE FROM toolwright.selection_trace WHERE number IN (
  SELECT number FROM (
    SELECT number, row_number() OVER (PARTITION BY tool ORDER BY number DESC) AS place
    FROM toolwright.selection_trace WHERE tool = ANY($1::text[])
  ) AS placed WHERE place > $2)`
const SINCE = `
WITH state AS (SELECT coalesce(max(times), 0) AS forgotten FROM toolwright.selection_forgotten)
SELECT state.forgotten, found.id, found.number, found.trace FROM state LEFT JOIN LATERAL (
  SELECT id, number, trace FROM toolwright.selection_trace WHERE number > $1 ORDER BY number LIMIT $2
) AS found ON true ORDER BY found.number`
const FORGET = `
DELETE FROM toolwright.selection_trace
WHERE ($1::text[] IS NULL OR principal = ANY($1)) AND ($2::text[] IS NULL OR tool = ANY($2))`
const HOLDS_SEALED = `SELECT EXISTS (SELECT FROM toolwright.selection_trace WHERE ${isSealed('trace')}) AS sealed`
const PLAIN = `SELECT id, trace FROM toolwright.selection_trace WHERE NOT ${isSealed('trace')}`
const SEALED = 'UPDATE toolwright.selection_trace SET tool = $2, principal = $3, trace = $4 WHERE id = $1'
const REMOVE = 'DELETE FROM toolwright.selection_trace WHERE id = $1'
const NOTE_FORGOTTEN = `
INSERT INTO toolwright.selection_forgotten (one, times) VALUES (true, 1)
ON CONFLICT (one) DO UPDATE SET times = toolwright.selection_forgotten.times + 1`

const tracesMigration: Migration = {
  id: 1,
  name: 'selection traces',
  sql: `
CREATE TABLE toolwright.selection_trace (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  tool text COLLATE "C" NOT NULL,
  principal text COLLATE "C",
  trace bytea NOT NULL
);
CREATE INDEX selection_trace_tool ON toolwright.selection_trace (tool, number);
CREATE INDEX selection_trace_principal ON toolwright.selection_trace (principal);

CREATE TABLE toolwright.selection_forgotten (one boolean PRIMARY KEY CHECK (one), times bigint NOT NULL);
`,
}
