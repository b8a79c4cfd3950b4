import type { ReviewDecision } from '../../tool/review.ts'
import { PROMPT } from '../postgres/time-bounds.ts'
import type { RunsContext } from '../runs-context.ts'

interface Asked {
  readonly runs: readonly string[]
  /** The requests that these runs wait for. */
  readonly requests: readonly string[]
}

interface RunNews {
  readonly id: string
  readonly epoch: number
  readonly cancel: string | null
}

interface DecidedRequest {
  readonly id: string
  readonly run: string
  readonly decision: ReviewDecision
}

interface News {
  readonly runs: ReadonlyMap<string, RunNews>
  /** In the order in which they were decided. */
  readonly decided: readonly DecidedRequest[]
}

const READ_DECIDED =
  "SELECT id, run, decision FROM toolwright.approval WHERE id = ANY($1::text[]) AND status = 'decided' ORDER BY closed_at"

/** Reads who holds the runs now, whether they are cancelled, and which of their requests are decided. */
export async function readNews({ store, values }: RunsContext, { runs, requests }: Asked): Promise<News> {
  const { rows: current } = await store.pool.query<RunNews>({
    ...PROMPT,
    text: 'SELECT id, epoch, cancel FROM toolwright.run WHERE id = ANY($1::text[])',
    values: [runs],
  })
  const { rows } =
    requests.length === 0
      ? { rows: [] }
      : await store.pool.query<{ id: string; run: string; decision: string }>({ ...PROMPT, text: READ_DECIDED, values: [requests] })
  const decided = rows.map(({ id, run, decision }) => ({ id, run, decision: values.unseal(decision) as unknown as ReviewDecision }))
  return { runs: new Map(current.map((run) => [run.id, run])), decided: untilStopped(decided) }
}

/** Of each run, the decisions up to the first stop: a decision that comes after it must not let anything begin. */
function untilStopped(decided: readonly DecidedRequest[]): readonly DecidedRequest[] {
  const stopped = new Set<string>()
  return decided.filter(({ run, decision }) => {
    if (stopped.has(run)) return false
    if (decision.action === 'stop') stopped.add(run)
    return true
  })
}
