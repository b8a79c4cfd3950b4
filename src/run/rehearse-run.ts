import type { AgentTool } from '../tool/agent-tool.ts'
import { markRehearsal, replayOf } from '../tool/calls/replay.ts'
import { systemClock } from '../tool/clock.ts'
import type { CallOptions } from '../tool/context.ts'
import { type ConfigurationError, isConfigurationError } from '../tool/errors/configuration-error.ts'
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

const NEVER: Promise<never> = new Promise(() => {})

/**
 * Walks a program through what a run of it has recorded, and does nothing else: nothing is written, no tool runs, nobody is asked. Gives why
 * the run could not go on under this program; undefined where it could.
 */
export async function rehearseRun({ tool, input, entries, options, isCancelled }: Rehearsal): Promise<ConfigurationError | undefined> {
  const latest = new Map(entries.map((entry) => [entry.path, entry]))
  const journal: Journal = { durable: true, read: (path) => latest.get(path), past: () => latest.values(), write: () => NEVER }
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
      () => undefined,
      (error: unknown) => (isConfigurationError(error) ? error : undefined),
    )
  const replay = replayOf(journal)
  const walked = replay?.settled().then(() => (replay.isCatchingUp && !isCancelled ? replay.divergence('goes another way') : undefined))
  const refused = await Promise.race([ended, walked ?? NEVER])
  clock.stop()
  return refused
}
