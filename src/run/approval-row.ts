import type { InboxItem } from '../review/inbox.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import type { Values } from './values.ts'

export interface ApprovalRow {
  readonly id: string
  readonly run: string | null
  readonly path: string
  readonly tool: string
  readonly kind: string
  readonly request: string
  readonly status: InboxItem['status']
  readonly assignee: string | null
  readonly decision: string | null
  readonly requested_at: Date
  readonly expires_at: Date | null
  readonly closed_at: Date | null
}

export function itemOf(row: ApprovalRow, values: Values): InboxItem {
  const { run, status, assignee, decision, requested_at: requestedAt, expires_at: expiresAt, closed_at: closedAt } = row
  return {
    request: values.unseal(row.request) as unknown as ReviewRequest,
    status,
    requestedAt: requestedAt.getTime(),
    ...(run === null ? {} : { run }),
    ...(assignee === null ? {} : { assignee: values.unsealWord(assignee) }),
    ...(decision === null ? {} : { decision: values.unseal(decision) as unknown as ReviewDecision }),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.getTime() }),
    ...(closedAt === null ? {} : { closedAt: closedAt.getTime() }),
  }
}
