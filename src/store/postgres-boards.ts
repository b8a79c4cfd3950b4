import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { BreakerBoard } from '../tool/ports/breaker-board.ts'
import type { LimitBoard } from '../tool/ports/limit-board.ts'
import type { Migration } from './migrate.ts'
import { breakerTables, postgresBreakers } from './postgres-breakers.ts'
import { limitTables, postgresLimits } from './postgres-limits.ts'
import type { SharedNotices } from './shared-notices.ts'

export const boardMigrations: readonly Migration[] = [breakerTables, limitTables]

interface PostgresBoards {
  readonly breakers: BreakerBoard
  readonly limits: LimitBoard
  readonly sweep: () => Promise<unknown>
}

/** The breakers and limits that the processes of an app share, in a database whose tables are there. */
export function postgresBoards(pool: Pick<Pool, 'query'>, notices: SharedNotices): PostgresBoards {
  const breakers = postgresBreakers(pool, notices, randomUUID())
  const limits = postgresLimits(pool, notices)
  return { breakers, limits, sweep: () => Promise.all([breakers.sweep(), limits.sweep()]) }
}
