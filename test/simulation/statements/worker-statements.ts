import type { RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import type { Statement } from './statement.ts'

const FORGOTTEN_AFTER_MS = 60_000
const HEARD_OF_WITHIN_MS = 45_000

/** Workers: announced, gone, and the search for runs that nothing would take up. */
export const workerStatements: readonly Statement[] = [
  {
    name: 'announce',
    text: `INSERT INTO toolwright.worker (id, host, pid, tools) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET seen_at = now(), tools = excluded.tools`,
    run: (on, [id, , , tools]) => {
      on.put('worker', id as string, { id: id as string, tools: tools as readonly string[], seen_at: on.now })
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
    name: 'others know',
    isTimed: true,
    text: "SELECT 1 FROM toolwright.worker WHERE id <> $1 AND $2 = ANY(tools) AND seen_at > now() - interval '45 seconds' LIMIT 1",
    run: (on, [id, tool]) =>
      livingWorkers(on, tool as string)
        .filter((worker) => worker.id !== id)
        .slice(0, 1),
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
      SELECT id FROM toolwright.run
      WHERE ended_at IS NULL AND NOT held_back AND (
        (status IN ('queued', 'running') AND coalesce(started_at, created_at) < now() - interval '60 seconds')
        OR (status = 'waiting' AND wake_at < now() - interval '60 seconds'))
      EXCEPT
      SELECT data ->> 'run' FROM toolwright_queue.job WHERE name = 'segment' AND state < 'completed'
    ), known AS (
      SELECT r.id FROM toolwright.run r
      JOIN toolwright.worker w ON r.tool = ANY(w.tools) AND w.seen_at > now() - interval '45 seconds'
      WHERE r.ended_at IS NULL AND r.status = 'blocked' AND r.why ->> 'code' = 'unknown_tool'
    )
    SELECT id FROM lost UNION SELECT id FROM known LIMIT 100`,
    run: forgotten,
  },
]

function livingWorkers(on: Transaction, tool: string): readonly { readonly id: string }[] {
  return on.all('worker').filter(({ tools, seen_at: seen }) => tools.includes(tool) && seen > on.now - HEARD_OF_WITHIN_MS)
}

/** It finds none that are lost unless somebody tampered with the queue: each one is an alarm. */
function forgotten(on: Transaction): readonly object[] {
  const withJob = new Set(on.all('job').map(({ run }) => run))
  const lost = on.all('run').filter((run) => isOverdue(run, on.now) && !withJob.has(run.id))
  for (const { status } of lost) on.database.alarms.add(`the search for lost runs found one that was ${status}`)
  const known = on
    .all('run')
    .filter(({ status, why, tool }) => status === 'blocked' && codeOf(why) === 'unknown_tool' && livingWorkers(on, tool).length > 0)
  return [...lost, ...known].slice(0, 100).map(({ id }) => ({ id }))
}

function isOverdue({ status, held_back, ended_at, started_at, created_at, wake_at }: RunRow, now: number): boolean {
  if (ended_at !== null || held_back) return false
  const edge = now - FORGOTTEN_AFTER_MS
  if (status === 'queued' || status === 'running') return (started_at ?? created_at) < edge
  return status === 'waiting' && wake_at !== null && wake_at < edge
}

function codeOf(why: string | null): string | undefined {
  return why === null ? undefined : (JSON.parse(why) as { readonly code?: string }).code
}
