import { allows } from '../state/run-state.ts'
import type { ApprovalRow, ApprovalStore, NewVote } from '../store/approval-store.ts'
import type { MemoryApproval, MemoryTables } from './memory-tables.ts'

/** Requests to people in memory. */
export function memoryApprovals(tables: MemoryTables): ApprovalStore {
  return {
    decide: async ({ request, run: id, path, decision, entry, ballotNo }) => {
      const approval = openApproval(tables, { request, run: id, ballotNo })
      if (approval === undefined) return false
      const run = id === null ? undefined : tables.runs.get(id)
      const { now } = tables
      Object.assign(approval, { status: 'decided', decision, closedAt: now })
      tables.notify('decided', request)
      if (run === undefined) return true
      const recorded = tables.entries.get(run.id)?.get(path)
      if (recorded !== undefined) Object.assign(recorded, { data: entry, endedNo: tables.nextMoment(), endedAt: now })
      if (allows('wake', run.status)) tables.queue(run)
      else if (run.status === 'running') tables.notify('woken', run.id)
      return true
    },
    vote: async ({ request, run, ballot, ballotNo, event }) => {
      const approval = openApproval(tables, { request, run, ballotNo })
      if (approval === undefined) return false
      Object.assign(approval, { ballot, ballotNo: ballotNo + 1 })
      if (run !== null) tables.tell(run, 'review.voted', event)
      return true
    },
    findRequest: async (id) => {
      const approval = tables.approvals.get(id)
      return approval === undefined ? undefined : { ...rowOf(approval), isOver: isOver(tables, approval), readAt: tables.now }
    },
    listRequests: async ({ run, tool, assigneePrints, limit }) =>
      [...tables.approvals.values()]
        .filter((each) => each.status === 'open' && (run === undefined || each.run === run) && (tool === undefined || each.tool === tool))
        .filter(({ assigneePrint }) => assigneePrints === undefined || (assigneePrint !== null && assigneePrints.includes(assigneePrint)))
        .toSorted((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(rowOf),
    ask: async ({ id, path, tool, request, timeoutMs }) => {
      if (tables.approvals.has(id)) return
      const { now } = tables
      const times = { requestedAt: now, expiresAt: timeoutMs === undefined ? null : now + timeoutMs, closedAt: null }
      const nobody = { assignee: null, assigneePrint: null, decision: null, ballot: null, ballotNo: 0 }
      tables.approvals.set(id, { id, run: null, path, tool, request, status: 'open', isShielded: false, ...nobody, ...times })
      tables.notify('requested', id)
    },
    withdraw: async (id) => {
      const approval = tables.approvals.get(id)
      if (approval?.status === 'open') tables.close(approval)
    },
    assign: async (id, assignee) => {
      const approval = tables.approvals.get(id)
      if (approval?.status !== 'open') return false
      Object.assign(approval, { assignee: assignee?.name ?? null, assigneePrint: assignee?.print ?? null })
      return true
    },
  }
}

/** The request, if it can be decided with this ballot. */
function openApproval(
  tables: MemoryTables,
  { request, run, ballotNo }: Pick<NewVote, 'request' | 'run' | 'ballotNo'>,
): MemoryApproval | undefined {
  const approval = tables.approvals.get(request)
  if (approval?.status !== 'open' || approval.ballotNo !== ballotNo || isOver(tables, approval)) return undefined
  return run !== null && !tables.runs.has(run) ? undefined : approval
}

function isOver(tables: MemoryTables, { run, isShielded }: MemoryApproval): boolean {
  return run !== null && (tables.runs.get(run)?.cancel ?? null) !== null && !isShielded
}

export function rowOf(approval: MemoryApproval): ApprovalRow {
  const { id, run, request, status, assignee, decision, ballot, ballotNo, requestedAt, expiresAt, closedAt } = approval
  return { id, run, request, status, assignee, decision, ballot, ballotNo, requestedAt, expiresAt, closedAt }
}
