import type { InboxItem } from '../../review/inbox.ts'
import { isRecord } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { decode, type JsonData } from '../../tool/journal/codec.ts'
import type { Clock } from '../../tool/ports/clock.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { askAgain, recordedSecretNames } from '../../tool/secrets/recorded-secrets.ts'
import type { SecretsProvider } from '../../tool/secrets/secrets.ts'
import { inEntry, inEvent, inRun, type Place } from '../journal/place.ts'
import type { Values } from '../journal/values.ts'
import { openEvent } from './run-events.ts'
import type { FullEntryRow } from '../store/run-reading.ts'
import type { StoredRun } from './stored-run.ts'
import { type Described, RunMask } from './run-mask.ts'
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

export interface OpenOptions {
  readonly includeSecrets?: boolean | undefined
  readonly tools?: Iterable<AgentTool> | undefined
  /** Asked again for the secrets that the run has read, to mask them. */
  readonly secrets?: SecretsProvider | undefined
  readonly clock: Clock
}

type Open = (text: string, place: Place) => unknown

type Show = <T>(value: T, described?: Described) => T

/** Opens what was read. With secrets masked, the whole run is gone through first: what is secret in one place is hidden in all. */
export async function openedRun(stored: StoredRun, { includeSecrets = false, tools = [], secrets, clock }: OpenOptions): Promise<Opened> {
  if (includeSecrets) return openAll(stored, (value) => value)
  const names = recordedSecretNames(openAll(stored, (value) => value).entries)
  const mask = new RunMask(tools, secrets === undefined ? [] : await askAgain(names, secrets, clock))
  openAll(stored, (value, described) => {
    mask.learn(value, described)
    return value
  })
  return openAll(stored, (value, described) => mask.show(value, described))
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
    data: kind === 'call' ? showValue(data, tool, show) : kind === 'review' ? openReview(data, tool, show) : show(data),
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

function openApproval(item: InboxItem, show: Show): InboxItem {
  const { request, decision, ballot } = item
  const described: Described = { tool: request.tool, side: 'input' }
  const { edit: given, input } = ballot ?? {}
  const edit =
    given === undefined
      ? {}
      : {
          edit: 'patch' in given ? { patch: show(given.patch, described) } : { input: show(given.input, described) },
          input: show(input, described),
        }
  return {
    ...item,
    request: openRequest(request, show) as ReviewRequest,
    ...(decision === undefined ? {} : { decision: openDecision(decision, request.tool, show) }),
    ...(ballot === undefined ? {} : { ballot: { ...ballot, ...edit } }),
  }
}

function openReview(data: unknown, tool: string | null, show: Show): unknown {
  if (!isRecord(data)) return show(data)
  const { request, decision, ...rest } = data
  return {
    ...(request === undefined ? {} : { request: openRequest(request, show) }),
    ...show(rest),
    ...(isRecord(decision) ? { decision: openDecision(decision as unknown as ReviewDecision, tool, show) } : {}),
  }
}

/**
 * What a person was shown may be more than a record shows. A schema describes secrets and holds none: what it says of a field named
 * `password` must not be taken for one.
 */
function openRequest(request: unknown, show: Show): unknown {
  if (!isRecord(request)) return show(request)
  const { inputSchema, answerSchema, input, tool, ...rest } = request
  return {
    ...show(rest),
    tool,
    input: show(input, { tool: String(tool), side: 'input' }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(answerSchema === undefined ? {} : { answerSchema }),
  }
}

/** An edit holds what a person typed. */
function openDecision(decision: ReviewDecision, tool: string | null, show: Show): ReviewDecision {
  const described: Described = { tool, side: 'input' }
  if (decision.action !== 'edit') return show(decision)
  if ('patch' in decision) return { ...show({ ...decision, patch: null }), patch: show(decision.patch, described) }
  return { ...show({ ...decision, input: null }), input: show(decision.input, described) }
}
