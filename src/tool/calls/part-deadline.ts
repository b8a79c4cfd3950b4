import type { Journal } from '../journal/journal.ts'
import type { Call } from './call.ts'
import { diverged } from './decide.ts'
import { readEntry } from './journal-access.ts'
import { warnUnrecorded } from './recorded-values.ts'

interface Begun {
  /** In milliseconds since the epoch. */
  readonly at: number
  readonly ms: number
}

/**
 * How much is left of the time of a compound part that has a deadline of its own. The time of a recorded run counts over all the segments of
 * the run, so when the part began is recorded; what it waited for people is not counted.
 */
export function timeLeft(parent: Call, path: string, ms: number): number {
  const { journal, root } = parent
  if (journal === undefined || parent.behaviour.leaf || ms === Infinity) return ms
  const place = `${path}:deadline`
  const recorded = readEntry(parent, place)
  const now = root.clock.now()
  if (recorded === undefined) {
    recordBeginning(journal, place, { at: now, ms })
    return ms
  }
  if (recorded.kind !== 'decision') throw diverged(place, 'a deadline', `a ${recorded.kind}`)
  const begun = recorded.value as unknown as Begun
  return Math.max(0, begun.ms - (now - begun.at) + waitedForPeople(parent, path, now))
}

/** Nobody waits for it: what the part does is recorded after it. */
function recordBeginning(journal: Journal, path: string, { at, ms }: Begun): void {
  try {
    const written = journal.write({ kind: 'decision', path, value: { at, ms } })
    if (written instanceof Promise) written.catch((error: unknown) => warnUnrecorded(path, error))
  } catch {
    // Nothing begins any more by this journal, and so nothing takes time.
  }
}

/** The time during which at least one person was waited for inside this path. */
function waitedForPeople({ root }: Call, path: string, now: number): number {
  const waits = (root.replay?.reviewsIn(path) ?? [])
    .flatMap(({ at, decidedAt, decision }) =>
      at === undefined ? [] : [{ from: at, to: decidedAt ?? (decision === undefined ? now : at) }],
    )
    .toSorted((a, b) => a.from - b.from)
  let waited = 0
  let until = 0
  for (const { from, to } of waits) {
    waited += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return waited
}
