import type { StoredReview } from '../../src/run/journal/read-journal.ts'
import type { Store } from '../../src/store/store.ts'
import type { Taken } from './decider-process.ts'

/**
 * A decision that was taken stands in the journal of its run, as that of whoever made it, and was taken from one person only. A run that has
 * ended asks nobody any more.
 */
export async function lostApprovals({ pool }: Store, taken: readonly Taken[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ run: string; path: string; data: string }>(
    "SELECT run, path, data FROM toolwright.entry WHERE kind = 'review'",
  )
  const { rows: open } = await pool.query<{ id: string; run: string }>(
    "SELECT a.id, a.run FROM toolwright.approval a JOIN toolwright.run r ON r.id = a.run WHERE a.status = 'open' AND r.ended_at IS NOT NULL",
  )
  const decided = new Map(rows.map(({ run, path, data }) => [`${run} ${path}`, (JSON.parse(data) as StoredReview).decision]))
  const twice = [...Map.groupBy(taken, ({ id }) => id)].filter(([, takers]) => takers.length > 1)
  return [
    ...open.map(({ id, run }) => `The request '${id}' is open, and its run '${run}' has ended.`),
    ...twice.map(([id]) => `The request '${id}' was decided twice.`),
    ...taken.flatMap(({ id, run, path, by, action }) => {
      const decision = decided.get(`${run} ${path}`)
      if (decision?.by === by && decision.action === action) return []
      return [`'${action}' of ${by} on '${id}' is not in run '${run}' at '${path}': ${JSON.stringify(decision)}.`]
    }),
  ]
}
