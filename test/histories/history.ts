import { fakeClock } from '../../src/testing/fake-clock.ts'
import { fakeIds } from '../../src/testing/fake-ids.ts'
import { endOf, type RunEnd } from '../../src/testing/replay-from-every-prefix.ts'
import { encode, type JsonData } from '../../src/tool/journal/codec.ts'
import { type JournalEntry, memoryJournal } from '../../src/tool/journal/journal.ts'
import type { SagaReport, ToolFailure, ToolResult } from '../../src/tool/result/result.ts'
import type { Program } from './programs.ts'
import { stepMaker } from './step-maker.ts'

/** A run as it was recorded: what it wrote, and what it came to. */
export interface History {
  readonly entries: readonly JournalEntry[]
  readonly end: JsonData
}

export interface Replayed extends History {
  /** The leaves that ran, in order. */
  readonly ran: readonly string[]
}

/** Runs a program on what is recorded so far, with clocks, ids and dice that are the same each time. */
export async function runProgram({ make, input, decide, options }: Program, past: readonly JournalEntry[] = []): Promise<Replayed> {
  const ran: string[] = []
  const [clock, journal] = [fakeClock(), memoryJournal(past)]
  let dice = 0
  const call = make(stepMaker((name) => ran.push(name))).call(input as never, {
    ...options,
    journal,
    clock,
    ids: fakeIds('id'),
    random: () => (++dice % 10) / 10,
    idempotencyKey: 'history',
    deadline: Infinity,
    review: { review: async (request) => decide?.(request) ?? { action: 'continue' } },
  })
  const end = await endOf(clock, call)
  return { ran, entries: journal.entries, end: dataOf(end) }
}

/** What a later version must come to as well. Its words may be other ones: messages, hints and texts are left out. */
function dataOf(end: RunEnd): JsonData {
  const given =
    'rejected' in end ? { rejected: (end.rejected as { readonly code?: string }).code ?? end.rejected.name } : essenceOf(end.result)
  return JSON.parse(JSON.stringify(encode(given))) as JsonData
}

function essenceOf(result: ToolResult): Readonly<Record<string, unknown>> {
  const { steps = [], compensation } = result
  return {
    ...(result.ok ? { value: result.value } : { error: errorOf(result.error) }),
    ...(compensation === undefined ? {} : { compensation: undoingOf(compensation) }),
    ...(steps.length === 0 ? {} : { steps: steps.map(({ path, tool, result: inner }) => ({ path, tool, ...essenceOf(inner) })) }),
  }
}

function errorOf({ code, class: kind, outcome, retryable }: ToolFailure['error']): Readonly<Record<string, unknown>> {
  return { code, class: kind, outcome, retryable }
}

function undoingOf({ state, durable, failedStep, outcomes, notUndone }: SagaReport): Readonly<Record<string, unknown>> {
  const undone = outcomes.map(({ step, status, attempts }) => ({ step, status, attempts }))
  return { state, durable, outcomes: undone, notUndone, ...(failedStep === undefined ? {} : { failedStep }) }
}
