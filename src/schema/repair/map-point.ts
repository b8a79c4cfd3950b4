import { nameForm } from './name-words.ts'
import type { SchemaNode } from './schema-node.ts'

const LATITUDES: ReadonlySet<string> = new Set(['lat', 'latitude'])
const LONGITUDES: ReadonlySet<string> = new Set(['lon', 'lng', 'long', 'longitude'])

/** `48.8566, 2.3522` and `48.8566° N, 2.3522° E` in the two fields of a place on the map. In a text, the latitude comes first. */
export function pointParts(text: string, { properties }: SchemaNode): Readonly<Record<string, string>> | undefined {
  const names = Object.keys(properties)
  const latitude = names.find((name) => LATITUDES.has(nameForm(name)))
  const longitude = names.find((name) => LONGITUDES.has(nameForm(name)))
  if (names.length !== 2 || latitude === undefined || longitude === undefined || text.length > LONGEST) return undefined
  const [, first = '', second = ''] = POINT.exec(text.trim()) ?? []
  return first === '' ? undefined : { [latitude]: first, [longitude]: second }
}

const LONGEST = 80
const POINT = /^([+-]?\d{1,2}(?:\.\d+)?\s?°?\s?[NS]?)\s*[,;/]\s*([+-]?\d{1,3}(?:\.\d+)?\s?°?\s?[EW]?)$/i
