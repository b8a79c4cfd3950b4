import type { ModelMessage } from 'ai'
import type { Runtime } from '../../runtime/create-runtime.ts'
import { decideRequest } from '../../runtime/decide-request.ts'
import { type Caller, findRun } from '../../runtime/door-runs.ts'
import { deniedRequests } from './approval-claim.ts'
import { requestsShown } from './shown-requests.ts'

export interface Denying {
  readonly runtime: Runtime
  readonly caller: Caller
  /** Whether the denial of a request is new to this process. */
  readonly isNew: (request: string) => boolean
}

/** Rejects the requests of durable runs that a conversation denies. The SDK does not call a tool that was denied, so every call looks. */
export async function rejectDeniedRuns(messages: readonly ModelMessage[], { runtime, caller, isNew }: Denying): Promise<void> {
  for (const { request, why } of deniedRequests(messages))
    for (const id of requestsShown([request]).filter(isNew)) await rejectRequest(id, why, { runtime, caller })
}

async function rejectRequest(id: string, reason: string | undefined, { runtime, caller }: Omit<Denying, 'isNew'>): Promise<void> {
  const { inbox } = runtime
  const isOpen = async (): Promise<boolean> => (await inbox.get(id))?.status === 'open'
  const item = await inbox.get(id)
  if (item?.run === undefined || item.status !== 'open') return
  const run = await findRun(runtime, item.run, { caller })
  if (run === undefined || (await decideRequest(inbox, id, { action: 'reject', reason }))) return
  // A conversation names nobody, and may not decide here. But the caller may take back its own call.
  if (await isOpen()) await run.cancel(reason === undefined ? 'The call was denied in the conversation.' : `Denied: ${reason}`)
}
