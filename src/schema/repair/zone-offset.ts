/**
 * The offset of a zone at a local time, such as `+02:00`. Undefined for an unknown zone, and where the clock is turned at that time: it then comes
 * twice or not at all.
 */
export function zoneOffset(zone: string, local: string): string | undefined {
  const time = Date.parse(`${local}Z`)
  if (Number.isNaN(time)) return undefined
  const found = new Set([-1, 0, 1].map((days) => offsetAt(zone, time + days * DAY)))
  const fitting = [...found].filter((offset) => offset !== undefined && offsetAt(zone, time - offset) === offset)
  const [only] = fitting
  return fitting.length === 1 && only !== undefined ? written(only) : undefined
}

const DAY = 86_400_000

/** In milliseconds. */
function offsetAt(zone: string, time: number): number | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name) ?? []
    if (!name.startsWith('GMT')) return undefined
    return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  } catch {
    return undefined
  }
}

function written(offset: number): string {
  const minutes = Math.abs(offset) / 60_000
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Whether it names a zone of IANA, or an offset. */
export function isZoneName(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return /^[+-]\d|^(?:UTC|GMT)/.test(text)
  }
}

let cities: ReadonlyMap<string, readonly string[]> | undefined

/** The zone that IANA names after a city: `Europe/Berlin` for `Berlin`. Undefined where no zone or several are named so. */
export function zoneOfCity(text: string): string | undefined {
  cities ??= zonesByCity()
  const [only, ...more] = cities.get(text.toLowerCase().replaceAll(' ', '_')) ?? []
  return more.length === 0 ? only : undefined
}

function zonesByCity(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const city = zone.slice(zone.lastIndexOf('/') + 1).toLowerCase()
    found.set(city, [...(found.get(city) ?? []), zone])
  }
  return found
}
