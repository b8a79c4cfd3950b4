import type { Inbox, InboxEvent, InboxItem } from '../../review/inbox.ts'
import { checkInboxFilter, inboxVerbs } from '../../review/inbox-verbs.ts'
import { maskedBySchema } from '../../review/masked-item.ts'
import { asJudged, type Hearing } from '../../tool/deciders.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { reviewableData } from '../../tool/reviewable-json.ts'
import type { ReviewDecision, ReviewRequest, ReviewWait } from '../../tool/review.ts'
import { every } from '../host.ts'
import { inApproval } from '../journal/place.ts'
import { storable } from '../journal/storable.ts'
import type { RunsContext } from '../runs-context.ts'
import { runtimeClosed } from '../../tool/errors/runtime-closed.ts'
import { masking, openApproval } from '../view/opened-run.ts'
import { LARGEST, storedRun } from '../view/stored-run.ts'
import { assignRequest } from './assign-request.ts'
import { decideApproval, openItem } from './decide-approval.ts'
import { itemOf } from './inbox-item.ts'

/** A call that waits for a decision looks this often, in case a notice was lost. */
const LOOK_AGAIN_MS = 5000
const MOST_ITEMS = 10_000
const CHANNEL = 'inbox'

/**
 * The inbox of a database: requests of durable runs, and of calls that wait in some process, until somebody decides. Requests outlive the
 * process; any process that has the database can list and decide them. `heard` says how the decisions come.
 */
export function durableInbox(context: RunsContext, heard: Omit<Hearing, 'user'> = { channel: CHANNEL }): Inbox {
  const { store, values, openness } = context
  const { channel, identity } = heard
  const find = async (id: string): Promise<InboxItem | undefined> => {
    const row = await store.findRequest(id)
    return row === undefined ? undefined : itemOf(row, values)
  }
  const get = async (id: string): Promise<InboxItem | undefined> => {
    const item = await find(id)
    return item === undefined ? undefined : shownItem(context, item)
  }
  const openOne = async (id: string): Promise<InboxItem> => (await openItem(context, id)).item
  const asked = openness.guard<Omit<Inbox, 'handler' | 'on'>>({
    ...inboxVerbs({
      decide: async (id, decision, deciding) =>
        void (await decideApproval(context, id, {
          decision: identity === undefined ? decision : { ...decision, identity },
          channel,
          ...deciding,
        })),
      openItem: openOne,
    }),
    get,
    list: async (filter = {}) => {
      checkInboxFilter(filter)
      const { run, tool, assignee, limit = MOST_ITEMS } = filter
      const assigneePrints = assignee === undefined ? undefined : values.fingerprints(storable(assignee))
      const rows = await store.listRequests({ run, tool, assigneePrints, limit })
      return rows.map((row) => maskedBySchema(itemOf(row, values)))
    },
    assign: (id, assignee, by) => assignRequest(context, id, { assignee, by, channel }),
  })
  const ask = openness.guard({ review: (request: ReviewRequest, wait: ReviewWait) => new WaitingCall(context, find).wait(request, wait) })
  return {
    ...asked,
    handler: { channel, deciders: 'principals', counts: true, ...ask },
    on: (event, listener) => {
      openness.check()
      return store.on((kind, id) => {
        // A store that does not answer has nothing to tell.
        if (kind === (event satisfies InboxEvent))
          get(id).then(
            (item) => item !== undefined && listener(item),
            () => {},
          )
      })
    },
  }
}

/** A decision may repeat secrets of its run: then nobody needs to decide any more, and the view is that of a record. */
async function shownItem(context: RunsContext, item: InboxItem): Promise<InboxItem> {
  if (item.run === undefined || item.status === 'open') return maskedBySchema(item)
  return openApproval(item, await masking(context, await storedRun(context, item.run, LARGEST)))
}

/** A call that waits in this process, and not in a run: its request ends with it. */
class WaitingCall {
  readonly #context: RunsContext
  readonly #get: (id: string) => Promise<InboxItem | undefined>

  constructor(context: RunsContext, get: (id: string) => Promise<InboxItem | undefined>) {
    this.#context = context
    this.#get = get
  }

  async wait(request: ReviewRequest, { signal }: ReviewWait): Promise<ReviewDecision> {
    signal.throwIfAborted()
    const { store, values } = this.#context
    const { id, path, tool, kind, timeoutMs } = request
    await store.ask({
      id,
      path,
      tool,
      kind,
      // The handler got the request of a call in memory, which need not be JSON.
      request: values.seal({ ...request, input: reviewableData(request.input) } as unknown as JsonData, inApproval(null, id, 'request')),
      timeoutMs,
    })
    return this.#decided(id, signal)
  }

  #decided(id: string, signal: AbortSignal): Promise<ReviewDecision> {
    const { store, openness } = this.#context
    return new Promise((resolve, reject) => {
      const look = (): void => {
        this.#get(id).then(
          (item) => item?.decision !== undefined && settle(() => resolve(asJudged(item.decision as ReviewDecision, id))),
          () => {},
        )
      }
      const stop = store.on((kind, subject) => {
        if (kind === 'reconnected' || (kind === 'decided' && subject === id)) look()
      })
      const stopLooking = store.isReliable === true ? undefined : every(store.clock, LOOK_AGAIN_MS, look)
      const settle = (end: () => void): void => {
        stopLooking?.()
        stop()
        stopWaiting()
        signal.removeEventListener('abort', giveUp)
        end()
      }
      const withdraw = (): Promise<unknown> => store.withdraw(id).catch(() => {})
      const giveUp = (): void => {
        settle(() => reject(signal.reason as Error))
        void withdraw()
      }
      // Nobody could tell the call that waits: nobody should be asked for it either.
      const stopWaiting = openness.onClose(() => settle(() => void withdraw().then(() => reject(runtimeClosed()))))
      signal.addEventListener('abort', giveUp, { once: true })
      look()
    })
  }
}
