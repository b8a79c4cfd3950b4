import type { InboxItem } from '../../review/inbox.ts'
import { maskedDecision, maskedItem, maskedRequest, type Show } from '../../review/masked-item.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { decode, type JsonData } from '../../tool/journal/codec.ts'
import { isKeptInput, readKeptInput } from '../../tool/journal/kept-input.ts'
import { askAgain, recordedSecretNames } from '../../tool/secrets/recorded-secrets.ts'
import { inEntry, inEvent, inRun, type Place } from '../journal/place.ts'
import type { StoredReview } from '../journal/read-journal.ts'
import type { Values } from '../journal/values.ts'
import type { RunsContext } from '../runs-context.ts'
import type { FullEntryRow } from '../store/run-reading.ts'
import type { StoredRun } from './stored-run.ts'
import { RunMask } from './run-mask.ts'
import type { RunReason } from '../state/run-state.ts'

/** A run with its values as a program had them, masked unless the true ones are wanted. */
export interface Opened {
  readonly input: unknown
  readonly options: unknown
  readonly why: RunReason | undefined
  readonly result: unknown
  readonly entries: readonly OpenedEntry[]
  readonly approvals: readonly InboxItem[]
  readonly events: readonly { readonly no: number; readonly at: number; readonly type: string; readonly data: unknown }[]
}

export interface OpenedEntry {
  readonly path: string
  readonly kind: string
  readonly tool: string | null
  readonly key: string | null
  readonly inputHash: string | null
  readonly input: unknown
  /** What the entry holds: of a call, its recorded result. */
  readonly data: unknown
  readonly begunAt: number
  readonly endedAt: number | undefined
}

type Open = (text: string, place: Place) => unknown

/** Opens what was read. */
export async function openedRun(context: RunsContext, stored: StoredRun, includeSecrets = false): Promise<Opened> {
  return openAll(stored, includeSecrets ? (value) => value : await masking(context, stored))
}

/** Hides the secrets of a run. The whole run is gone through first: what is secret in one place is hidden in all. */
export async function masking({ tools, secrets, store }: RunsContext, stored: StoredRun): Promise<Show> {
  const names = recordedSecretNames(openAll(stored, (value) => value).entries)
  const mask = new RunMask((await tools()).values(), secrets === undefined ? [] : await askAgain(names, secrets, store.clock))
  openAll(stored, (value, described) => {
    mask.learn(value, described)
    return value
  })
  return (value, described) => mask.show(value, described)
}

function openAll(stored: StoredRun, show: Show): Opened {
  const { row, entries, events, approvals, data } = stored
  const opened: Open = (text, place) => decode(data(text, place) as JsonData)
  return {
    input: show(opened(row.input, inRun(row.id, 'input')), { tool: row.tool, side: 'input' }),
    options: show(opened(row.options, inRun(row.id, 'options'))),
    why: row.why === null ? undefined : show(stored.values.openReason(row.why, row.id)),
    result: row.result === null ? undefined : showValue(opened(row.result, inRun(row.id, 'result')), row.tool, show),
    entries: entries.map((each) => openEntry(each, { run: row.id, values: stored.values, opened: isPlain(each) ? data : opened, show })),
    approvals: approvals.map((each) => openApproval(each, show)),
    events: events.map(({ no, at, type, data: text }) => ({
      no,
      at,
      type,
      data: show(openEvent(type === 'status' ? (JSON.parse(text) as JsonData) : data(text, inEvent(row.id, type)), row.id, stored.values)),
    })),
  }
}

/** What an event holds, with the reason that its run had. */
export function openEvent(data: JsonData | object, run: string, values: Values): unknown {
  if (!isRecord(data) || !isRecord(data['why'])) return data
  return { ...data, why: values.openReason(JSON.stringify(data['why']), run) }
}

/** Requests, decisions on them and moments are data by themselves; all else is kept as the codec writes it. */
function isPlain({ kind }: FullEntryRow): boolean {
  return kind === 'review' || kind === 'sleep'
}

interface Opening {
  readonly run: string
  readonly values: Values
  readonly opened: Open
  readonly show: Show
}

function openEntry(row: FullEntryRow, { run, values, opened, show }: Opening): OpenedEntry {
  const { path, kind, tool, key, begunAt, endedAt } = row
  const inputHash = row.inputHash === null ? null : values.unsealWord(row.inputHash, inEntry(run, path, 'input_hash'))
  const data = row.data === null ? undefined : opened(row.data, inEntry(run, path, 'data'))
  return {
    path,
    kind,
    tool,
    key,
    inputHash,
    input: row.input === null ? undefined : show(opened(row.input, inEntry(run, path, 'input')), { tool, side: 'input' }),
    data: kind === 'call' ? showValue(data, tool, show) : kind === 'review' ? openReview(data, show) : openDecision(path, data, show),
    begunAt,
    endedAt: endedAt ?? undefined,
  }
}

/** The value follows the schema of the tool; the fields around it do not. */
function showValue(data: unknown, tool: string | null, show: Show): unknown {
  if (!isRecord(data) || !('value' in data)) return show(data)
  const { value, ...rest } = data
  return { ...show(rest), value: show(value, { tool, side: 'output' }) }
}

/** What a gate has kept of its input follows the schemas of the tools; nothing tells more of other decisions. */
function openDecision(path: string, data: unknown, show: Show): unknown {
  const kept = isKeptInput(path) ? readKeptInput(data) : undefined
  if (kept === undefined) return show(data)
  const parts = kept.parts.map((part) => ({ ...part, input: show(part.input, { tool: part.tool, side: 'input' }) }))
  return { ...kept, input: show(kept.input, { tool: kept.tool, side: 'input' }), parts }
}

/** A request with its decision, as a record shows them. */
export function openApproval(item: InboxItem, show: Show): InboxItem {
  return { ...maskedItem(item, show), request: maskedRequest(item.request, show) }
}

function openReview(data: unknown, show: Show): unknown {
  if (!isRecord(data)) return show(data)
  const { request, decision, ...rest } = data as Partial<StoredReview>
  return {
    ...(request === undefined ? {} : { request: maskedRequest(request, show) }),
    ...show(rest),
    ...(decision === undefined ? {} : { decision: maskedDecision(decision, request ?? {}, show) }),
  }
}
