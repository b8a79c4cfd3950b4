import { isRecord } from '../../schema/json-schema.ts'
import type { FailureDetails, Usage } from '../../tool/result/result.ts'
import type { OpenedEntry } from './opened-run.ts'
import type { RunStep, StepAttempt } from './run-record.ts'

/** The calls of a run, each with all its attempts, in the order in which they began. */
export function runSteps(entries: readonly OpenedEntry[]): readonly RunStep[] {
  const byPath = new Map<string, OpenedEntry[]>()
  for (const entry of entries) {
    if (entry.kind !== 'call') continue
    const [path] = attemptOf(entry.path)
    byPath.set(path, [...(byPath.get(path) ?? []), entry])
  }
  return [...byPath].map(([path, attempts]) => stepOf(path, attempts))
}

/** Only the last label tells the attempt of a call itself: `order/charge@2`, or `order/find:@2` of a read that the run has retried. */
function attemptOf(path: string): readonly [path: string, attempt: number] {
  const found = /:?@(\d+)$/.exec(path)
  return found === null ? [path, 1] : [path.slice(0, found.index), Number(found[1])]
}

function stepOf(path: string, entries: readonly OpenedEntry[]): RunStep {
  const sorted = entries.toSorted((a, b) => attemptOf(a.path)[1] - attemptOf(b.path)[1])
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
    attempts: sorted.map(attemptIn),
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt, durationMs: endedAt - startedAt }),
    ...(usage.every((each) => Object.keys(each).length === 0) ? {} : { usage: sumOf(usage) }),
    key: last.key ?? '',
  }
}

function attemptIn({ path, begunAt: startedAt, endedAt, data }: OpenedEntry): StepAttempt {
  const { error } = recordedOf(data)
  const [, number] = attemptOf(path)
  return { number, startedAt, ...(endedAt === undefined ? {} : { endedAt }), ...(error === undefined ? {} : { error }) }
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
