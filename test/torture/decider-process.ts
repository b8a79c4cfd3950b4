/** A person: a process that decides whatever is asked, soon or after a while, and tells what was taken from it. */
import { setTimeout as pause } from 'node:timers/promises'
import { InboxError } from '../../src/review/inbox-error.ts'
import type { Inbox, InboxItem } from '../../src/review/inbox.ts'
import { createRuntime } from '../../src/runtime/create-runtime.ts'
import type { ReviewDecision } from '../../src/tool/review.ts'
import { decideAs } from './decide-as.ts'
import { pick, seeded } from './seeded.ts'

export interface DeciderOrder {
  readonly home: string
  readonly by: string
  readonly seed: number
}

/** A decision that the inbox took. */
export interface Taken {
  readonly id: string
  readonly run: string
  readonly path: string
  readonly by: string
  readonly action: ReviewDecision['action']
}

const LOOK_MS = 150
/** Some wait long enough for the run to be put away, taken up and cancelled meanwhile. */
const HESITATIONS_MS = [0, 0, 0, 300, 1500, 5000]

process.once('message', (order: DeciderOrder) => void decideAll(order))
process.once('disconnect', () => process.exit())

async function decideAll({ home, by, seed }: DeciderOrder): Promise<void> {
  const { inbox } = createRuntime({ database: { home, poolSize: 3 }, worker: false })
  const random = seeded(seed)
  const known = new Set<string>()
  process.send?.('ready')
  for (;;) {
    const items = await inbox.list().catch(() => [])
    for (const item of items) {
      if (known.has(item.request.id)) continue
      known.add(item.request.id)
      void decide(inbox, item, { by, afterMs: pick(random, HESITATIONS_MS) ?? 0 })
    }
    await pause(LOOK_MS)
  }
}

interface Decider {
  readonly by: string
  readonly afterMs: number
}

/** Where the database is away, nobody knows whether the decision was taken: then it is looked up. */
async function decide(inbox: Inbox, { request, run = '' }: InboxItem, { by, afterMs }: Decider): Promise<void> {
  await pause(afterMs)
  const { id, path } = request
  for (;;) {
    try {
      tell({ id, run, path, by, action: await decideAs(inbox, request, by) })
      return
    } catch (error) {
      if (error instanceof InboxError) {
        const now = await lookUp(inbox, id)
        if (now?.decision?.by === by) tell({ id, run, path, by, action: now.decision.action })
        return
      }
      await pause(LOOK_MS)
    }
  }
}

async function lookUp(inbox: Inbox, id: string): Promise<InboxItem | undefined> {
  for (;;) {
    try {
      return await inbox.get(id)
    } catch (error) {
      if (error instanceof InboxError) return undefined
      await pause(LOOK_MS)
    }
  }
}

function tell(taken: Taken): void {
  process.send?.(taken)
}
