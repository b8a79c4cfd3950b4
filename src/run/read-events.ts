import type { JsonData } from '../tool/journal/codec.ts'
import { readArtifacts } from './claimed-run.ts'
import type { StoredReview } from './revive-entry.ts'
import { openEvent } from './open-event.ts'
import { PROMPT } from './prompt.ts'
import type { RunEvent } from './run-event.ts'
import type { RunsContext } from './runs-context.ts'
import { artifactId, type Values } from './values.ts'

interface EventRow {
  readonly no: number
  readonly at: Date
  readonly type: string
  readonly path: string | null
  readonly tool: string | null
  readonly data: string | null
}

const READ = `
SELECT * FROM (
  SELECT no, at, type, NULL::text AS path, NULL::text AS tool, data FROM toolwright.event WHERE run = $1 AND no > $2
  UNION ALL
  SELECT begun_no, begun_at, kind || '.begun', coalesce(full_path, path), tool, CASE WHEN kind <> 'call' THEN data END FROM toolwright.entry
    WHERE run = $1 AND begun_no > $2 AND kind IN ('call', 'review', 'sleep')
  UNION ALL
  SELECT ended_no, ended_at, kind || '.ended', coalesce(full_path, path), tool, data FROM toolwright.entry
    WHERE run = $1 AND ended_no > $2 AND kind IN ('call', 'review')
) AS happened ORDER BY no LIMIT $3`

const PAGE = 500

/** What happened in a run after the given number, oldest first. */
export async function readEvents(context: RunsContext, run: string, after: number): Promise<readonly RunEvent[]> {
  const { store, values } = context
  const { rows } = await store.pool.query<EventRow>({ ...PROMPT, name: 'toolwright.read_events', text: READ, values: [run, after, PAGE] })
  const large = rows.flatMap(({ data }) => (data === null ? [] : (artifactId(data) ?? [])))
  const artifacts = await readArtifacts(store, run, large)
  return rows.map((row) => {
    const id = row.data === null ? undefined : artifactId(row.data)
    const text = id === undefined ? row.data : (artifacts.get(id) ?? null)
    return eventOf(row, text === null ? null : values.unseal(text), values)
  })
}

function eventOf({ no, at: date, type, path, tool }: EventRow, data: JsonData, values: Values): RunEvent {
  const at = date.getTime()
  const place = { path: path ?? '', tool: tool ?? '' }
  switch (type) {
    case 'call.begun':
      return { type: 'step.started', no, at, ...place }
    case 'call.ended':
      return { type: 'step.finished', no, at, ...place, ...outcomeOf(data) }
    case 'review.begun':
      return { type: 'review.requested', no, at, path: place.path, request: (data as unknown as StoredReview).request }
    case 'review.ended': {
      const { decision } = data as unknown as StoredReview
      return { type: 'review.decided', no, at, path: place.path, decision: decision ?? { action: 'reject' } }
    }
    case 'sleep.begun':
      return { type: 'sleeping', no, at, path: place.path, until: data as number }
    default:
      return { type, no, at, ...(openEvent(data, values) as object) } as RunEvent
  }
}

function outcomeOf(data: JsonData): { readonly ok: boolean; readonly message?: string } {
  const { error } = (data ?? {}) as { readonly error?: { readonly message?: string } }
  return error === undefined ? { ok: true } : { ok: false, message: error.message ?? '' }
}
