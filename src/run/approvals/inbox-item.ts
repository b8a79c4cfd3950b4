import type { Ballot } from '../../review/ballot.ts'
import type { InboxItem } from '../../review/inbox.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { inApproval } from '../journal/place.ts'
import type { Values } from '../journal/values.ts'
import type { ApprovalRow } from '../store/approval-store.ts'

/** A stored request as people see it. */
export function itemOf(row: ApprovalRow, values: Values): InboxItem {
  const { id, run, status, assignee, decision, ballot, requestedAt, expiresAt, closedAt } = row
  return {
    request: values.unseal(row.request, inApproval(run, id, 'request')) as unknown as ReviewRequest,
    status,
    requestedAt,
    ...(run === null ? {} : { run }),
    ...(assignee === null ? {} : { assignee: values.unsealWord(assignee, inApproval(run, id, 'assignee')) }),
    ...(decision === null ? {} : { decision: values.unseal(decision, inApproval(run, id, 'decision')) as unknown as ReviewDecision }),
    ...(ballot === null ? {} : { ballot: values.unseal(ballot, inApproval(run, id, 'ballot')) as unknown as Ballot }),
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(closedAt === null ? {} : { closedAt }),
  }
}
