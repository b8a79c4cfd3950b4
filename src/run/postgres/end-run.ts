import type { ClientBase, Pool } from 'pg'
import type { Store } from '../../store/store.ts'
import type { RunEnding } from '../store/run-changes.ts'
import type { Claim } from '../store/run-queue.ts'
import { allowing } from './queue-runs.ts'
import { mayHoldBack, releaseHeldBack } from './release-held-back.ts'
import { PROMPT } from './time-bounds.ts'
import { insertArtifact, valuesOf, writingOne } from './write-entries.ts'

/** An answer that was lost is given again: the same claim ends the run once. The worker that blocks a run is not asked again by itself. */
const endText = (written: string, told: string): string => `
WITH mine AS (
  UPDATE toolwright.run SET status = $3, result = $4, why = $5, worker = NULL, job = NULL, clock_runs_since = NULL, wake_at = NULL,
    ended_at = CASE WHEN $3 <> 'blocked' THEN now() END, unable = CASE WHEN $3 = 'blocked' THEN array_append(unable, worker) ELSE unable END
  WHERE id = $1 AND epoch = $2 AND status ${allowing('end')} RETURNING id, tool
), ${written}withdrawn AS (
  UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now()
  WHERE run = (SELECT id FROM mine) AND status = 'open' AND $3 <> 'blocked' RETURNING id
), told AS (
  INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_strip_nulls(json_build_object('status', $3::text, 'why', $5::json)) FROM mine${told}
)
SELECT pg_notify('toolwright', 'ended ' || id)::text AS told,
  ${mayHoldBack('mine.tool')} AS holds_back FROM mine
UNION ALL SELECT pg_notify('toolwright', 'withdrawn ' || id)::text, false FROM withdrawn
UNION ALL SELECT '', false FROM toolwright.run WHERE id = $1 AND epoch = $2 AND status = $3 AND NOT EXISTS (SELECT FROM mine)`

const END = endText('', '')

/** The event of the end is numbered after the entry, which it looks at for that. */
const END_WITH_ENTRY = endText(`${writingOne(6, ' RETURNING run')}, `, ' WHERE (SELECT count(*) FROM written) >= 0')

export async function endRun(store: Store, claim: Claim, ending: RunEnding): Promise<boolean> {
  const { artifact } = ending
  const rows =
    artifact === undefined
      ? await end(store.pool, claim, ending)
      : await store.transaction(async (client) => {
          await client.query('SET LOCAL statement_timeout = 0')
          await insertArtifact(client, claim.id, artifact)
          return end(client, claim, ending)
        })
  const holdsBack = rows.some(({ holds_back: isHoldingBack }) => isHoldingBack)
  if (holdsBack) await releaseHeldBack(store, claim.tool)
  return rows.length > 0
}

interface EndRow {
  readonly holds_back: boolean
}

async function end(on: Pool | ClientBase, { id, epoch }: Claim, { status, result, why, last }: RunEnding): Promise<readonly EndRow[]> {
  const values = [id, epoch, status, result, why]
  const query =
    last === undefined
      ? { name: 'toolwright.end', text: END, values }
      : { name: 'toolwright.end_with_entry', text: END_WITH_ENTRY, values: [...values, ...valuesOf(last)] }
  const { rows } = await on.query<EndRow>({ ...PROMPT, ...query })
  return rows
}
