import type { InboxItem } from '../../review/inbox.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import type { Values } from '../journal/values.ts'
import type { ApprovalRow } from '../store/approval-store.ts'

/** A stored request as people see it. */
export function itemOf(row: ApprovalRow, values: Values): InboxItem {
  const { run, status, assignee, decision, requestedAt, expiresAt, closedAt } = row
  return {
    request: values.unseal(row.request) as unknown as ReviewRequest,
    status,
    requestedAt,
    ...(run === null ? {} : { run }),
    ...(assignee === null ? {} : { assignee: values.unsealWord(assignee) }),
    ...(decision === null ? {} : { decision: values.unseal(decision) as unknown as ReviewDecision }),
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(closedAt === null ? {} : { closedAt }),
  }
}
