import { maskedDecision, maskedRequest, type Show } from '../../review/masked-item.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { ReviewVote } from '../../tool/deciders.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import type { StoredReview } from '../journal/read-journal.ts'
import { inEntry, inEvent } from '../journal/place.ts'
import { type Values, artifactId } from '../journal/values.ts'
import type { HappenedRow } from '../store/run-reading.ts'
import type { RunsContext } from '../runs-context.ts'
import type { RunReason, RunStatus } from '../state/run-state.ts'
import { masking, openEvent } from './opened-run.ts'
import { LARGEST, storedRun } from './stored-run.ts'

type EventOf<T extends string> = {
  readonly type: T
  /** Rises within a run; to go on after it, pass it as `after`. */
  readonly no: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What happened in a run. Steps of earlier times are told once, also when a later segment replays them. */
export type RunEvent =
  | (EventOf<'status'> & {
      readonly status: RunStatus
      readonly why?: RunReason | undefined
      /** Who has it, while it is running. */
      readonly worker?: string | undefined
    })
  | (EventOf<'step.started'> & { readonly path: string; readonly tool: string })
  | (EventOf<'step.finished'> & {
      readonly path: string
      readonly tool: string
      readonly ok: boolean
      readonly message?: string | undefined
    })
  | (EventOf<'review.requested'> & { readonly path: string; readonly request: ReviewRequest })
  | (EventOf<'review.decided'> & { readonly path: string; readonly decision: ReviewDecision })
  /** One approval of a request that needs several. */
  | (EventOf<'review.voted'> & ReviewVote & { readonly path: string })
  | (EventOf<'sleeping'> & { readonly path: string; readonly until: number })
  | (EventOf<'progress'> & {
      readonly path: string
      readonly tool: string
      readonly message?: string | undefined
      readonly progress?: number | undefined
      readonly total?: number | undefined
    })

const PAGE = 500

/** What happened in a run after the given number, oldest first. */
export async function readEvents(context: RunsContext, run: string, after: number): Promise<readonly RunEvent[]> {
  const { store, values } = context
  const rows = await store.readEvents(run, after, PAGE)
  const large = rows.flatMap(({ data }) => (data === null ? [] : (artifactId(data) ?? [])))
  const artifacts = await store.readArtifacts(run, large)
  const events = rows.map((row) => {
    const id = row.data === null ? undefined : artifactId(row.data)
    const text = id === undefined ? row.data : (artifacts.get(id) ?? null)
    return eventOf(row, text === null ? null : valueOf(row, text, { run, values }), { run, values })
  })
  if (!events.some(({ event }) => holdsText(event))) return events.map(({ event }) => event)
  // The secrets of a run stand in all of its records: a text of one event may repeat what another one holds.
  const show = await masking(context, await storedRun(context, run, LARGEST))
  return events.map(({ event, asked }) => shownEvent(event, asked, show))
}

/** An event, and of a decision the request that it decides. */
interface Happened {
  readonly event: RunEvent
  readonly asked?: ReviewRequest | undefined
}

/** Texts that were not masked when they were written. Reasons of the run and progress were. */
function holdsText(event: RunEvent): boolean {
  return event.type.startsWith('review.') || (event.type === 'step.finished' && !event.ok)
}

function shownEvent(event: RunEvent, asked: ReviewRequest | undefined, show: Show): RunEvent {
  switch (event.type) {
    case 'step.finished':
      return event.message === undefined ? event : { ...event, message: show(event.message) }
    case 'review.requested':
      return { ...event, request: maskedRequest(event.request, show) }
    case 'review.decided':
      return { ...event, decision: maskedDecision(event.decision, asked ?? {}, show) }
    case 'review.voted':
      return event.note === undefined ? event : { ...event, note: show(event.note) }
    default:
      return event
  }
}

interface Opening {
  readonly run: string
  readonly values: Values
}

/** Statuses stand in clear text, as in the row of the run. */
function valueOf({ type, path }: HappenedRow, text: string, { run, values }: Opening): JsonData {
  if (path === null && type === 'status') return JSON.parse(text) as JsonData
  return values.unseal(text, path === null ? inEvent(run, type) : inEntry(run, path, 'data'))
}

function eventOf({ no, at, type, path, tool }: HappenedRow, data: JsonData, { run, values }: Opening): Happened {
  // An attempt at a step has one form for readers, whoever retried it.
  const place = { path: (path ?? '').replace(/:(?=@\d+$)/, ''), tool: tool ?? '' }
  switch (type) {
    case 'call.begun':
      return { event: { type: 'step.started', no, at, ...place } }
    case 'call.ended':
      return { event: { type: 'step.finished', no, at, ...place, ...outcomeOf(data) } }
    case 'review.begun':
      return { event: { type: 'review.requested', no, at, path: place.path, request: (data as unknown as StoredReview).request } }
    case 'review.ended': {
      const { request: asked, decision = { action: 'reject' } } = data as unknown as StoredReview
      return { event: { type: 'review.decided', no, at, path: place.path, decision }, asked }
    }
    case 'sleep.begun':
      return { event: { type: 'sleeping', no, at, path: place.path, until: data as number } }
    default:
      return { event: { type, no, at, ...(openEvent(data, run, values) as object) } as RunEvent }
  }
}

function outcomeOf(data: JsonData): { readonly ok: boolean; readonly message?: string } {
  const { error } = (data ?? {}) as { readonly error?: { readonly message?: string } }
  return error === undefined ? { ok: true } : { ok: false, message: error.message ?? '' }
}
