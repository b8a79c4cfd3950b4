import { isRecord } from '../../schema/json-schema.ts'
import type { FailureDetails, Usage } from '../../tool/result/result.ts'
import type { OpenedEntry } from './opened-run.ts'
import type { LostTime, RunStep, StepAttempt } from './run-record.ts'

/** What came between the steps of a run and their ends. */
export interface Interruptions {
  readonly lost: readonly LostTime[]
  /** The steps of which a person was asked whether they took effect: they were not begun again by themselves. */
  readonly asked: ReadonlySet<string>
}

const NONE: Interruptions = { lost: [], asked: new Set() }

/** The calls of a run, each with all its attempts, in the order in which they began. */
export function runSteps(entries: readonly OpenedEntry[], interruptions: Interruptions = NONE): readonly RunStep[] {
  const byPath = new Map<string, OpenedEntry[]>()
  for (const entry of entries) {
    if (entry.kind !== 'call') continue
    const path = stepPath(entry.path)
    byPath.set(path, [...(byPath.get(path) ?? []), entry])
  }
  return [...byPath].map(([path, attempts]) => stepOf(path, attempts, interruptions))
}

/** A retry is the same step, whether the call itself was tried again (`order/charge@2`, or `order/find:@2` by the run) or one around it (`order/try@2/charge`). */
export function stepPath(path: string): string {
  return path.replaceAll(/:?@\d+(?=\/|$)/g, '')
}

function stepOf(path: string, entries: readonly OpenedEntry[], interruptions: Interruptions): RunStep {
  const sorted = entries.toSorted((a, b) => a.begunAt - b.begunAt || attemptOf(a) - attemptOf(b))
  const [first] = sorted
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) throw new Error('A step has an attempt at least.')
  const { begunAt: startedAt } = first
  const { endedAt } = last
  const usage = sorted.map(({ data }) => recordedOf(data).usage ?? {})
  return {
    path,
    tool: last.tool ?? '',
    input: last.input,
    ...outcomeOf(last.data),
    attempts: sorted.flatMap((entry) => attemptsIn(entry, interruptions)).map((attempt, index) => ({ number: index + 1, ...attempt })),
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt, durationMs: endedAt - startedAt }),
    ...(usage.every((each) => Object.keys(each).length === 0) ? {} : { usage: sumOf(usage) }),
    key: last.key ?? '',
  }
}

/** Of two that began at the same moment, the later attempt. */
function attemptOf({ path }: OpenedEntry): number {
  return Math.max(1, ...Array.from(path.matchAll(/@(\d+)(?=\/|$)/g), ([, number]) => Number(number)))
}

type Attempt = Omit<StepAttempt, 'number'>

/** One, and one more for each time that its worker was lost in the middle of it. A step that must not run again fails instead. */
function attemptsIn({ path, begunAt, endedAt, data }: OpenedEntry, { lost, asked }: Interruptions): readonly Attempt[] {
  const { error } = recordedOf(data)
  const isUnknown = error?.code === 'outcome_unknown' || asked.has(stepPath(path))
  const again = lost.flatMap(({ to }) => to ?? []).filter((at) => begunAt < at && at <= (endedAt ?? Infinity))
  const end = { ...(endedAt === undefined ? {} : { endedAt }), ...(error === undefined ? {} : { error }) }
  if (again.length === 0) return [{ startedAt: begunAt, ...end }]
  const starts = [begunAt, ...(isUnknown ? again.slice(0, -1) : again)]
  const interrupted = isUnknown ? { isLost: true } : {}
  return starts.map((startedAt, index) =>
    index === starts.length - 1 ? { startedAt, ...end, ...interrupted } : { startedAt, isLost: true },
  )
}

interface RecordedCall {
  readonly value?: unknown
  readonly error?: FailureDetails | undefined
  readonly usage?: Usage | undefined
}

function recordedOf(data: unknown): RecordedCall {
  return isRecord(data) ? data : {}
}

/** A result that is too large to be read stands for itself. */
function outcomeOf(data: unknown): Pick<RunStep, 'output' | 'error'> {
  if (data === undefined) return {}
  const recorded = recordedOf(data)
  if (recorded.error !== undefined) return { error: recorded.error }
  return { output: 'value' in recorded ? recorded.value : data }
}

function sumOf(used: readonly Usage[]): Usage {
  const tokens = used.reduce((sum, each) => sum + (each.tokens ?? 0), 0)
  const costUsd = used.reduce((sum, each) => sum + (each.costUsd ?? 0), 0)
  return { ...(tokens === 0 ? {} : { tokens }), ...(costUsd === 0 ? {} : { costUsd }) }
}
