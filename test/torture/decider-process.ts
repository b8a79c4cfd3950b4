/** The people: another process that decides whatever is asked, as the plan of the run says, and tells what was taken from it. */
import { setTimeout as pause } from 'node:timers/promises'
import { InboxError } from '../../src/review/inbox-error.ts'
import type { Inbox, InboxItem } from '../../src/review/inbox-interface.ts'
import { createRuntime } from '../../src/runtime.ts'
import { decideAs } from './decide-as.ts'

/** A decision that the inbox took. */
export interface Taken {
  readonly id: string
  readonly run: string
  readonly path: string
  readonly by: string
}

const LOOK_MS = 150

process.once('message', ({ home }: { readonly home: string }) => void decideAll(home))
process.once('disconnect', () => process.exit())

async function decideAll(home: string): Promise<void> {
  const { inbox } = createRuntime({ database: { home }, worker: false })
  const known = new Set<string>()
  process.send?.('ready')
  for (;;) {
    const items = await inbox.list().catch(() => [])
    // Two people at once for some of them: one is too late.
    for (const item of items) {
      if (known.has(item.request.id)) continue
      known.add(item.request.id)
      void decide(inbox, item, 'ada')
      if (known.size % 4 === 0) void decide(inbox, item, 'grace')
    }
    await pause(LOOK_MS)
  }
}

/** Where the database is away, nobody knows whether the decision was taken: then it is looked up. */
async function decide(inbox: Inbox, item: InboxItem, by: string): Promise<void> {
  const { request, run = '' } = item
  for (;;) {
    try {
      await decideAs(inbox, request, by)
      tell({ id: request.id, run, path: request.path, by })
      return
    } catch (error) {
      if (error instanceof InboxError) {
        const now = await inbox.get(request.id).catch(() => undefined)
        if (now?.decision?.by === by) tell({ id: request.id, run, path: request.path, by })
        return
      }
      await pause(LOOK_MS)
    }
  }
}

function tell(taken: Taken): void {
  process.send?.(taken)
}
