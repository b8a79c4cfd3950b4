import type { AgentTool } from '../tool/agent-tool.ts'
import { markRehearsal, PATCHED, replayOf } from '../tool/engine/replay.ts'
import { systemClock } from '../tool/clock.ts'
import type { CallOptions } from '../tool/context.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import type { Journal, JournalEntry } from '../tool/journal/journal.ts'
import { SegmentClock } from './segment-clock.ts'

export interface Rehearsal {
  readonly tool: AgentTool
  readonly input: unknown
  readonly entries: readonly JournalEntry[]
  /** What the run was started with, and what its calls share. */
  readonly options: CallOptions
  readonly isCancelled: boolean
}

/** Why a run could not go on, or why that cannot be told; empty where it could. */
export interface Rehearsed {
  readonly problem?: { readonly code: string; readonly message: string } | undefined
  readonly doubt?: string | undefined
}

const NEVER: Promise<never> = new Promise(() => {})

/**
 * Walks a program through what a run of it has recorded, and does nothing else: nothing is written, no tool runs, nobody is asked.
 */
export async function rehearseRun({ tool, input, entries, options, isCancelled }: Rehearsal): Promise<Rehearsed> {
  const latest = new Map(entries.map((entry) => [entry.path, entry]))
  // A choice between the old and the new way is made, and forgotten.
  const write: Journal['write'] = ({ path }) => (path.includes(PATCHED) ? undefined : NEVER)
  const journal: Journal = { durable: true, read: (path) => latest.get(path), past: () => latest.values(), write }
  markRehearsal(journal)
  const clock = new SegmentClock(systemClock.now() - systemClock.tick())
  const ended = tool
    .call(input as never, {
      ...options,
      log: undefined,
      on: undefined,
      alert: undefined,
      journal,
      clock,
      deadline: Infinity,
      review: { review: () => NEVER },
      ...(isCancelled ? { signal: AbortSignal.abort() } : {}),
    })
    .then(
      () => ({}),
      (error: unknown): Rehearsed => (isConfigurationError(error) ? { problem: error } : {}),
    )
  const replay = replayOf(journal)
  const walked = replay?.settled().then((): Rehearsed => {
    if (!replay.isCatchingUp || isCancelled) return {}
    const [first] = replay.reading
    if (first === undefined) return { problem: replay.divergence('goes another way') }
    return { doubt: `It would read '${first}' first, and a rehearsal reads nothing.` }
  })
  const rehearsed = await Promise.race([ended, walked ?? NEVER])
  clock.stop()
  return rehearsed
}
