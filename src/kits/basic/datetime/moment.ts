import type { Temporal } from 'temporal-polyfill'
import { nearestNames } from '../../../schema/nearest-names.ts'

/** A day, or a point in time as it is read in a zone. */
export type Moment =
  /** `zone`: where it was seen from, for a day that hangs on what time it is. */
  | { readonly kind: 'date'; readonly date: Temporal.PlainDate; readonly zone?: string }
  /** `assumed`: the request names no zone, so that the zone is that of the tool. */
  | { readonly kind: 'datetime'; readonly time: Temporal.ZonedDateTime; readonly assumed: boolean }

/** The surroundings of one evaluation, and its notes for the reader. */
export interface Surroundings {
  readonly temporal: typeof Temporal
  readonly now: Temporal.Instant
  /** The zone where the request names none. */
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

const OFFSET = /^[+-]([01]\d|2[0-3]):?[0-5]\d$/
const WITHOUT_PLACE = /^(?:utc|gmt)$/i

/** The problem with a name of a zone, and what to write instead; undefined for a good name. */
export function zoneProblem(name: string): string | undefined {
  if (OFFSET.test(name) || WITHOUT_PLACE.test(name)) return undefined
  if (!name.includes('/') && /^[A-Z]{1,5}$/.test(name)) {
    return `'${name}' is an abbreviation, which may stand for several zones. Name a place, such as America/New_York, or an offset, such as -05:00.`
  }
  if (name.includes('/') && isKnown(name)) return undefined
  const near = similarZones(name)
  const advice =
    near.length === 0
      ? 'Name a place of the IANA list, such as Europe/Berlin, or an offset, such as +05:30.'
      : `Did you mean ${near.join(' or ')}?`
  return `No zone is called '${name}'. ${advice}`
}

function isKnown(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return true
  } catch {
    return false
  }
}

/** By the whole name or, as people tend to leave out the continent, by the city. */
function similarZones(written: string): readonly string[] {
  const name = written.replaceAll(/\s+/g, '_')
  const zones = Intl.supportedValuesOf('timeZone')
  const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1)
  const [city] = nearestNames(cityOf(name), zones.map(cityOf))
  const byCity = zones.filter((zone) => cityOf(zone) === city)
  return name.includes('/') ? nearestNames(name, zones) : byCity
}
