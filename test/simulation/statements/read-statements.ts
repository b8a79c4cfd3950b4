import type { RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import type { Parameters, Statement } from './statement.ts'

const RUN_COLUMNS = 'id, key, tool, version, status, why, worker, wake_at, result, created_at, started_at, ended_at'
const MOST_PRUNED = 500

/** Runs as people look at them, and their removal. */
export const readStatements: readonly Statement[] = [
  {
    name: 'read run',
    text: `SELECT ${RUN_COLUMNS} FROM toolwright.run WHERE id = $1`,
    run: (on, [id]) => {
      const run = on.get('run', id as string)
      return run === undefined ? [] : [shown(run)]
    },
  },
  {
    name: 'run exists',
    text: 'SELECT 1 FROM toolwright.run WHERE id = $1',
    run: (on, [id]) => (on.get('run', id as string) === undefined ? 0 : 1),
  },
  {
    name: 'run is known',
    text: 'SELECT FROM toolwright.run WHERE id = $1',
    run: (on, [id]) => (on.get('run', id as string) === undefined ? [] : [{}]),
  },
  {
    name: 'read status',
    text: 'SELECT status FROM toolwright.run WHERE id = $1',
    run: (on, [id]) => on.all('run').filter((run) => run.id === id),
  },
  {
    name: 'prune',
    text: `WITH doomed AS MATERIALIZED (
      SELECT id FROM toolwright.run
      WHERE ended_at IS NOT NULL AND status = ANY($1::text[])
        AND (ended_at < now() - $2::float8 * interval '1 ms' OR (ended_at, id) < ($3::timestamptz, $4::text))
      ORDER BY ended_at LIMIT ${MOST_PRUNED} FOR UPDATE SKIP LOCKED
    ), entries AS (DELETE FROM toolwright.entry WHERE run IN (SELECT id FROM doomed)
    ), approvals AS (DELETE FROM toolwright.approval WHERE run IN (SELECT id FROM doomed)
    ), events AS (DELETE FROM toolwright.event WHERE run IN (SELECT id FROM doomed)
    ), artifacts AS (DELETE FROM toolwright.artifact WHERE run IN (SELECT id FROM doomed)
    )
    DELETE FROM toolwright.run WHERE id IN (SELECT id FROM doomed)`,
    locks: (given, on) => ({ mode: 'exclusive', rows: doomed(on, given).map(({ id }) => `run ${id}`), skipsLocked: true }),
    run: (on, given, locked) => prune(on, new Set(doomed(on, given).flatMap(({ id }) => (locked.includes(`run ${id}`) ? id : [])))),
  },
  {
    name: 'prune requests',
    isTimed: true,
    text: "DELETE FROM toolwright.approval WHERE run IS NULL AND status <> 'open' AND closed_at < now() - $1::float8 * interval '1 ms'",
    run: () => 0,
  },
]

function shown(run: RunRow): object {
  const { wake_at, created_at, started_at, ended_at } = run
  return { ...run, wake_at: dateOf(wake_at), created_at: new Date(created_at), started_at: dateOf(started_at), ended_at: dateOf(ended_at) }
}

function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time)
}

/** Of a number of runs to keep, the memory knows only none: everything lies before the end of time. */
function doomed(on: Transaction, [statuses, olderMs, edge]: Parameters): readonly RunRow[] {
  const isOld = ({ ended_at: ended }: RunRow): boolean =>
    ended !== null && (edge === 'infinity' || (olderMs !== null && ended < on.now - (olderMs as number)))
  return on
    .all('run')
    .filter((run) => (statuses as readonly string[]).includes(run.status) && isOld(run))
    .toSorted((one, other) => (one.ended_at ?? 0) - (other.ended_at ?? 0))
    .slice(0, MOST_PRUNED)
}

function prune(on: Transaction, ids: ReadonlySet<string>): number {
  for (const entry of on.all('entry')) if (ids.has(entry.run)) on.put('entry', `${entry.run}\n${entry.path}`, null)
  for (const approval of on.all('approval')) if (approval.run !== null && ids.has(approval.run)) on.put('approval', approval.id, null)
  for (const event of on.all('event')) if (ids.has(event.run)) on.put('event', `${event.run}\n${event.no}`, null)
  for (const artifact of on.all('artifact')) if (ids.has(artifact.run)) on.put('artifact', `${artifact.run}\n${artifact.id}`, null)
  for (const id of ids) on.put('run', id, null)
  return ids.size
}
