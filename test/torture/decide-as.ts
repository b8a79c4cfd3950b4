import type { Inbox } from '../../src/review/inbox-interface.ts'
import type { ReviewRequest } from '../../src/tool/review.ts'
import type { EffectInput } from './leaves.ts'

/** Decides a request as the plan of its run says. */
export function decideAs(inbox: Inbox, { id, input }: ReviewRequest, by: string): Promise<void> {
  const { plan } = input as EffectInput
  if (plan.decision === 'edit') return inbox.edit(id, { patch: { effect: 'gated.edited' } }, by)
  return plan.decision === 'reject' ? inbox.reject(id, 'No.', by) : inbox.approve(id, by)
}
