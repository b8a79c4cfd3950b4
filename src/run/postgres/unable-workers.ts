import { PROMPT } from './time-bounds.ts'
import type { RunsContext } from '../runs-context.ts'

/** Why a worker may be unable to go on with a run that another one can: it has another version of the program, or another key. */
export const LEFT_TO_OTHERS: readonly string[] = ['unknown_tool', 'plan_changed', 'replay_diverged', 'missing_encryption_key']

const OTHERS = `
SELECT FROM toolwright.worker w JOIN toolwright.run r ON r.id = $2 AND r.tool = ANY(w.tools)
WHERE w.id <> $1 AND NOT w.id = ANY(r.unable) AND w.seen_at > now() - interval '15 seconds' LIMIT 1`

/** Whether a living worker knows the tool of the run, and has not found out that it cannot go on with it. */
export async function othersMayGoOn({ store, patiently }: RunsContext, worker: string, run: string): Promise<boolean> {
  const { rowCount } = await patiently(() => store.pool.query({ ...PROMPT, text: OTHERS, values: [worker, run] }))
  return rowCount !== 0
}
