import type { ClientBase } from 'pg'
import type { Store } from '../../store/store.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { inApproval, inEntry, inEvent, inIdempotency, inRun, type Place } from '../journal/place.ts'
import { inRow } from '../journal/in-row.ts'
import type { Values } from '../journal/values.ts'
import type { RunReason } from '../state/run-state.ts'
import { insertArtifact } from './write-entries.ts'

/** A row that has a plain value, by its place in the table. */
interface PlainRow {
  readonly ctid: string
  readonly run: string
  readonly row: string
  readonly value: string
}

/** The values of one column. */
interface Column {
  readonly table: string
  readonly column: string
  /** In SQL: where the run and the rest of the place are found. */
  readonly run: string
  readonly row: string
  readonly place: (row: PlainRow) => Place
  /** The text that takes the place of the plain one. */
  readonly sealed?: ((row: PlainRow, values: Values) => string) | undefined
  /** What else changes with it. */
  readonly also?: ((values: Values, row: PlainRow) => Readonly<Record<string, string>>) | undefined
  /** Rows whose value is plain; by default those that are not sealed and name no artifact. */
  readonly isPlain?: string | undefined
  readonly hasArtifacts?: boolean | undefined
}

const ofRun = (column: 'input' | 'options' | 'result' | 'cancel'): Column => ({
  ...{ table: 'run', column, run: 't.id', row: "''", place: ({ run }) => inRun(run, column) },
  hasArtifacts: column === 'result',
})

const ofEntry = (column: 'input' | 'data'): Column => ({
  ...{ table: 'entry', column, run: 't.run', row: 'coalesce(t.full_path, t.path)', place: ({ run, row }) => inEntry(run, row, column) },
  hasArtifacts: true,
})

const ofApproval = (column: 'request' | 'decision' | 'ballot'): Column => ({
  ...{ table: 'approval', column, run: 't.run', row: 't.id', place: ({ run, row }) => inApproval(run, row, column) },
})

const word = (place: (row: PlainRow) => Place): Pick<Column, 'place' | 'sealed'> => ({
  place,
  sealed: (row, values) => values.sealWord(row.value, place(row)),
})

const COLUMNS: readonly Column[] = [
  { ...ofRun('input'), row: 't.input_hash', also: (values, { row }) => ({ input_hash: values.fingerprint(row) }) },
  ofRun('options'),
  ofRun('result'),
  ofRun('cancel'),
  {
    ...{
      table: 'run',
      column: 'why',
      run: 't.id',
      row: "''",
      place: ({ run }) => inRun(run, 'why'),
      isPlain: "why ->> 'message' IS NOT NULL",
    },
    sealed: ({ run, value }, values) => values.sealReason(JSON.parse(value) as RunReason, run),
  },
  {
    table: 'entry',
    column: 'input_hash',
    run: 't.run',
    row: 'coalesce(t.full_path, t.path)',
    ...word(({ run, row }) => inEntry(run, row, 'input_hash')),
  },
  ofEntry('input'),
  ofEntry('data'),
  ofApproval('request'),
  ofApproval('decision'),
  ofApproval('ballot'),
  {
    ...{ table: 'approval', column: 'assignee', run: 't.run', row: 't.id', ...word(({ run, row }) => inApproval(run, row, 'assignee')) },
    also: (values, { value }) => ({ assignee_print: values.fingerprint(value) }),
  },
  {
    ...{ table: 'event', column: 'data', run: 't.run', row: 't.type', place: ({ run, row }) => inEvent(run, row) },
    isPlain: `type <> 'status' AND data::text NOT LIKE '{"$toolwright":%'`,
  },
  {
    ...{ table: 'event', column: 'data', run: 't.run', row: 't.type', place: ({ run }) => inRun(run, 'why') },
    isPlain: "type = 'status' AND data -> 'why' ->> 'message' IS NOT NULL",
    sealed: ({ run, value }, values) => {
      const { why, ...status } = JSON.parse(value) as { readonly why: RunReason }
      return JSON.stringify({ ...status, why: JSON.parse(values.sealReason(why, run)) as JsonData })
    },
  },
]

const KEYS: Column = {
  ...{ table: 'idempotency', column: 'result', run: 't.input_hash', row: 't.key', place: ({ row }) => inIdempotency(row) },
  also: (values, { run }) => ({ input_hash: values.fingerprint(run) }),
}

const AT_A_TIME = 200

/**
 * Seals all plain values of the database, and gives their number. For a database that was written before its key was set: with a key, plain
 * values are refused. Values that change meanwhile are left as they are; a second time finds them.
 */
export async function sealPlain(store: Store, values: Values): Promise<number> {
  const { rows } = await store.pool.query<{ has: boolean }>("SELECT to_regclass('toolwright.idempotency') IS NOT NULL AS has")
  let sealed = 0
  for (const column of rows[0]?.has === true ? [...COLUMNS, KEYS] : COLUMNS) sealed += await sealColumn(store, values, column)
  await store.pool.query(`DELETE FROM toolwright.artifact WHERE data NOT LIKE '{"$toolwright":"sealed"%'`)
  return sealed
}

async function sealColumn(store: Store, values: Values, column: Column): Promise<number> {
  let sealed = 0
  for (;;) {
    const found = await store.transaction(async (client) => {
      await client.query('SET LOCAL statement_timeout = 0')
      const { rows } = await client.query<PlainRow>(plainRows(column))
      for (const row of rows) await sealOne(client, values, { column, row })
      return rows.length
    })
    sealed += found
    if (found < AT_A_TIME) return sealed
  }
}

function plainRows({ table, column, run, row, isPlain, hasArtifacts = false }: Column): string {
  const plain = isPlain ?? `t.${column}::text NOT LIKE '{"$toolwright":%'`
  const columns = `t.ctid::text AS ctid, ${run} AS run, ${row} AS row`
  const inRows = `SELECT ${columns}, t.${column}::text AS value FROM toolwright.${table} t WHERE t.${column} IS NOT NULL AND ${plain}`
  const limited = `LIMIT ${AT_A_TIME} FOR UPDATE OF t`
  if (!hasArtifacts) return `${inRows} ${limited}`
  return `SELECT * FROM (${inRows} ${limited}) AS short UNION ALL
SELECT * FROM (SELECT ${columns}, a.data AS value FROM toolwright.${table} t
  JOIN toolwright.artifact a ON a.run = ${run} AND t.${column}::text = '{"$toolwright":"artifact","of":"' || a.id || '"}'
  WHERE a.data NOT LIKE '{"$toolwright":"sealed"%' ${limited}) AS long`
}

async function sealOne(
  client: ClientBase,
  values: Values,
  { column, row }: { readonly column: Column; readonly row: PlainRow },
): Promise<void> {
  const { table, place, sealed = (each, all) => all.seal(JSON.parse(each.value) as JsonData, place(each)) } = column
  const text = sealed(row, values)
  const artifacts: { readonly id: string; readonly text: string }[] = []
  const kept = column.hasArtifacts === true ? inRow(text, (artifact) => artifacts.push(artifact)) : text
  for (const artifact of artifacts) await insertArtifact(client, row.run, artifact)
  const more = Object.entries(column.also?.(values, row) ?? {})
  const set = [`${column.column} = $2`, ...more.map(([name], index) => `${name} = $${index + 3}`)].join(', ')
  await client.query(`UPDATE toolwright.${table} SET ${set} WHERE ctid = $1::tid`, [row.ctid, kept, ...more.map(([, value]) => value)])
}
