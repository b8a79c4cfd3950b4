import type { ApprovalRow, RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { checkJsonText } from './check-text.ts'
import { MAY_HOLD_BACK, mayHoldBack } from './held-back.ts'
import { AS_QUEUED, asQueued, queueing, queueRuns, SEND_JOBS, TELL_QUEUED, tellQueued } from './queueing.ts'
import { onRun, type Parameters, type Statement } from './statement.ts'
import { COLUMNS, placeOf, REPLACE, timeOf, writeFew } from './write-statements.ts'

const AS_RESUMED = `UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL, deaths = 0, unable = '{}'`

const endText = (written: string, told: string): string => `WITH mine AS (
      UPDATE toolwright.run SET status = $3, result = $4, why = $5, worker = NULL, job = NULL, clock_runs_since = NULL, wake_at = NULL,
        ended_at = CASE WHEN $3 <> 'blocked' THEN now() END, unable = CASE WHEN $3 = 'blocked' THEN array_append(unable, worker) ELSE unable END
      WHERE id = $1 AND epoch = $2 AND status = 'running' RETURNING id, tool
    ), ${written}withdrawn AS (
      UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now()
      WHERE run = (SELECT id FROM mine) AND status = 'open' AND $3 <> 'blocked' RETURNING id
    ), told AS (
      INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_strip_nulls(json_build_object('status', $3::text, 'why', $5::json)) FROM mine${told}
    )
    SELECT pg_notify('toolwright', 'ended ' || id)::text AS told,
      ${MAY_HOLD_BACK('mine.tool')} AS holds_back FROM mine
    UNION ALL SELECT pg_notify('toolwright', 'withdrawn ' || id)::text, false FROM withdrawn
    UNION ALL SELECT '', false FROM toolwright.run WHERE id = $1 AND epoch = $2 AND status = $3 AND NOT EXISTS (SELECT FROM mine)`

/** The life of a run that was claimed: put back, cancelled, ended, taken up again. How it is put away is told elsewhere. */
export const runStatements: readonly Statement[] = [
  {
    name: 'put back',
    text: queueing(`UPDATE toolwright.run SET ${AS_QUEUED}, deaths = 0,
      wake_at = now() + $3::float8 * interval '1 second', unable = array_cat(unable, $4::text[])
      WHERE id = $1 AND epoch = $2 AND status = 'running'`),
    locks: onClaimed,
    run: (on, given) => {
      const [, , seconds, unable] = given as [string, number, number | null, readonly string[]]
      const wakeAt = seconds === null ? null : on.now + 1000 * seconds
      return queueRuns(on, claimed(on, given), (run) => ({ deaths: 0, wake_at: wakeAt, unable: [...run.unable, ...unable] }))
    },
  },
  {
    name: 'give back',
    text: queueing(`UPDATE toolwright.run SET ${AS_QUEUED}, deaths = 0, wake_at = NULL, epoch = epoch + 1
      WHERE id = ANY($1::text[]) AND worker = $2 AND status = 'running'`),
    locks: (given, on) => ({ mode: 'exclusive', rows: heldBy(on, given).map(({ id }) => `run ${id}`) }),
    run: (on, given) => queueRuns(on, heldBy(on, given), ({ epoch }) => ({ deaths: 0, wake_at: null, epoch: epoch + 1 })),
  },
  {
    name: 'cancel',
    text: `WITH open AS MATERIALIZED (
      SELECT id, status, status IN ('waiting', 'blocked') OR (status = 'queued' AND (held_back OR wake_at IS NOT NULL)) AS stands
      FROM toolwright.run WHERE id = $1 AND ended_at IS NULL FOR UPDATE
    ), cancelled AS (
      UPDATE toolwright.run r SET cancel = coalesce(r.cancel, $2), status = CASE WHEN o.stands THEN 'queued' ELSE r.status END,
        ticket = r.ticket + o.stands::int, job = CASE WHEN o.stands THEN gen_random_uuid() ELSE r.job END, why = CASE WHEN NOT o.stands THEN r.why END, wake_at = CASE WHEN NOT o.stands THEN r.wake_at END,
        held_back = r.held_back AND NOT o.stands
      FROM open o WHERE r.id = o.id RETURNING r.id, r.tool, r.ticket, r.job, o.stands, o.status AS was
    ), changed AS (
      SELECT id, tool, ticket, job, NULL::timestamptz AS wake_at FROM cancelled WHERE stands
    ), withdrawn AS (
      UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now()
      WHERE run = (SELECT id FROM open) AND status = 'open' AND NOT is_shielded AND position('/undo.' IN path) = 0 RETURNING id
    ), ${TELL_QUEUED}, ${SEND_JOBS}
    SELECT CASE WHEN stands THEN pg_notify('toolwright', 'queued')::text WHEN was = 'running' THEN pg_notify('toolwright', 'woken ' || id)::text END AS told
    FROM cancelled
    UNION ALL SELECT pg_notify('toolwright', 'withdrawn ' || id)::text FROM withdrawn`,
    locks: ([id], on) => ({ mode: 'exclusive', rows: unended(on, id).map((run) => `run ${run.id}`) }),
    thenLocks: ([id], on) => ({ mode: 'exclusive', rows: unended(on, id).flatMap((run) => openRequests(on, run.id, IS_ASKED_FORWARD)) }),
    run: cancel,
  },
  {
    name: 'end',
    text: endText('', ''),
    locks: onClaimed,
    thenLocks: (given, on) => ({ mode: 'exclusive', rows: requestsAtEnd(given, on) }),
    run: end,
  },
  {
    name: 'end with entry',
    text: endText(
      `written AS (
        INSERT INTO toolwright.entry AS e ${COLUMNS}
        SELECT id, $6, $7, $8, $9, $10, $11, $12::json, $13::json,
          nextval('toolwright.moment'), CASE WHEN $15::float8 IS NOT NULL THEN nextval('toolwright.moment') END,
          ${timeOf('$14::float8')}, ${timeOf('$15')}, $16::bigint
        FROM mine
        ${REPLACE} RETURNING run
      ), `,
      ' WHERE (SELECT count(*) FROM written) >= 0',
    ),
    locks: onClaimed,
    thenLocks: (given, on) => ({
      mode: 'exclusive',
      rows: [...claimed(on, given).map(({ id }) => placeOf(id, given[LAST])), ...requestsAtEnd(given, on)],
    }),
    run: (on, given) => {
      if (claimed(on, given).length > 0) writeFew(on, given, [LAST])
      return end(on, given)
    },
  },
  {
    name: 'resume',
    text: queueing(`${AS_RESUMED} WHERE id = $1 AND status = 'blocked'`),
    locks: onRun,
    run: (on, [id]) => {
      const run = on.get('run', id as string)
      return queueRuns(on, run?.status === 'blocked' ? [run] : [], () => ({ wake_at: null, deaths: 0, unable: [] }))
    },
  },
  {
    name: 'try compensation again',
    text: queueing(`UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL, result = NULL, cancel = NULL, deaths = 0 WHERE id = $1`),
    locks: onRun,
    run: (on, [id]) => {
      const run = on.get('run', id as string)
      return queueRuns(on, run === undefined ? [] : [run], () => ({ wake_at: null, result: null, cancel: null, deaths: 0 }))
    },
  },
  {
    name: 'lock status',
    text: 'SELECT status FROM toolwright.run WHERE id = $1 FOR UPDATE',
    locks: onRun,
    run: (on, [id]) => on.all('run').filter((run) => run.id === id),
  },
  {
    name: 'take plan',
    text: 'UPDATE toolwright.run SET plan = $3 WHERE id = $1 AND epoch = $2',
    locks: onRun,
    run: (on, [id, epoch, plan]) => changeClaimed(on, [id, epoch], { plan: plan as string }),
  },
  {
    name: 'note progress',
    text: 'UPDATE toolwright.run SET deaths = 1, entries_seen = $3 WHERE id = $1 AND epoch = $2',
    locks: onRun,
    run: (on, [id, epoch, seen]) => changeClaimed(on, [id, epoch], { deaths: 1, entries_seen: seen as number }),
  },
]

/** The run, as long as the claim counts and it runs. */
function claimed(on: Transaction, [id, epoch]: Parameters): readonly RunRow[] {
  const run = on.get('run', id as string)
  return run?.epoch === epoch && run?.status === 'running' ? [run] : []
}

function onClaimed(given: Parameters, on: Transaction): { mode: 'exclusive'; rows: readonly string[] } {
  return { mode: 'exclusive', rows: claimed(on, given).map(({ id }) => `run ${id}`) }
}

function changeClaimed(on: Transaction, [id, epoch]: Parameters, columns: Partial<RunRow>): number {
  const run = on.get('run', id as string)
  if (run?.epoch !== epoch) return 0
  on.set('run', id as string, columns)
  return 1
}

function heldBy(on: Transaction, [ids, worker]: Parameters): readonly RunRow[] {
  return (ids as readonly string[]).flatMap((id) => {
    const run = on.get('run', id)
    return run?.worker === worker && run?.status === 'running' ? [run] : []
  })
}

function unended(on: Transaction, id: unknown): readonly RunRow[] {
  const run = on.get('run', id as string)
  return run === undefined || run.ended_at !== null ? [] : [run]
}

const IS_ASKED_FORWARD = ({ path, is_shielded }: ApprovalRow): boolean => !is_shielded && !path.includes('/undo.')

/** Their locks. Who waited for the run sees the requests that were there before. */
function openRequests(on: Transaction, run: string, isMeant: (row: ApprovalRow) => boolean): readonly string[] {
  const open = on.found('approval').filter((each) => each.run === run && each.status === 'open' && isMeant(each))
  return open.map(({ id }) => `approval ${id}`)
}

function withdraw(on: Transaction, run: string, isMeant: (row: ApprovalRow) => boolean): readonly object[] {
  const open = on.found('approval').filter((each) => each.run === run && each.status === 'open' && isMeant(each))
  return open.map(({ id }) => {
    on.set('approval', id, { status: 'withdrawn', closed_at: on.now })
    on.notify(`withdrawn ${id}`)
    return { told: '', holds_back: false }
  })
}

function cancel(on: Transaction, [id, reason]: Parameters): readonly object[] {
  const [run] = unended(on, id)
  if (run === undefined) return []
  const { status, held_back, wake_at } = run
  const stands = status === 'waiting' || status === 'blocked' || (status === 'queued' && (held_back || wake_at !== null))
  const given = run.cancel ?? (reason as string)
  if (stands) {
    // Unlike what else queues a run, it leaves its worker and its end as they are: there are none.
    asQueued(on, run, { cancel: given, wake_at: null })
    tellQueued(on, run.id)
  } else on.set('run', run.id, { cancel: given })
  if (stands) on.notify('queued')
  else if (status === 'running') on.notify(`woken ${run.id}`)
  return [{ told: stands || status === 'running' ? '' : null }, ...withdraw(on, run.id, IS_ASKED_FORWARD)]
}

/** Where the values of the last entry begin. */
const LAST = 5

function requestsAtEnd(given: Parameters, on: Transaction): readonly string[] {
  return given[2] === 'blocked' ? [] : claimed(on, given).flatMap(({ id }) => openRequests(on, id, () => true))
}

function end(on: Transaction, given: Parameters): readonly object[] {
  const [id, epoch, status, result, why] = given as [string, number, string, string | null, string | null]
  const [run] = claimed(on, given)
  if (run === undefined) {
    const past = on.get('run', id)
    return past?.epoch === epoch && past?.status === status ? [{ told: '', holds_back: false }] : []
  }
  checkJsonText(why)
  const isFinal = status !== 'blocked'
  const holdsBack = mayHoldBack(on, run.tool)
  on.set('run', id, {
    ...{ status, result, why, worker: null, job: null, clock_runs_since: null, wake_at: null },
    ...{ ended_at: isFinal ? on.now : null, unable: isFinal || run.worker === null ? run.unable : [...run.unable, run.worker] },
  })
  on.tell(id, 'status', JSON.stringify({ status, ...(why === null ? {} : { why: JSON.parse(why) as unknown }) }))
  on.notify(`ended ${id}`)
  return [{ told: '', holds_back: holdsBack }, ...(isFinal ? withdraw(on, id, () => true) : [])]
}
