import type { ClaimedRun } from './claimed-run.ts'
import { PROMPT } from './time-bounds.ts'
import { AS_QUEUED, queueing } from './queue-runs.ts'
import { releaseHeldBack } from './release-held-back.ts'
import type { RunsContext } from '../runs-context.ts'

export interface PutBack {
  /** Seconds from now, by the clock of the database. */
  readonly afterSeconds?: number | undefined
  /** The worker that cannot go on with it. */
  readonly unable?: string | undefined
}

const PUT_BACK = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, deaths = 0,
    wake_at = now() + $3::float8 * interval '1 second', unable = array_cat(unable, $4::text[])
  WHERE id = $1 AND epoch = $2 AND status = 'running'`)

/** Queues a run that this claim does not go on with. Whoever puts a run back has not died of it. */
export async function putBack(context: RunsContext, run: ClaimedRun, { afterSeconds, unable }: PutBack = {}): Promise<void> {
  const values = [run.id, run.epoch, afterSeconds ?? null, unable === undefined ? [] : [unable]]
  await context.patiently(() => context.store.pool.query({ ...PROMPT, name: 'toolwright.put_back', text: PUT_BACK, values }))
  await releaseHeldBack(context, run.tool)
}

const GIVE_BACK = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, deaths = 0, wake_at = NULL, epoch = epoch + 1
  WHERE id = ANY($1::text[]) AND worker = $2 AND status = 'running'`)

/** Queues at once what a worker that stops could not bring to an end, and not only when the silence is noticed. */
export async function giveBack({ store }: RunsContext, runs: readonly string[], worker: string): Promise<void> {
  if (runs.length > 0) await store.pool.query({ ...PROMPT, text: GIVE_BACK, values: [runs, worker] })
}
