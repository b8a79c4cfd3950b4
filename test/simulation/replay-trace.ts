import type { PoolClient } from 'pg'
import type { Store } from '../../src/store/store.ts'
import { columnsOf, comparableRows } from './comparable-rows.ts'
import type { TraceEvent } from './record-trace.ts'
import { ReplayedJobs } from './replayed-jobs.ts'
import { findStatement } from './statements/find-statement.ts'

export interface Replayed {
  readonly differences: readonly string[]
  /** How many answers were compared. */
  readonly count: number
}

type Asked = Extract<TraceEvent, { readonly text: string }>

/** Errors of a lock that was not to be had: the order of the trace has no such waits. */
const OF_LOCKS = new Set(['40P01', '55P03', '25P02'])

/** Says on PostgreSQL what a world said to the memory, in the same order, and compares the answers. */
export async function replayTrace(store: Store, events: readonly TraceEvent[]): Promise<Replayed> {
  const differences: string[] = []
  const open = new Map<number, PoolClient>()
  const jobs = new ReplayedJobs()
  let count = 0
  try {
    for (const event of events) {
      if ('end' in event) await end(open, event)
      else if (OF_LOCKS.has(event.error ?? '')) continue
      else if (findStatement(event.text).name === 'fetch jobs') {
        await jobs.fetched(await clientOf(store, open, event.transaction), event.rows ?? [])
      } else if (findStatement(event.text).isTimed !== true) {
        count++
        const client = await clientOf(store, open, event.transaction)
        const difference = await compare(client, { ...event, given: await jobs.translated(client, event.given) })
        if (difference !== undefined) differences.push(difference)
        if (findStatement(event.text).name === 'start and take') jobs.taken(event.given[0], event.rows ?? [])
      }
    }
    return { differences, count }
  } finally {
    for (const client of open.values()) client.release(true)
  }
}

async function end(open: Map<number, PoolClient>, { transaction, end: how }: Extract<TraceEvent, { readonly end: string }>): Promise<void> {
  const client = open.get(transaction)
  if (client === undefined) return
  open.delete(transaction)
  await client.query(how)
  client.release()
}

async function clientOf(store: Store, open: Map<number, PoolClient>, transaction: number): Promise<PoolClient> {
  const known = open.get(transaction)
  if (known !== undefined) return known
  const client = await store.pool.connect()
  open.set(transaction, client)
  await client.query('BEGIN')
  await client.query("SET LOCAL lock_timeout = '1500ms'")
  return client
}

async function compare(client: PoolClient, { text, given, at, ...memory }: Asked): Promise<string | undefined> {
  const statement = findStatement(text)
  const { name } = statement
  // What lay ahead in the world lies ahead as far now.
  const said = given.map((value) => (isDate(value) ? new Date(Date.now() + value.date - at) : value))
  const answer = await client.query(text, said).then(
    ({ rows, rowCount }) => ({ rows: rows as object[], rowCount: rowCount ?? 0, error: undefined }),
    (error: { code?: string; message: string }) => ({ rows: [], rowCount: 0, error: String(error.code) }),
  )
  if (answer.error !== memory.error) return `${name}: error ${memory.error ?? 'none'} in memory, ${answer.error ?? 'none'} in PostgreSQL`
  if (answer.error !== undefined) return undefined
  if (answer.rowCount !== memory.rowCount) return `${name}: ${memory.rowCount} rows in memory, ${answer.rowCount} in PostgreSQL`
  const columns = columnsOf(answer.rows)
  if (columns.length === 0) return undefined
  const [inMemory, inPostgres] = [memory.rows ?? [], answer.rows].map((rows) => JSON.stringify(comparableRows(rows, columns, statement)))
  return inMemory === inPostgres ? undefined : `${name}: other rows in memory: ${inMemory} and ${inPostgres}`
}

function isDate(value: unknown): value is { readonly date: number } {
  return typeof value === 'object' && value !== null && 'date' in value
}
