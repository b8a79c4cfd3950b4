import type { ReviewDecision, ReviewRequest } from '../review.ts'
import type { Waits } from '../retry-rules.ts'
import type { JsonData } from './codec.ts'

interface Recorded {
  /** Labels from the root call down. */
  readonly path: string
  /** Recorded while the run was still catching up. It only reads, and need not be reached again. */
  readonly late?: boolean | undefined
}

/** A leaf was dispatched under this key, and later its result. */
export interface CallEntry extends Recorded {
  readonly kind: 'call'
  /** The tool's name: another tool at this path is another program. */
  readonly tool: string
  readonly inputHash: string
  /** The input of the tool; absent in entries of older versions. */
  readonly input?: JsonData | undefined
  readonly key: string
  /** The call may safely run again: a journal that keeps the order of its entries need not wait for this write. */
  readonly repeatable?: boolean | undefined
  /** Absent until the call has settled. */
  readonly result?: JsonData | undefined
}

/** Something that a combinator decided once: a winner, a branch, the end of a loop. */
export interface DecisionEntry extends Recorded {
  readonly kind: 'decision'
  readonly value: JsonData
}

/** A sleep that began; a replay sleeps only until the same moment. */
export interface SleepEntry extends Recorded {
  readonly kind: 'sleep'
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** A person was asked, and later their decision. */
export interface ReviewEntry extends Recorded {
  readonly kind: 'review'
  readonly request: ReviewRequest
  /** When it was asked first, in milliseconds since the epoch: its time-out counts from there. */
  readonly at?: number | undefined
  readonly decision?: ReviewDecision | undefined
  /** When it was decided, in milliseconds since the epoch. */
  readonly decidedAt?: number | undefined
  /** A call that is shielded asks, such as one that undoes a step: the question stays open when the run is cancelled. */
  readonly isShielded?: boolean | undefined
}

/** One entry of the journal of a run. */
export type JournalEntry = CallEntry | DecisionEntry | SleepEntry | ReviewEntry

/**
 * The record from which a run can be resumed: recorded work is not done twice. Entries are plain data, keyed by path; a later entry at a
 * path replaces an earlier one.
 */
export interface Journal {
  /** Entries survive the process. */
  readonly durable?: boolean | undefined
  /** How a step that only reads is retried when its failure may pass; without it, it is not. Each attempt is recorded. */
  readonly retries?: Waits | undefined
  /** A person is asked what happened when the outcome of a step is unknown and it may not be repeated; without it, the step fails. */
  readonly asksOutcome?: boolean | undefined
  /** Read-only: every write is refused, so that nothing new begins. */
  readonly isClosed?: boolean | undefined
  readonly read: (path: string) => JournalEntry | undefined
  /**
   * All entries when a run is resumed. With it, the run reaches everything it did before anything new begins, and a changed program is
   * refused. Without it, only the entries that the program reads are compared.
   */
  readonly past?: (() => Iterable<JournalEntry>) | undefined
  /** The work goes on only when the returned promise resolves: "recorded" comes before "done". */
  readonly write: (entry: JournalEntry) => void | Promise<void>
  /**
   * Called when a leaf, a decision or a sleep begins (1) and ends (-1), with the end time of a sleep. At zero with an open review, the run
   * waits only for a person.
   */
  readonly inFlight?: ((change: 1 | -1, until?: number) => void) | undefined
  /** Calls back when the run leaves this process, at once if it has left, with calls under way that another segment goes on with. The returned function ends it. */
  readonly onLeave?: ((callback: () => void) => () => void) | undefined
  /** The program differs from the record. What is under way ends without being recorded, so that the version that began the run finds it unchanged. */
  readonly diverged?: ((refusal: Error) => void) | undefined
  /** Throws a ToolError if it could not keep this result: then the step fails with that error. */
  readonly accept?: ((result: JsonData) => void) | undefined
}

/**
 * A journal in memory; `entries` are the written entries, in order.
 * @example
 * const journal = memoryJournal()
 * await refund.call(input, { journal })
 * await refund.call(input, { journal: memoryJournal(journal.entries) }) // runs nothing again
 */
export function memoryJournal(past: readonly JournalEntry[] = []): Journal & { readonly entries: readonly JournalEntry[] } {
  const entries = [...past]
  const latest = new Map(entries.map((entry) => [entry.path, entry]))
  return {
    entries,
    read: (path) => latest.get(path),
    past: () => [...latest.values()],
    write: (entry) => {
      entries.push(entry)
      latest.set(entry.path, entry)
    },
  }
}
