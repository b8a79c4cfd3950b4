import type pg from 'pg'
import { CONNECTION_BOUNDS } from './connection-bounds.ts'
import { loadPg } from './load-pg.ts'

const JSON_OID = 114
const INT8_OID = 20

/** A pool whose lost connections never end the process: the next query says what is wrong. Nothing in it takes for ever. */
export function createPool(config: pg.PoolConfig): pg.Pool {
  const { Pool, types } = loadPg()
  const pool = new Pool({
    ...CONNECTION_BOUNDS,
    allowExitOnIdle: true,
    application_name: 'toolwright',
    ...config,
    types: { getTypeParser },
  })
  // Kept out of what is printed of the pool.
  if (config.connectionString !== undefined) Object.defineProperty(pool.options, 'connectionString', { enumerable: false })
  pool.on('error', () => {})
  // One that is checked out, and waits between two statements, has no other listener.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool

  function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    if (oid === JSON_OID) return String
    if (oid === INT8_OID) return Number
    return types.getTypeParser(oid, format as 'text')
  }
}
