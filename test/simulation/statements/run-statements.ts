import type { RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { checkJsonText } from './check-text.ts'
import { onRun, type Parameters, type Statement } from './statement.ts'

const OPEN_STATUSES = new Set(['queued', 'running', 'waiting'])

/** The life of a run: started, claimed, put away, queued, cancelled, ended. */
export const runStatements: readonly Statement[] = [
  {
    name: 'start',
    text: `WITH new AS (
      INSERT INTO toolwright.run (id, key, tool, version, plan, input, input_hash, options, time_left_ms, status)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued') ON CONFLICT (key) DO NOTHING RETURNING id
    )
    INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', '{"status":"queued"}' FROM new`,
    // Who inserts the same key waits for whoever did so first.
    locks: ([, key]) => ({ mode: 'exclusive', rows: typeof key === 'string' ? [`run key ${key}`] : [] }),
    run: insertRun,
  },
  {
    name: 'find by key',
    text: 'SELECT id, tool, input_hash FROM toolwright.run WHERE key = $1',
    run: (on, [key]) => on.all('run').filter((run) => run.key === key),
  },
  {
    name: 'claim',
    text: `WITH claimed AS (
      UPDATE toolwright.run r SET
        epoch = r.epoch + 1, worker = $3, status = 'running', why = NULL, wake_at = NULL, held_back = false,
        started_at = coalesce(r.started_at, now()), fruitless = r.fruitless + 1,
        time_left_ms = CASE WHEN r.clock_runs_since IS NULL THEN r.time_left_ms
          ELSE greatest(0, r.time_left_ms - 1000 * extract(epoch FROM now() - r.clock_runs_since)) END,
        clock_runs_since = CASE WHEN r.time_left_ms IS NOT NULL THEN now() END
      FROM unnest($1::text[], $2::int[]) AS j (run, ticket)
      WHERE r.id = j.run AND r.ticket = j.ticket AND r.status IN ('queued', 'running', 'waiting')
      RETURNING r.id, r.epoch, r.ticket, r.tool, r.version, r.plan, r.input, r.options, r.cancel, r.time_left_ms, r.fruitless, r.entries_seen
    ), told AS (
      INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_build_object('status', 'running', 'worker', $3::text) FROM claimed
    )
    SELECT *, 1000 * extract(epoch FROM clock_timestamp())::float8 AS clock_base FROM claimed`,
    locks: (given, on) => ({ mode: 'exclusive', rows: claimable(on, given).map(({ id }) => `run ${id}`) }),
    run: claim,
  },
  {
    name: 'lock run',
    text: 'SELECT id, tool, status, epoch, ticket FROM toolwright.run WHERE id = $1 FOR UPDATE',
    locks: onRun,
    run: (on, [id]) => rowOf(on, id),
  },
  {
    name: 'queue',
    text: "UPDATE toolwright.run SET status = 'queued', ticket = $2, why = NULL, wake_at = NULL, worker = NULL, held_back = false, ended_at = NULL WHERE id = $1",
    locks: onRun,
    run: (on, [id, ticket]) =>
      change(on, id, {
        status: 'queued',
        ticket: ticket as number,
        why: null,
        wake_at: null,
        worker: null,
        held_back: false,
        ended_at: null,
      }),
  },
  {
    name: 'lock to park',
    text: "SELECT cancel, ticket, clock_runs_since + time_left_ms * interval '1 ms' AS deadline FROM toolwright.run WHERE id = $1 AND epoch = $2 AND status = 'running' FOR UPDATE",
    locks: onRun,
    run: (on, [id, epoch]) => {
      const run = on.get('run', id as string)
      if (run?.epoch !== epoch || run?.status !== 'running') return []
      const { cancel, ticket, clock_runs_since: since, time_left_ms: left } = run
      return [{ cancel, ticket, deadline: since === null || left === null ? null : new Date(since + left) }]
    },
  },
  {
    name: 'park',
    text: `UPDATE toolwright.run SET status = 'waiting', worker = NULL, why = $2, wake_at = $3, ticket = $4, fruitless = 0,
      time_left_ms = CASE WHEN $5 AND clock_runs_since IS NOT NULL
        THEN greatest(0, time_left_ms - 1000 * extract(epoch FROM now() - clock_runs_since)) ELSE time_left_ms END,
      clock_runs_since = CASE WHEN $5 THEN NULL ELSE clock_runs_since END
    WHERE id = $1`,
    locks: onRun,
    run: (on, [id, why, wakeAt, ticket, standsStill]) => {
      const run = on.get('run', id as string)
      if (run === undefined) return 0
      return change(on, id, {
        ...{ status: 'waiting', worker: null, why: why as string, ticket: ticket as number, fruitless: 0 },
        wake_at: wakeAt instanceof Date ? wakeAt.getTime() : null,
        time_left_ms: standsStill === true ? timeLeft(run, on.now) : run.time_left_ms,
        clock_runs_since: standsStill === true ? null : run.clock_runs_since,
      })
    },
  },
  {
    name: 'end',
    text: `WITH mine AS (
      UPDATE toolwright.run SET status = $3, result = $4, why = $5, worker = NULL, clock_runs_since = NULL, wake_at = NULL,
        ended_at = CASE WHEN $3 <> 'blocked' THEN now() END
      WHERE id = $1 AND epoch = $2 RETURNING id
    ), withdrawn AS (
      UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now()
      WHERE run = (SELECT id FROM mine) AND status = 'open' AND $3 <> 'blocked' RETURNING id
    ), told AS (
      INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_strip_nulls(json_build_object('status', $3::text, 'why', $5::json)) FROM mine
    )
    SELECT pg_notify('toolwright', 'ended ' || id) FROM mine
    UNION ALL SELECT pg_notify('toolwright', 'withdrawn ' || id) FROM withdrawn`,
    locks: onRun,
    run: end,
  },
  {
    name: 'cancel',
    text: 'UPDATE toolwright.run SET cancel = coalesce(cancel, $2) WHERE id = $1',
    locks: onRun,
    run: (on, [id, cancel]) => change(on, id, { cancel: on.get('run', id as string)?.cancel ?? (cancel as string) }),
  },
  {
    name: 'forget deaths',
    text: 'UPDATE toolwright.run SET fruitless = 0 WHERE id = $1',
    locks: onRun,
    run: (on, [id]) => change(on, id, { fruitless: 0 }),
  },
  {
    name: 'take back',
    text: "UPDATE toolwright.run SET epoch = epoch + 1, fruitless = 0 WHERE id = $1 AND worker = $2 AND status = 'running'",
    locks: onRun,
    run: (on, [id, worker]) => {
      const run = on.get('run', id as string)
      return run?.worker === worker && run?.status === 'running' ? change(on, id, { epoch: run.epoch + 1, fruitless: 0 }) : 0
    },
  },
  {
    name: 'take plan',
    text: 'UPDATE toolwright.run SET plan = $3 WHERE id = $1 AND epoch = $2',
    locks: onRun,
    run: (on, [id, epoch, plan]) => (on.get('run', id as string)?.epoch === epoch ? change(on, id, { plan: plan as string }) : 0),
  },
  {
    name: 'note progress',
    text: 'UPDATE toolwright.run SET fruitless = 1, entries_seen = $3 WHERE id = $1 AND epoch = $2',
    locks: onRun,
    run: (on, [id, epoch, seen]) =>
      on.get('run', id as string)?.epoch === epoch ? change(on, id, { fruitless: 1, entries_seen: seen as number }) : 0,
  },
  {
    name: 'clear result',
    text: 'UPDATE toolwright.run SET result = NULL, cancel = NULL WHERE id = $1',
    locks: onRun,
    run: (on, [id]) => change(on, id, { result: null, cancel: null }),
  },
]

function rowOf(on: Transaction, id: unknown): readonly RunRow[] {
  const run = on.get('run', id as string)
  return run === undefined ? [] : [run]
}

function change(on: Transaction, id: unknown, columns: Partial<RunRow>): number {
  if (on.get('run', id as string) === undefined) return 0
  on.set('run', id as string, columns)
  return 1
}

function timeLeft({ clock_runs_since: since, time_left_ms: left }: RunRow, now: number): number | null {
  return since === null || left === null ? left : Math.max(0, left - (now - since))
}

function insertRun(on: Transaction, given: Parameters): number {
  const [id, key, tool, version, plan, input, inputHash, options, timeLeftMs] = given as [string, string | null, ...string[]]
  if (key !== null && on.all('run').some((run) => run.key === key)) return 0
  on.put('run', id, {
    ...{ id, key, tool: tool as string, version: version as string, plan: plan as string, input: input as string },
    ...{ input_hash: inputHash as string, options: options as string, time_left_ms: (timeLeftMs ?? null) as number | null },
    ...{ status: 'queued', why: null, epoch: 0, ticket: 0, worker: null, fruitless: 0, entries_seen: 0, held_back: false },
    ...{ wake_at: null, clock_runs_since: null, cancel: null, result: null, created_at: on.now, started_at: null, ended_at: null },
  })
  on.tell(id, 'status', '{"status":"queued"}')
  return 1
}

function claimable(on: Transaction, [ids, tickets]: Parameters): readonly RunRow[] {
  const found = new Map<string, RunRow>()
  for (const [index, id] of (ids as readonly string[]).entries()) {
    const run = on.get('run', id)
    if (run !== undefined && run.ticket === (tickets as readonly number[])[index] && OPEN_STATUSES.has(run.status)) found.set(id, run)
  }
  return [...found.values()]
}

function claim(on: Transaction, given: Parameters): readonly object[] {
  const worker = given[2] as string
  return claimable(on, given).map((run) => {
    on.set('run', run.id, {
      ...{ epoch: run.epoch + 1, worker, status: 'running', why: null, wake_at: null, held_back: false },
      ...{ started_at: run.started_at ?? on.now, fruitless: run.fruitless + 1, time_left_ms: timeLeft(run, on.now) },
      clock_runs_since: run.time_left_ms === null ? null : on.now,
    })
    on.tell(run.id, 'status', JSON.stringify({ status: 'running', worker }))
    return { ...on.get('run', run.id), clock_base: on.database.time }
  })
}

function end(on: Transaction, given: Parameters): number {
  const [id, epoch, status, result, why] = given as [string, number, string, string | null, string | null]
  if (on.get('run', id)?.epoch !== epoch) return 0
  checkJsonText(why)
  const isFinal = status !== 'blocked'
  on.set('run', id, {
    ...{ status, result, why, worker: null, clock_runs_since: null, wake_at: null },
    ended_at: isFinal ? on.now : null,
  })
  on.tell(id, 'status', JSON.stringify({ status, ...(why === null ? {} : { why: JSON.parse(why) as unknown }) }))
  on.notify(`ended ${id}`)
  const open = isFinal ? on.all('approval').filter((each) => each.run === id && each.status === 'open') : []
  for (const each of open) {
    on.set('approval', each.id, { status: 'withdrawn', closed_at: on.now })
    on.notify(`withdrawn ${each.id}`)
  }
  return 1 + open.length
}
