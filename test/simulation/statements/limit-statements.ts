import type { RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { AS_QUEUED, queueing, queueRuns } from './queueing.ts'
import type { LockRequest, Parameters, Statement } from './statement.ts'

const BEYOND = `WHERE id IN (
  SELECT r.id FROM unnest($1::text[], $2::int[]) AS j (run, ticket)
  JOIN toolwright.run r ON r.id = j.run AND r.ticket = j.ticket AND r.status IN ('queued', 'running', 'waiting') FOR UPDATE OF r SKIP LOCKED
)`

/** Limits of tools: runs that are counted, held back and let go. */
export const limitStatements: readonly Statement[] = [
  {
    name: 'lock limit',
    text: `SELECT pg_try_advisory_xact_lock(hashtextextended('toolwright.limit ' || $1, 0)) AS is_alone`,
    locks: ([tool]) => ({ mode: 'exclusive', rows: [`advisory limit ${String(tool)}`], skipsLocked: true }),
    run: (_on, _given, locked) => [{ is_alone: locked.length > 0 }],
  },
  {
    name: 'find cancelled',
    text: 'SELECT id FROM toolwright.run WHERE id = ANY($1::text[]) AND cancel IS NOT NULL',
    run: (on, [ids]) => on.all('run').filter(({ id, cancel }) => cancel !== null && (ids as readonly string[]).includes(id)),
  },
  {
    name: 'count under way',
    isTimed: true,
    text: `SELECT count(*)::int AS count FROM toolwright.run r
    JOIN toolwright_queue.job j ON j.name = 'segment' AND j.id = r.job AND j.state = 'active' AND j.heartbeat_on > now() - $3::float8 * interval '1 ms'
    WHERE r.status = 'running' AND r.tool = $1 AND r.ended_at IS NULL AND NOT r.id = ANY($2::text[])`,
    run: (on, [tool, ids, leaseMs]) => {
      const own = runsOf(on, tool).filter(({ id, status }) => status === 'running' && !(ids as readonly string[]).includes(id))
      return [{ count: own.filter((run) => isHeld(on, run, leaseMs as number)).length }]
    },
  },
  {
    name: 'count started',
    isTimed: true,
    text: `SELECT count(*)::int AS count, min(started_at) AS oldest FROM toolwright.run
     WHERE tool = $1 AND started_at > now() - $2::float8 * interval '1 ms' AND NOT id = ANY($3::text[])`,
    run: (on, [tool, window, ids]) => {
      const others = runsOf(on, tool).filter(({ id }) => !(ids as readonly string[]).includes(id))
      const started = others.flatMap(({ started_at: at }) => (at === null || at <= on.now - (window as number) ? [] : at))
      return [{ count: started.length, oldest: started.length === 0 ? null : new Date(Math.min(...started)) }]
    },
  },
  {
    name: 'hold back',
    text: `UPDATE toolwright.run SET status = 'queued', held_back = true, worker = NULL, job = NULL, wake_at = NULL ${BEYOND} RETURNING id`,
    locks: onBeyond,
    run: (on, given, locked) =>
      beyond(on, given, locked).map(({ id }) => {
        on.set('run', id, { status: 'queued', held_back: true, worker: null, job: null, wake_at: null })
        return { id }
      }),
  },
  {
    name: 'postpone',
    text: queueing(`UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = $3 ${BEYOND}`),
    locks: onBeyond,
    run: (on, given, locked) => queueRuns(on, beyond(on, given, locked), () => ({ wake_at: (given[2] as Date).getTime() })),
  },
  {
    name: 'release',
    text: queueing(`UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL
      WHERE id = (
        SELECT id FROM toolwright.run WHERE held_back AND tool = $1 AND ended_at IS NULL ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
      )`),
    locks: (given, on) => ({ mode: 'exclusive', rows: firstHeldBack(on, given).map(({ id }) => `run ${id}`) }),
    run: (on, given) => queueRuns(on, firstHeldBack(on, given), () => ({ wake_at: null })),
  },
  {
    name: 'find stranded',
    text: `SELECT DISTINCT tool FROM toolwright.run h
    WHERE held_back AND NOT EXISTS (
      SELECT FROM toolwright.run o WHERE o.tool = h.tool AND o.ended_at IS NULL AND o.status IN ('running', 'queued') AND NOT o.held_back AND o.wake_at IS NULL
    )`,
    run: (on) => {
      const runs = on.all('run')
      const tools = new Set(runs.filter(({ held_back }) => held_back).map(({ tool }) => tool))
      return [...tools].filter((tool) => !runs.some((run) => run.tool === tool && isGoing(run))).map((tool) => ({ tool }))
    },
  },
  {
    name: 'count going',
    text: `SELECT count(*)::int AS count FROM toolwright.run
    WHERE tool = $1 AND ended_at IS NULL AND NOT held_back AND (status = 'running' OR (status = 'queued' AND wake_at IS NULL))`,
    run: (on, [tool]) => [{ count: runsOf(on, tool).filter(isGoing).length }],
  },
]

function runsOf(on: Transaction, tool: unknown): RunRow[] {
  return on.all('run').filter((run) => run.tool === tool)
}

function isHeld(on: Transaction, { job: id }: RunRow, leaseMs: number): boolean {
  const job = id === null ? undefined : on.get('job', id)
  return job?.state === 'active' && job.heartbeat !== null && job.heartbeat > on.now - leaseMs
}

/** What runs has no time to wake at. */
function isGoing({ ended_at, held_back, status, wake_at }: RunRow): boolean {
  return ended_at === null && !held_back && (status === 'running' || status === 'queued') && wake_at === null
}

function beyond(on: Transaction, [ids, tickets]: Parameters, locked?: readonly string[]): readonly RunRow[] {
  return (ids as readonly string[]).flatMap((id, index) => {
    const run = on.get('run', id)
    if (run === undefined || run.ticket !== (tickets as readonly number[])[index]) return []
    return ['queued', 'waiting', 'running'].includes(run.status) && locked?.includes(`run ${id}`) !== false ? [run] : []
  })
}

function onBeyond(given: Parameters, on: Transaction): LockRequest {
  return { mode: 'exclusive', rows: beyond(on, given).map(({ id }) => `run ${id}`), skipsLocked: true }
}

/** Rows that others hold are passed over. */
function firstHeldBack(on: Transaction, [tool]: Parameters): readonly RunRow[] {
  return runsOf(on, tool)
    .filter((run) => run.held_back && run.ended_at === null && on.database.locks.isFree(`run ${run.id}`, on, 'exclusive'))
    .toSorted((one, other) => one.created_at - other.created_at)
    .slice(0, 1)
}
