import type { ModelMessage, ToolApprovalRequest } from 'ai'
import type { Runtime } from '../../runtime/create-runtime.ts'
import { type Caller, findRun } from '../../runtime/door-runs.ts'
import type { Denial, ParkedRun, ParkedRuns } from '../parked-runs.ts'
import { digest } from '../../tool/journal/hash.ts'
import { CHANNELS } from '../channels.ts'
import { rejectShown } from '../durable-answers.ts'
import type { ReviewedRuns } from './ai-sdk-reviews.ts'
import { answeredRun } from './answered-runs.ts'
import { type DeniedRequest, deniedRequests, denialsOf } from './approval-claim.ts'
import { requestsShown } from './shown-requests.ts'

/** The owner of the denials of which the program does not say whose they are. */
const ANYBODY = ''

/** The denial of a request that this process has heard, whichever process asked. */
export function heardDenial(runs: ParkedRuns, owner: string, request: ToolApprovalRequest): Denial | undefined {
  for (const name of requestsShown([request]).map(deniedName)) {
    const denial = runs.denialOf(owner, name) ?? runs.denialOf(ANYBODY, name)
    if (denial !== undefined) return denial
  }
  return undefined
}

/** Ids of requests are random: whose they are does not matter. */
function deniedName(id: string): string {
  return digest(`denied\n${id}`)
}

export interface Denying {
  readonly runtime: Runtime
  readonly caller: Caller
  /** The requests whose denial was heard in this process. */
  readonly heard: Map<string, true>
}

/** Rejects the requests of durable runs that a conversation denies. The SDK does not call a tool that was denied, so every call looks. */
export async function rejectDeniedRuns(messages: readonly ModelMessage[], { heard, ...owner }: Denying): Promise<void> {
  for (const { request, why } of deniedRequests(messages))
    for (const id of requestsShown([request])) {
      if (heard.has(id)) continue
      await rejectRequest(id, why, owner)
      heard.set(id, true)
    }
}

async function rejectRequest(id: string, reason: string | undefined, { runtime, caller }: Omit<Denying, 'heard'>): Promise<void> {
  const item = await runtime.inbox.get(id)
  if (item?.run === undefined || item.status !== 'open') return
  const run = await findRun(runtime, item.run, { caller })
  if (run !== undefined) await rejectShown(runtime, run, { shown: new Set([id]), channel: CHANNELS.aiSdk, reason })
}

/** Rejects the calls in memory that a conversation denies, and remembers denials of what another process asked under our seal. */
export function rejectDeniedCalls({ runs, seals }: ReviewedRuns, messages: readonly ModelMessage[], owner?: string): void {
  if (seals !== undefined)
    for (const { request, why } of deniedRequests(messages))
      for (const id of requestsShown([request])) runs.rememberDenial(owner ?? ANYBODY, deniedName(id), { reason: why })
  const denialOf = (parked: ParkedRun): Denial | undefined => {
    const denies = ({ request }: DeniedRequest): boolean => {
      const answered = answeredRun(runs, parked.identity, request)
      return answered?.parked === parked && parked.isAskedAs(answered.name)
    }
    const denial = denialsOf(parked.identity, messages).find(denies)
    return denial === undefined ? undefined : { reason: denial.why }
  }
  runs.rejectDenied(denialOf, owner)
}
