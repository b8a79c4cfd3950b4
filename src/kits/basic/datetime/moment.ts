import type { Temporal } from 'temporal-polyfill'

/** A day, or a point in time as it is read in a zone. */
export type Moment =
  /** `zone`: where it was seen from, for a day that hangs on what time it is. */
  | { readonly kind: 'date'; readonly date: Temporal.PlainDate; readonly zone?: string }
  /** `assumed`: nobody named the zone, so that it is the tool's own. */
  | { readonly kind: 'datetime'; readonly time: Temporal.ZonedDateTime; readonly assumed: boolean }

/** What the evaluation of one request needs from outside, and what it finds worth saying. */
export interface Surroundings {
  readonly temporal: typeof Temporal
  readonly now: Temporal.Instant
  /** The zone of whatever names none. */
  readonly zone: string
  readonly notes: string[]
}

/** The day of a moment, in its own zone. */
export function dayOf(moment: Moment): Temporal.PlainDate {
  return moment.kind === 'date' ? moment.date : moment.time.toPlainDate()
}

/**
 * Reads a wall time in a zone. A time that the clocks skip is moved on by what they skip; of a time that comes twice the first is
 * taken. Both are noted.
 */
export function place(wall: Temporal.PlainDateTime, zone: string, notes: string[]): Temporal.ZonedDateTime {
  const placed = wall.toZonedDateTime(zone)
  const later = wall.toZonedDateTime(zone, { disambiguation: 'later' })
  const skipped = !placed.toPlainDateTime().equals(wall)
  const where = `${wall.toPlainTime().toString()} on ${wall.toPlainDate().toString()} in ${placed.timeZoneId}`
  if (skipped) notes.push(`${where} does not exist, the clocks skip it; ${placed.toPlainDateTime().toString()} was taken`)
  else if (!later.equals(placed)) notes.push(`${where} comes twice; the first, with offset ${placed.offset}, was taken`)
  return placed
}
