import type { RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { onRun, type Parameters, type Statement } from './statement.ts'

/** Limits of tools: runs that are counted, held back and let go. */
export const limitStatements: readonly Statement[] = [
  {
    name: 'lock limit',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    locks: ([name]) => ({ mode: 'exclusive', rows: [`advisory ${String(name)}`] }),
    run: () => 1,
  },
  {
    name: 'count running',
    text: "SELECT count(*)::int AS count FROM toolwright.run WHERE status = 'running' AND tool = $1 AND ended_at IS NULL",
    run: (on, [tool]) => [{ count: runsOf(on, tool).filter((run) => run.status === 'running' && run.ended_at === null).length }],
  },
  {
    name: 'count started',
    isTimed: true,
    text: `SELECT count(*)::int AS count, min(started_at) AS oldest FROM toolwright.run
     WHERE tool = $1 AND started_at > now() - $2::float8 * interval '1 ms'`,
    run: (on, [tool, window]) => {
      const started = runsOf(on, tool).flatMap(({ started_at: at }) => (at === null || at <= on.now - (window as number) ? [] : at))
      return [{ count: started.length, oldest: started.length === 0 ? null : new Date(Math.min(...started)) }]
    },
  },
  {
    name: 'hold back',
    text: "UPDATE toolwright.run SET status = 'queued', held_back = true WHERE id = $1 AND status IN ('queued', 'waiting', 'running')",
    locks: onRun,
    run: (on, [id]) => {
      const run = on.get('run', id as string)
      if (run === undefined || !['queued', 'waiting', 'running'].includes(run.status)) return 0
      on.set('run', run.id, { status: 'queued', held_back: true })
      return 1
    },
  },
  {
    name: 'find held back',
    text: 'SELECT id FROM toolwright.run WHERE held_back AND tool = $1 AND ended_at IS NULL ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED',
    locks: (given, on) => ({ mode: 'exclusive', rows: heldBack(on, given).map(({ id }) => `run ${id}`), skipsLocked: true }),
    run: (on, given, locked) => heldBack(on, given).filter(({ id }) => locked.includes(`run ${id}`)),
  },
]

function runsOf(on: Transaction, tool: unknown): RunRow[] {
  return on.all('run').filter((run) => run.tool === tool)
}

/** Rows that others hold do not count against the limit of the statement. */
function heldBack(on: Transaction, [tool, most]: Parameters): readonly RunRow[] {
  return runsOf(on, tool)
    .filter((run) => run.held_back && run.ended_at === null && on.database.locks.isFree(`run ${run.id}`, on, 'exclusive'))
    .toSorted((one, other) => one.created_at - other.created_at)
    .slice(0, most as number)
}
