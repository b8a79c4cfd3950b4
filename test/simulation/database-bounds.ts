import { createPool } from '../../src/store/pooled-store.ts'

/** How long the database, and who talks to it, waits before it gives up; Infinity where nothing bounds it. In milliseconds. */
export interface DatabaseBounds {
  /** For a lock. */
  readonly lockMs: number
  /** For one statement. */
  readonly statementMs: number
  /** Between two statements of a transaction. */
  readonly idleMs: number
  /** For the answer to a statement, in the process that sent it. */
  readonly answerMs: number
  /** Most connections of a process. */
  readonly connections: number
}

/** The bounds that the store sets on its own pool: the memory has the same. */
export async function databaseBounds(): Promise<DatabaseBounds> {
  const pool = await createPool({})
  const settings = pool.options as unknown as Readonly<Record<string, unknown>>
  const bound = (name: string): number => {
    const direct = Number(settings[name] ?? 0)
    const said = new RegExp(`${name}=(\\d+)(ms|s)?`).exec(String(settings['options'] ?? ''))
    const given = said === null ? direct : Number(said[1]) * (said[2] === 's' ? 1000 : 1)
    return given > 0 ? given : Infinity
  }
  return {
    lockMs: bound('lock_timeout'),
    statementMs: bound('statement_timeout'),
    idleMs: bound('idle_in_transaction_session_timeout'),
    answerMs: bound('query_timeout'),
    connections: Number(settings['max'] ?? 10),
  }
}
