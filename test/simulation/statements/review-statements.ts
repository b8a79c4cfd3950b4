import type { ApprovalRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import type { LockRequest, Parameters, Statement } from './statement.ts'

/** What people are asked: requests made, withdrawn, assigned and decided, and the notices about them. */
export const reviewStatements: readonly Statement[] = [
  {
    name: 'ask',
    text: `INSERT INTO toolwright.approval (id, run, path, tool, kind, request, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7::float8 * interval '1 ms') ON CONFLICT (id) DO NOTHING`,
    run: ask,
  },
  {
    name: 'withdraw',
    text: "UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now() WHERE id = $1 AND status = 'open'",
    locks: onApproval,
    run: (on, [id]) => changeOpen(on, id, { status: 'withdrawn', closed_at: on.now }),
  },
  {
    name: 'assign',
    text: "UPDATE toolwright.approval SET assignee = $2 WHERE id = $1 AND status = 'open'",
    locks: onApproval,
    run: (on, [id, assignee]) => changeOpen(on, id, { assignee: assignee as string | null }),
  },
  {
    name: 'decide',
    text: "UPDATE toolwright.approval SET status = 'decided', decision = $2, closed_at = now() WHERE id = $1",
    locks: onApproval,
    run: (on, [id, decision]) => {
      if (on.get('approval', id as string) === undefined) return 0
      on.set('approval', id as string, { status: 'decided', decision: decision as string, closed_at: on.now })
      return 1
    },
  },
  {
    name: 'read decisions',
    text: 'SELECT id, decision, expires_at FROM toolwright.approval WHERE id = ANY($1::text[])',
    run: (on, [ids]) => approvalsOf(on, ids),
  },
  {
    name: 'read decided',
    text: "SELECT id, run, decision FROM toolwright.approval WHERE id = ANY($1::text[]) AND status = 'decided'",
    run: (on, [ids]) => approvalsOf(on, ids).filter(({ status }) => status === 'decided'),
  },
  { name: 'owner of request', text: 'SELECT run FROM toolwright.approval WHERE id = $1', run: (on, [id]) => approvalsOf(on, [id]) },
  {
    name: 'lock request',
    text: 'SELECT * FROM toolwright.approval WHERE id = $1 FOR UPDATE',
    locks: onApproval,
    run: (on, [id]) => approvalsOf(on, [id]),
  },
  { name: 'read request', text: 'SELECT * FROM toolwright.approval WHERE id = $1', run: (on, [id]) => approvalsOf(on, [id]) },
  {
    name: 'notify',
    text: "SELECT pg_notify('toolwright', $1)",
    run: (on, [note]) => {
      on.notify(note as string)
      return 1
    },
  },
  {
    name: 'notify queued',
    text: "SELECT pg_notify('toolwright', 'queued')",
    run: (on) => {
      on.notify('queued')
      return 1
    },
  },
]

function onApproval(given: Parameters): LockRequest {
  return { mode: 'exclusive', rows: [`approval ${String(given[0])}`] }
}

/** Rows as the driver gives them. */
function approvalsOf(on: Transaction, ids: unknown): readonly (Omit<ApprovalRow, 'requested_at'> & object)[] {
  return (ids as readonly string[]).flatMap((id) => {
    const row = on.get('approval', id)
    if (row === undefined) return []
    const { requested_at: requested, expires_at: expires, closed_at: closed } = row
    return [{ ...row, requested_at: new Date(requested), expires_at: dateOf(expires), closed_at: dateOf(closed) } as never]
  })
}

function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time)
}

function changeOpen(on: Transaction, id: unknown, columns: Partial<ApprovalRow>): number {
  if (on.get('approval', id as string)?.status !== 'open') return 0
  on.set('approval', id as string, columns)
  return 1
}

function ask(on: Transaction, given: Parameters): number {
  const [id, run, path, tool, kind, request, ms] = given as [string, string, string, string, string, string, number | null]
  if (on.get('approval', id) !== undefined) return 0
  on.put('approval', id, {
    ...{ id, run, path, tool, kind, request, status: 'open', assignee: null, decision: null },
    ...{ requested_at: on.now, expires_at: ms === null ? null : on.now + ms, closed_at: null },
  })
  return 1
}
