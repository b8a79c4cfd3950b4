import type { InboxError, Runtime } from 'toolwright'
import type { Desk } from './driver.ts'
import { type Decision, edited } from './ledger.ts'
import { type Shown, shownIn } from './program.ts'

interface DeskRequest {
  readonly id: string
  readonly input: unknown
  readonly why: string
}

/** The decisions about calls in memory, as the bridges have them that ask through a conversation. */
interface MemoryDesk {
  readonly list: () => readonly { readonly request: DeskRequest }[]
  readonly approve: (id: string) => Promise<void>
  readonly edit: (id: string, change: { readonly input: unknown }) => Promise<void>
  readonly reject: (id: string) => Promise<void>
  readonly stop: (id: string) => Promise<void>
}

interface Desks {
  readonly reviews?: MemoryDesk | undefined
  readonly runtime: Runtime | undefined
}

/** The desk of the process that is there at the time. */
export function deskOf(here: () => Desks): Desk {
  return {
    open: () => openAt(here()),
    decide: (id, decision) => atDesk(here(), id, decision),
    cancel: (id) => cancelRun(here().runtime, id),
  }
}

/** Decides about a request beside the conversation: in the inbox of durable runs at once, in memory for the approval that comes later. */
async function atDesk({ reviews, runtime }: Desks, id: string, decision: Decision): Promise<'now' | 'later' | 'refused'> {
  const inMemory = reviews?.list().find(({ request }) => request.id === id)
  const input = inMemory?.request.input ?? (await runtime?.inbox.get(id))?.request.input
  const desk = inMemory === undefined ? runtime?.inbox : reviews
  if (desk === undefined) return 'refused'
  try {
    if (decision === 'edit') await desk.edit(id, { input: edited(String(input)) })
    else await desk[decision](id)
    return inMemory === undefined ? 'now' : 'later'
  } catch (error) {
    if ((error as InboxError).name === 'InboxError') return 'refused'
    throw error
  }
}

/** The requests that wait: in the memory of this process, and those of durable runs, whichever process asks. */
async function openAt({ reviews, runtime }: Desks): Promise<ReadonlyMap<string, Shown>> {
  const items = [...(reviews?.list() ?? []), ...((await runtime?.inbox.list()) ?? [])]
  return new Map(items.flatMap(({ request: { id, why } }) => shownIn(why).map((shown) => [id, shown] as const)))
}

/** Cancels the durable run of a request. */
async function cancelRun(runtime: Runtime | undefined, id: string): Promise<void> {
  const run = (await runtime?.inbox.get(id))?.run
  if (runtime === undefined || run === undefined) return
  const handle = await runtime.run(run)
  await handle.cancel('Not this one.')
  await handle.result()
}
