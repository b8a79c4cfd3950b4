import type { ReviewDecision, ReviewRequest } from '../review.ts'
import type { JsonData } from './codec.ts'

interface Recorded {
  /** Labels from the root call down. */
  readonly path: string
  /** Recorded while the run was still coming by what it had recorded before. It only reads, and need not be come by again. */
  readonly late?: boolean | undefined
}

/** A leaf was dispatched under this key, and later what came of it. */
export interface CallEntry extends Recorded {
  readonly kind: 'call'
  /** The tool's name: another tool at this path is another program. */
  readonly tool: string
  readonly inputHash: string
  /** What the tool was given; absent in what older versions wrote. */
  readonly input?: JsonData | undefined
  readonly key: string
  /** Nothing is lost when the call runs again: a journal that keeps the order of its entries need not let it wait for this one. */
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

/** A person was asked, and later what they decided. */
export interface ReviewEntry extends Recorded {
  readonly kind: 'review'
  readonly request: ReviewRequest
  /** When it was asked first, in milliseconds since the epoch: its time-out counts from there. */
  readonly at?: number | undefined
  readonly decision?: ReviewDecision | undefined
  /** When it was decided, in milliseconds since the epoch. */
  readonly decidedAt?: number | undefined
}

export type JournalEntry = CallEntry | DecisionEntry | SleepEntry | ReviewEntry

/**
 * The record by which a run can be taken up again: what is in it is not done twice. Entries are plain data, keyed by path;
 * a later entry at a path replaces an earlier one.
 */
export interface Journal {
  /** What is written survives the process. */
  readonly durable?: boolean | undefined
  /** A record and no more: every write is refused, so that nothing new begins by it. */
  readonly isClosed?: boolean | undefined
  readonly read: (path: string) => JournalEntry | undefined
  /**
   * All that is recorded when a run is taken up. By this the run comes by everything that it did before anything new begins, and a program
   * that does something else is refused. Without it, only what the program reads is compared.
   */
  readonly past?: (() => Iterable<JournalEntry>) | undefined
  /** The work goes on only when the returned promise resolves: "recorded" comes before "done". */
  readonly write: (entry: JournalEntry) => void | Promise<void>
  /**
   * Told when a leaf, a decision or a sleep begins (1) and ends (-1); of a sleep, also when it is over. At zero with a review open, nothing
   * moves without a person.
   */
  readonly inFlight?: ((change: 1 | -1, until?: number) => void) | undefined
  /** Throws a ToolError where it could not keep such a result: the step then fails with that. */
  readonly accept?: ((result: JsonData) => void) | undefined
}

/**
 * A journal in memory; `entries` is what has been written, in order.
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
