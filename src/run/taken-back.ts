import { inRun } from './journal/place.ts'
import { unknownRun } from './run-errors.ts'
import type { RunsContext } from './runs-context.ts'

/** How the cancellation of a run is stored. Nobody but this file writes `by`: a tool or a person can only give a reason. */
type StoredCancel = {
  readonly reason: string
  readonly by: 'caller'
}

const REASON = 'The caller cancelled the call.'

/** Cancels a run because the call that waits for it is not wanted any more. Where it is cancelled already, that stays as it is. */
export async function takeBack({ store, values }: RunsContext, id: string): Promise<void> {
  const cancel: StoredCancel = { reason: REASON, by: 'caller' }
  if ((await store.cancel(id, values.seal(cancel, inRun(id, 'cancel')))) === undefined) throw unknownRun(id)
}

/** Whether a run was cancelled so, and not by a person or a program. Its record says it, and no word of a tool. */
export async function isTakenBack({ store, values }: RunsContext, id: string): Promise<boolean> {
  const { runs } = await store.readNews([id], [])
  const cancel = runs.find((each) => each.id === id)?.cancel ?? null
  return cancel !== null && (values.unseal(cancel, inRun(id, 'cancel')) as Partial<StoredCancel>).by === 'caller'
}
