import { nearestNames } from '../../../tool/resolve/nearest-names.ts'

const OFFSET = /^[+-]([01]\d|2[0-3]):?[0-5]\d$/
const WITHOUT_PLACE = /^(?:utc|gmt)$/i

/** What is wrong with a name of a zone, and what to write; undefined for a good one. */
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
