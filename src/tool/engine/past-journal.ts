import { stopCounts } from './request-review.ts'
import { hiddenField } from '../hidden-field.ts'
import type { Journal, JournalEntry } from '../journal/journal.ts'
import { nothingBegins } from './nothing-begins.ts'

const presents = hiddenField<Journal, Journal>()
const pasts = hiddenField<Journal, Journal>()

/**
 * A read-only view of the journal: steps only replay their records, and nothing new begins. Recorded results are returned, nobody sleeps,
 * undecided reviews are not asked again. A recorded stop that does not count came too late.
 */
export function pastJournal(journal: Journal): Journal {
  const present = presentJournal(journal)
  const past = pasts.get(present) ?? asRecordOnly(present)
  pasts.set(present, past)
  presents.set(past, present)
  return past
}

function asRecordOnly(present: Journal): Journal {
  return {
    durable: present.durable,
    isClosed: true,
    read: (path) => asPast(present, present.read(path)),
    write: () => {
      throw nothingBegins()
    },
    inFlight: (change, until) => present.inFlight?.(change, until),
  }
}

/** The journal behind a read-only view, or the journal itself. */
export function presentJournal(journal: Journal): Journal {
  return presents.get(journal) ?? journal
}

function asPast(journal: Journal, entry: JournalEntry | undefined): JournalEntry | undefined {
  // By the clock of a durable run, nothing is recorded after a sleep that is not over.
  if (entry?.kind === 'sleep') return journal.durable === true ? entry : { ...entry, until: 0 }
  if (entry?.kind !== 'review') return entry
  const isLate = entry.decision?.action === 'stop' && !stopCounts(journal, entry.path)
  return entry.decision === undefined || isLate ? undefined : entry
}
