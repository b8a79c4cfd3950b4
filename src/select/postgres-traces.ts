import type { Pool } from 'pg'
import { appOf, schemasOf } from '../store/app.ts'
import type { AppOptions } from '../store/app-options.ts'
import { appPool } from '../store/app-store.ts'
import { migrate, type Migration } from '../store/migrate.ts'
import { transaction } from '../store/transaction.ts'
import { digest } from '../tool/journal/hash.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { isTrace } from './trace-file.ts'
import type { ForgottenTraces, TraceNews, TraceStore } from './trace-store.ts'
import type { Trace } from './traces.ts'

/** The options of `postgresTraces`. */
export interface PostgresTracesOptions {
  /** Whose traces, such as `orders:production`. The default is that of `createRuntime`. */
  readonly app?: string | AppOptions | undefined
}

const NAMES = optionNames<PostgresTracesOptions>({ app: true })
/** Traces of one tool that are kept, the newest: twice as many as a catalog uses. */
const MAX_PER_TOOL = 200
const AT_A_TIME = 2000

/**
 * Keeps what catalogs learn from in PostgreSQL, in a table that it makes when it is first used: for all processes of an app that share it.
 * The database holds the requests as they are.
 * @example
 * const store = await openStore({ idleStop: '1s' })
 * const tools = await catalog([shout], { store: postgresTraces(store.pool) })
 * await tools.learn([{ text: 'say it louder', tool: 'shout', served: true }])
 * console.log(tools.traces().length) // 1
 * await store.close()
 */
export function postgresTraces(pool: Pool, options: PostgresTracesOptions = {}): TraceStore {
  checkOptionNames(options, NAMES, 'The options of postgresTraces')
  const own = appPool(pool, schemasOf(appOf(options.app, { isShared: true })))
  let making: Promise<void> | undefined
  /** The first who needs the table makes it; when that fails, the next one tries again. */
  const ready = (): Promise<void> =>
    (making ??= migrate(own, [tracesMigration], 'toolwright.select').catch((error: unknown) => {
      making = undefined
      throw error
    }))
  return {
    add: async (traces) => {
      if (traces.length === 0) return
      await ready()
      const rows = traces.map(({ id, ...trace }) => ({
        id,
        tool: toolKey(trace.tool),
        principal: trace.principal === undefined ? null : digest(trace.principal),
        trace: Buffer.from(JSON.stringify(trace)),
      }))
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
      return newsOf(rows, { number, forgotten, isFirst: mark === undefined })
    },
    forget: async (which) => {
      await ready()
      return transaction(own, async (client) => {
        await client.query(IN_TURN)
        const { rowCount } = await client.query(FORGET, keysOf(which))
        await client.query(NOTE_FORGOTTEN)
        return rowCount ?? 0
      })
    },
  }
}

interface NewsRow {
  readonly number: string | number
  readonly trace: Buffer | null
  readonly forgotten: string | number
}

interface Mark {
  readonly number: number
  /** How often something was forgotten. */
  readonly forgotten: number
}

function newsOf(rows: readonly NewsRow[], { number, forgotten, isFirst }: Mark & { readonly isFirst: boolean }): TraceNews {
  const now = Number(rows[0]?.forgotten ?? 0)
  const found = rows.filter((row) => row.trace !== null)
  const last = found.reduce((most, row) => Math.max(most, Number(row.number)), number)
  return {
    // A row that another program has written is left out.
    traces: found.map(({ trace }) => parsedTrace(trace as Buffer)).filter((each) => each !== undefined),
    forgotten: !isFirst && now !== forgotten,
    mark: `${last}.${now}`,
    more: found.length === AT_A_TIME,
  }
}

function parsedMark(mark: string | undefined): Mark {
  const [, number = '0', forgotten = '0'] = /^(\d{1,15})\.(\d{1,15})$/.exec(mark ?? '') ?? []
  return { number: Number(number), forgotten: Number(forgotten) }
}

function parsedTrace(bytes: Buffer): Trace | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return isTrace(value) ? value : undefined
  } catch {
    return undefined
  }
}

function keysOf({ principal, tool }: ForgottenTraces): (string | null)[] {
  return [principal === undefined ? null : digest(principal), tool === undefined ? null : toolKey(tool)]
}

/** A text of the database holds not every character. */
function toolKey(tool: string): string {
  return digest(tool)
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
SELECT state.forgotten, found.number, found.trace FROM state LEFT JOIN LATERAL (
  SELECT number, trace FROM toolwright.selection_trace WHERE number > $1 ORDER BY number LIMIT $2
) AS found ON true ORDER BY found.number`
const FORGET = `
DELETE FROM toolwright.selection_trace
WHERE ($1::text IS NULL OR principal = $1) AND ($2::text IS NULL OR tool = $2)`
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
