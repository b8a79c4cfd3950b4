import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { isRecord } from '../schema/json-schema.ts'
import { storeError } from './store-error.ts'

const MOST_ATTEMPTS = 5
const PAUSE_MS = 10
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

/** Runs `work` in one transaction, again when the database asks for it. */
export async function transaction<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await begin(pool)
    let broken = false
    try {
      const result = await work(client)
      await commit(client)
      return result
    } catch (error) {
      // A connection that gave no answer would give none to this either.
      broken =
        isSilence(error) ||
        !(await client.query('ROLLBACK').then(
          () => true,
          () => false,
        ))
      if (attempt >= MOST_ATTEMPTS || !asksForRepeat(error)) throw error
    } finally {
      client.release(broken)
    }
    await pause(PAUSE_MS * attempt)
  }
}

/** Answered at once, or not at all. */
const BEGIN = { text: 'BEGIN', query_timeout: 5000 }

/** A connection that died unnoticed is found out here, where nothing has been done yet. */
async function begin(pool: pg.Pool): Promise<pg.PoolClient> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    try {
      await client.query(BEGIN)
      return client
    } catch (error) {
      client.release(true)
      if (attempt >= MOST_ATTEMPTS || storeError(error).code !== 'store_unavailable') throw error
    }
  }
}

/** The database answers the commit of a transaction in which a statement failed with a rollback, and calls that no error. */
async function commit(client: pg.ClientBase): Promise<void> {
  const { command } = await client.query('COMMIT')
  if (command === 'COMMIT') return
  throw new Error(
    'The transaction was rolled back: a statement in it failed, and its error was caught. Let the error reach the transaction.',
  )
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

function asksForRepeat(error: unknown): boolean {
  for (let cause = error, hops = 0; isRecord(cause) && hops < 3; cause = cause['cause'], hops++) {
    if (cause['code'] === SERIALIZATION_FAILURE || cause['code'] === DEADLOCK) return true
  }
  return false
}
