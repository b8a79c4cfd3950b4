import { createHash } from 'node:crypto'
import type { Inbox } from '../../src/review/inbox.ts'
import type { ReviewDecision, ReviewRequest } from '../../src/tool/review.ts'
import type { EffectInput } from './leaves.ts'

type Action = ReviewDecision['action']

/** Decides a request, and gives what was decided: as the plan of a shape says, else as comes to this person's mind. */
export async function decideAs(inbox: Inbox, request: ReviewRequest, by: string): Promise<Action> {
  const { id, input } = request
  const action = isPlanned(input) ? plannedAction(input) : ownAction(request, by)
  if (action === 'edit') await inbox.edit(id, isPlanned(input) ? { patch: { effect: 'gated.edited' } } : { input: 'y' }, by)
  else if (action === 'reject') await inbox.reject(id, 'No.', by)
  else if (action === 'stop') await inbox.stop(id, 'Stop.', by)
  else if (action === 'answer') await inbox.answer(id, 'yes', by)
  else await inbox.approve(id, by)
  return action
}

function isPlanned(input: unknown): input is EffectInput {
  return typeof input === 'object' && input !== null && 'plan' in input
}

function plannedAction({ plan: { decision } }: EffectInput): Action {
  return decision === 'approve' ? 'continue' : decision
}

/** Follows from the request and the person: so whoever decides again says the same. */
function ownAction({ id, kind }: ReviewRequest, by: string): Action {
  const [mood = 0] = createHash('sha256').update(`${by} ${id}`).digest()
  if (mood < 20) return 'stop'
  if (mood < 60) return 'reject'
  if (kind === 'question') return 'answer'
  return mood < 80 ? 'edit' : 'continue'
}
