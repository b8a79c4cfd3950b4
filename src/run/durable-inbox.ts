import type { Inbox, InboxEvent, InboxItem } from '../review/inbox.ts'
import { inboxVerbs } from '../review/inbox-verbs.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import type { ReviewDecision, ReviewRequest, ReviewWait } from '../tool/review.ts'
import { type ApprovalRow, itemOf } from './approval-row.ts'
import { decideApproval, openItem } from './decide-approval.ts'
import type { Notices } from './notices.ts'
import type { RunsContext } from './runs-context.ts'
import { storable, storableOrNull } from './storable.ts'

/** Whoever waits for a decision looks this often, in case a notice was lost. */
const LOOK_AGAIN_MS = 5000
const MOST_ITEMS = 10_000

/** The print finds what is assigned to somebody, also where the name is sealed. */
const ASSIGN = "UPDATE toolwright.approval SET assignee = $2, assignee_print = $3 WHERE id = $1 AND status = 'open'"

/**
 * The inbox of a database: requests of durable runs, and of calls that wait in some process, until somebody decides. Requests outlive the
 * process; any process that has the database can list and decide them.
 */
export function durableInbox(context: RunsContext, notices: Notices): Inbox {
  const { store, values } = context
  const get = async (id: string): Promise<InboxItem | undefined> => {
    const { rows } = await store.pool.query<ApprovalRow>('SELECT * FROM toolwright.approval WHERE id = $1', [storable(id)])
    return rows[0] === undefined ? undefined : itemOf(rows[0], values)
  }
  const openRequest = async (id: string): Promise<ReviewRequest> => (await openItem(context, id)).item.request
  return {
    ...inboxVerbs({ decide: async (id, decision) => void (await decideApproval(context, id, decision)), openRequest }),
    get,
    handler: { review: (request, wait) => new WaitingCall(context, notices, get).wait(request, wait) },
    list: async ({ run, tool, assignee, limit = MOST_ITEMS } = {}) => {
      const { rows } = await store.pool.query<ApprovalRow>(
        `SELECT * FROM toolwright.approval WHERE status = 'open' AND ($1::text IS NULL OR run = $1) AND ($2::text IS NULL OR tool = $2)
         AND ($3::text[] IS NULL OR assignee_print = ANY ($3)) ORDER BY requested_at, id LIMIT $4`,
        [storableOrNull(run), storableOrNull(tool), assignee === undefined ? null : values.fingerprints(storable(assignee)), limit],
      )
      return rows.map((row) => itemOf(row, values))
    },
    assign: async (id, assignee) => {
      const name = assignee === undefined ? undefined : storable(assignee)
      const columns = name === undefined ? [null, null] : [values.sealWord(name), values.fingerprint(name)]
      const { rowCount } = await store.pool.query(ASSIGN, [storable(id), ...columns])
      if (rowCount === 0) await openRequest(id)
    },
    on: (event, listener) =>
      notices.on((kind, id) => {
        if (kind === (event satisfies InboxEvent)) void get(id).then((item) => item !== undefined && listener(item))
      }),
  }
}

/** A call that waits in this process, and not in a run: its request ends with it. */
class WaitingCall {
  readonly #context: RunsContext
  readonly #notices: Notices
  readonly #get: (id: string) => Promise<InboxItem | undefined>

  constructor(context: RunsContext, notices: Notices, get: (id: string) => Promise<InboxItem | undefined>) {
    this.#context = context
    this.#notices = notices
    this.#get = get
  }

  async wait(request: ReviewRequest, { signal }: ReviewWait): Promise<ReviewDecision> {
    signal.throwIfAborted()
    const { store, values } = this.#context
    await store.pool.query(
      `WITH new AS (
         INSERT INTO toolwright.approval (id, path, tool, kind, request, expires_at)
         VALUES ($1, $2, $3, $4, $5, now() + $6::float8 * interval '1 ms') ON CONFLICT (id) DO NOTHING RETURNING id
       ) SELECT pg_notify('toolwright', 'requested ' || id) FROM new`,
      [request.id, request.path, request.tool, request.kind, values.seal(request as unknown as JsonData), request.timeoutMs ?? null],
    )
    return this.#decided(request.id, signal)
  }

  #decided(id: string, signal: AbortSignal): Promise<ReviewDecision> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        this.#get(id).then(
          (item) => item?.decision !== undefined && settle(() => resolve(item.decision as ReviewDecision)),
          () => {},
        )
      }
      const stop = this.#notices.on((kind, subject) => {
        if (kind === 'reconnected' || (kind === 'decided' && subject === id)) look()
      })
      const again = setInterval(look, LOOK_AGAIN_MS)
      const settle = (end: () => void): void => {
        clearInterval(again)
        stop()
        signal.removeEventListener('abort', giveUp)
        end()
      }
      const giveUp = (): void => {
        settle(() => reject(signal.reason as Error))
        void this.#withdraw(id).catch(() => {})
      }
      signal.addEventListener('abort', giveUp, { once: true })
      look()
    })
  }

  async #withdraw(id: string): Promise<void> {
    await this.#context.store.pool.query(
      `WITH gone AS (UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now() WHERE id = $1 AND status = 'open' RETURNING id)
       SELECT pg_notify('toolwright', 'withdrawn ' || id) FROM gone`,
      [id],
    )
  }
}
