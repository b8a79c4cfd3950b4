import type { InboxItem } from '../review/inbox.ts'
import type { Runtime } from '../runtime/create-runtime.ts'
import { decideRequest } from '../runtime/decide-request.ts'
import type { DoorRun } from '../runtime/durable-call.ts'
import { isForCaller } from '../runtime/wait-for-run.ts'
import { approvalOf } from './approval-of.ts'

/** An answer of a peer to an asking of a durable run. It counts for the requests that the asking showed, and for no others. */
interface ShownAnswer {
  /** The ids of the requests that were shown. */
  readonly shown: ReadonlySet<string>
  /** How the answer has come. */
  readonly channel: string
}

interface ShownDenial extends ShownAnswer {
  readonly reason: string | undefined
}

/** The open requests of a run that its caller may be shown. */
export async function openRequests({ inbox }: Pick<Runtime, 'inbox'>, run: string): Promise<readonly InboxItem[]> {
  return (await inbox.list({ run })).filter(({ request }) => isForCaller(request))
}

/** Approves what was shown and still waits. What was decided elsewhere stays as it is. Gives the reasons why approvals do not count. */
export async function approveShown(runtime: Runtime, run: string, { shown, channel }: ShownAnswer): Promise<readonly string[]> {
  const refused: string[] = []
  for (const { request } of await openRequests(runtime, run)) {
    if (!shown.has(request.id)) continue
    const why = await decideRequest(runtime, request.id, { decision: approvalOf(request), channel })
    if (why !== undefined) refused.push(why)
  }
  return refused
}

/**
 * Rejects what was shown and still waits. A conversation names nobody, and may not decide where the decider must be known; but the caller may take
 * back its own call, so the run is cancelled then.
 */
export async function rejectShown(runtime: Runtime, run: DoorRun, { shown, channel, reason }: ShownDenial): Promise<void> {
  const open = async (): Promise<readonly InboxItem[]> =>
    (await openRequests(runtime, run.id)).filter(({ request }) => shown.has(request.id))
  const decision = { action: 'reject', reason } as const
  const refused = await Promise.all((await open()).map(({ request }) => decideRequest(runtime, request.id, { decision, channel })))
  if (refused.some((why) => why !== undefined) && (await open()).length > 0)
    await run.cancel(reason === undefined ? 'The call was denied.' : `Denied: ${reason}`)
}
