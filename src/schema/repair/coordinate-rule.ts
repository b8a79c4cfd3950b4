import { onlyNumber } from './field-numbers.ts'
import type { Candidate } from './leaf-rule.ts'
import type { Misfit } from './walk.ts'

const LATITUDE = { north: 'N', south: 'S' }
const LONGITUDE = { north: 'E', south: 'W' }

/** The halves of the globe whose coordinates have no sign, and a minus. */
const HALVES: Readonly<Record<string, typeof LATITUDE>> = {
  ...{ lat: LATITUDE, latitude: LATITUDE },
  ...{ lon: LONGITUDE, lng: LONGITUDE, long: LONGITUDE, longitude: LONGITUDE },
}

/** `59.91° N`, `N 59.91` and `59.91 degrees north` for a latitude. South and west are negative. */
export function coordinate(text: string, misfit: Misfit): readonly Candidate[] {
  const [, count, behind] = /^(\d{1,3}(?:\.\d+)?)\s*(?:°|deg(?:rees?)?)?\s*([NESW]|north|east|south|west)$/i.exec(text) ?? []
  const degrees = withMinutes(text)
  if (degrees !== undefined) return coordinate(degrees, misfit)
  const [, before, number] = /^([NESW])\s?(\d{1,3}(?:\.\d+)?)\s?°?$/i.exec(text) ?? []
  const { north, south } = HALVES[misfit.place.words.at(-1) ?? ''] ?? { north: '', south: '' }
  const half = (behind ?? before ?? '').charAt(0).toUpperCase()
  const sign = half === '' ? 0 : half === north ? 1 : half === south ? -1 : 0
  const value = sign === 0 ? undefined : onlyNumber(count ?? number ?? '', misfit)
  return value === undefined ? [] : [{ value: sign * value, rule: 'coordinate', cost: 2 }]
}

/** `48°30' N` as `48.5 N`, where the fraction ends. */
function withMinutes(text: string): string | undefined {
  const [, degrees, minutes, seconds = '0', half] =
    /^(\d{1,3})\s?°\s?(\d{1,2})\s?['’′](?:\s?(\d{1,2}(?:\.\d+)?)\s?["”″])?\s?([NESW])$/i.exec(text) ?? []
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600
  return half === undefined || Number(minutes) > 59 || Number(seconds) >= 60 || !Number.isInteger(Number((value * 1e6).toPrecision(12)))
    ? undefined
    : `${value} ${half}`
}
