import { checkAssigner } from '../../review/cast-vote.ts'
import { type Decider, type Hearing, identified } from '../../tool/deciders.ts'
import { inApproval } from '../journal/place.ts'
import { storable } from '../journal/storable.ts'
import type { RunsContext } from '../runs-context.ts'
import { openItem } from './decide-approval.ts'

export interface Assigning extends Hearing {
  /** Undefined takes an assignment back. */
  readonly assignee: string | undefined
  readonly by: Decider | undefined
}

/** Says who should decide a request. Throws an `InboxError` where it cannot be assigned, or not by this person. */
export async function assignRequest(context: RunsContext, id: string, { assignee, by, ...hearing }: Assigning): Promise<void> {
  const { store, values, reviewers } = context
  const decider = await identified(by, reviewers, hearing)
  const { item } = await openItem(context, id)
  checkAssigner(item, decider, reviewers)
  const name = assignee === undefined ? undefined : storable(assignee)
  const place = inApproval(item.run ?? null, item.request.id, 'assignee')
  const columns = name === undefined ? undefined : { name: values.sealWord(name, place), print: values.fingerprint(name) }
  if (!(await store.assign(id, columns))) await openItem(context, id)
}
