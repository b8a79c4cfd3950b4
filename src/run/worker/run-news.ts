import type { ReviewDecision } from '../../tool/review.ts'
import { inApproval } from '../journal/place.ts'
import type { RunsContext } from '../runs-context.ts'
import type { Segment } from '../segment/segment.ts'
import type { RunNews } from '../store/run-reading.ts'

interface DecidedRequest {
  readonly id: string
  readonly run: string
  readonly decision: ReviewDecision
}

interface News {
  readonly runs: ReadonlyMap<string, RunNews['runs'][number]>
  /** In the order in which they were decided. */
  readonly decided: readonly DecidedRequest[]
}

/** Brings what was decided or cancelled to the runs that are under way here, and drops those that are somebody else's by now. */
export async function bringNews(
  context: RunsContext,
  ids: readonly string[],
  segmentOf: (run: string) => Segment | undefined,
): Promise<void> {
  const segments = ids.flatMap((id) => segmentOf(id) ?? [])
  if (segments.length === 0) return
  const requests = segments.flatMap(({ openRequests }) => openRequests)
  const { runs, decided } = await readNews(
    context,
    segments.map(({ run }) => run.id),
    requests,
  )
  for (const segment of segments) {
    const run = runs.get(segment.run.id)
    if (run?.epoch !== segment.run.epoch) segment.abandon()
    else if (run.cancel !== null) segment.cancel(run.cancel)
  }
  for (const { id, run, decision } of decided) segmentOf(run)?.deliver(id, decision)
}

/** Reads who holds the runs now, whether they are cancelled, and which of the requests that they wait for are decided. */
async function readNews({ store, values }: RunsContext, runs: readonly string[], requests: readonly string[]): Promise<News> {
  const news = await store.readNews(runs, requests)
  const decided = news.decided.map((each) => ({
    ...each,
    decision: values.unseal(each.decision, inApproval(each.run, each.id, 'decision')) as unknown as ReviewDecision,
  }))
  return { runs: new Map(news.runs.map((run) => [run.id, run])), decided: untilStopped(decided) }
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
