import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../schema/json-schema.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import { type JournalEntry, memoryJournal } from '../tool/journal/journal.ts'
import { failureData } from '../tool/result/failure-details.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The end of a run: a result, or the reason of its rejection. */
export type RunEnd = { readonly result: ToolResult } | { readonly rejected: Error }

/** The live run, and the replays that ended in another way. */
export interface ReplayReport {
  readonly live: RunEnd
  readonly entries: readonly JournalEntry[]
  /** Prefixes of the journal from which the run ended in another way. Empty where the law holds. */
  readonly diverged: readonly { readonly prefix: number; readonly end: RunEnd }[]
}

/** The options of `replayFromEveryPrefix`. */
export interface ReplayOptions {
  /** Fresh options for every run: reviewers with a script start over. Clock, journal and idempotency key are set by the harness. */
  readonly options?: (() => Omit<CallOptions, 'journal' | 'clock' | 'idempotencyKey'>) | undefined
}

const NAMES = optionNames<ReplayOptions>({ options: true })

/**
 * Runs a tool once with a journal, then again from every prefix of that journal, as after a crash at each point, and compares the ends.
 * Every run begins at the same moment: a crash takes no time, and a step that runs again ends when it did. What is recorded comes back at
 * once, so nothing is proved about what depends on how long recorded steps took. Nor is a crash in the middle of an effect compared that then
 * failed: whether it had happened is not known any more, and the run may end otherwise.
 * @example
 * const report = await replayFromEveryPrefix(rollTwice, 'red')
 * console.log(report.diverged) // []
 */
export async function replayFromEveryPrefix<I, O>(
  tool: AgentTool<I, O>,
  input: NoInfer<I>,
  given: ReplayOptions = {},
): Promise<ReplayReport> {
  checkOptionNames(given, NAMES, 'The options of replayFromEveryPrefix')
  const { options = () => ({}) } = given
  const run = async (past: readonly JournalEntry[]): Promise<{ end: RunEnd; entries: readonly JournalEntry[] }> => {
    // Not the time of the last entry: a step that had begun by then and runs again would end later than it did.
    const clock = fakeClock()
    const journal = memoryJournal(past)
    const end = await endOf(clock, tool.call(input, { ...options(), journal, clock, idempotencyKey: 'replayed-run' }))
    return { end, entries: journal.entries }
  }
  const { end: live, entries } = await run([])
  const diverged: { prefix: number; end: RunEnd }[] = []
  for (let prefix = 0; prefix <= entries.length; prefix++) {
    const past = entries.slice(0, prefix)
    if (leavesUnknown(past, entries)) continue
    const { end } = await run(past)
    if (!sameEnd(live, end)) diverged.push({ prefix, end })
  }
  return { live, entries, diverged }
}

/** Whether a step was under way that takes effect, and that failed in the whole record: after a crash at this point its outcome is unknown. */
export function leavesUnknown(past: readonly JournalEntry[], entries: readonly JournalEntry[]): boolean {
  const last = (path: string, among: readonly JournalEntry[]) => among.findLast((entry) => entry.kind === 'call' && entry.path === path)
  return past.some((entry) => {
    if (entry.kind !== 'call' || entry.repeatable === true || hasResult(last(entry.path, past))) return false
    const result = resultIn(last(entry.path, entries))
    const error = isRecord(result) ? result['error'] : undefined
    return isRecord(error) && error['outcome'] !== 'unknown'
  })
}

function resultIn(entry: JournalEntry | undefined): unknown {
  return entry?.kind === 'call' ? entry.result : undefined
}

function hasResult(entry: JournalEntry | undefined): boolean {
  return resultIn(entry) !== undefined
}

/** Waits with the clock moving as it must. */
export async function endOf(clock: FakeClock, running: Promise<ToolResult>): Promise<RunEnd> {
  try {
    return { result: await clock.until(running) }
  } catch (error) {
    return { rejected: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** The same result but for ids, times and causes, or the same rejection. */
function sameEnd(a: RunEnd, b: RunEnd): boolean {
  if ('rejected' in a || 'rejected' in b) return 'rejected' in a && 'rejected' in b && a.rejected.message === b.rejected.message
  return isDeepStrictEqual(comparable(a.result), comparable(b.result))
}

/** A result without ids, times and causes, which differ from run to run, so that two runs can be compared. */
export function comparable(result: ToolResult): unknown {
  const { issues, level, compensation, validation, usage } = result
  const attempts = result.attempts?.map(({ at: _at, ...attempt }) => attempt)
  const steps = result.steps?.map(({ label, path, tool, result: inner }) => ({ label, path, tool, result: comparable(inner) }))
  const details = { tool: result.provenance.tool, text: result.text, steps, issues, attempts, level, compensation, validation, usage }
  if (result.ok) return { ok: true, value: result.value, content: result.content, confidence: result.confidence, ...details }
  return { ok: false, error: failureData(result.error), ...details }
}
