import type { RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { livingWorkers } from './living-workers.ts'
import { AS_QUEUED, queueing, queueRuns } from './queueing.ts'
import { onRun, type Parameters, type Statement } from './statement.ts'

const FORGOTTEN_AFTER_MS = 60_000
const A_DAY_MS = 86_400_000

/** Workers: announced, gone, and the search for runs that nothing would take up. */
export const workerStatements: readonly Statement[] = [
  {
    name: 'announce',
    text: `WITH gone AS (DELETE FROM toolwright.worker WHERE seen_at < now() - interval '1 day' AND id <> $1)
    INSERT INTO toolwright.worker (id, host, pid, tools, limited) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO UPDATE SET seen_at = now(), tools = excluded.tools, limited = excluded.limited`,
    run: (on, given) => {
      const [id, , , tools, limited] = given as [string, string, number, readonly string[], readonly string[]]
      for (const { id: other, seen_at: seen } of on.all('worker'))
        if (other !== id && seen < on.now - A_DAY_MS) on.put('worker', other, null)
      on.put('worker', id, { id, tools, limited, seen_at: on.now })
      return 1
    },
  },
  {
    name: 'leave',
    text: 'DELETE FROM toolwright.worker WHERE id = $1',
    run: (on, [id]) => {
      if (on.get('worker', id as string) === undefined) return 0
      on.put('worker', id as string, null)
      return 1
    },
  },
  {
    name: 'others may go on',
    isTimed: true,
    text: `SELECT FROM toolwright.worker w JOIN toolwright.run r ON r.id = $2 AND r.tool = ANY(w.tools)
    WHERE w.id <> $1 AND NOT w.id = ANY(r.unable) AND w.seen_at > now() - interval '15 seconds' LIMIT 1`,
    run: (on, [worker, id]) => {
      const run = on.get('run', id as string)
      const others = run === undefined ? [] : livingWorkers(on, run.tool).filter((each) => each.id !== worker)
      return others.some((each) => run?.unable.includes(each.id) === false) ? [{}] : []
    },
  },
  {
    name: 'look',
    text: 'SELECT id, epoch, cancel FROM toolwright.run WHERE id = ANY($1::text[])',
    run: (on, [ids]) => (ids as readonly string[]).flatMap((id) => on.get('run', id) ?? []),
  },
  {
    name: 'find forgotten',
    isTimed: true,
    text: `WITH lost AS (
      SELECT id, ticket FROM toolwright.run
      WHERE ended_at IS NULL AND NOT held_back AND (
        (status IN ('queued', 'running') AND coalesce(started_at, created_at) < now() - interval '60 seconds')
        OR (status = 'waiting' AND wake_at < now() - interval '60 seconds'))
      AND (job IS NULL OR job NOT IN (SELECT id FROM toolwright_queue.job WHERE name = 'segment' AND state < 'completed'))
    ), known AS (
      SELECT r.id, r.ticket FROM toolwright.run r
      WHERE r.ended_at IS NULL AND r.status = 'blocked' AND r.why ->> 'code' = ANY($1::text[]) AND EXISTS (
        SELECT FROM toolwright.worker w WHERE r.tool = ANY(w.tools) AND w.seen_at > now() - interval '15 seconds' AND NOT w.id = ANY(r.unable)
      )
    )
    SELECT id, ticket FROM lost UNION SELECT id, ticket FROM known LIMIT 100`,
    run: forgotten,
  },
  {
    name: 'take up again',
    text: queueing(`UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL WHERE id = $1 AND ticket = $2 AND ended_at IS NULL`),
    locks: onRun,
    run: (on, [id, ticket]) => {
      const run = on.get('run', id as string)
      return queueRuns(on, run?.ticket === ticket && run?.ended_at === null ? [run] : [], () => ({ wake_at: null }))
    },
  },
]

/** It finds none that are lost unless somebody tampered with the queue: each one is an alarm. */
function forgotten(on: Transaction, [codes]: Parameters): readonly object[] {
  const lost = on.all('run').filter((run) => isOverdue(run, on.now) && (run.job === null || on.get('job', run.job) === undefined))
  for (const { status } of lost) on.database.alarms.add(`the search for lost runs found one that was ${status}`)
  const known = on.all('run').filter((run) => {
    if (run.status !== 'blocked' || run.why === null || !(codes as readonly string[]).includes(codeOf(run.why))) return false
    return livingWorkers(on, run.tool).some(({ id }) => !run.unable.includes(id))
  })
  return [...lost, ...known].slice(0, 100).map(({ id, ticket }) => ({ id, ticket }))
}

function isOverdue({ status, held_back, ended_at, started_at, created_at, wake_at }: RunRow, now: number): boolean {
  if (ended_at !== null || held_back) return false
  const edge = now - FORGOTTEN_AFTER_MS
  if (status === 'queued' || status === 'running') return (started_at ?? created_at) < edge
  return status === 'waiting' && wake_at !== null && wake_at < edge
}

function codeOf(why: string): string {
  return (JSON.parse(why) as { readonly code: string }).code
}
