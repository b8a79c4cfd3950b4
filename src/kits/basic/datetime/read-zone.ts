import { NotUnderstood } from './not-understood.ts'
import type { Reader } from './reader.ts'
import type { ZoneName } from './request.ts'

/**
 * Signs belong to a name only behind a slash, as in `Etc/GMT+5`, so that `UTC+2 hours` is a sum. `New York` is no zone, but is read as a
 * whole, so that the right one can be named.
 */
const NAME = /[a-z]\w*(?:\/\w+(?:[+-]\w+)*)*(?:\s+(?!(?:to|and|in)\b)[a-z]\w*)*/
const OFFSET = /[+-]\d{2}:?\d{2}(?![\d:])/
/** An offset where a sum would have a unit. */
const SHIFTED = /(?:utc|gmt)[+-]\d[\d:]*(?![\d:]|\s*[a-z])/
const NO_ZONE = /(?:to|and|in)(?![\w/])/

/** Takes the name of a zone, where one stands. */
export function readZone(reader: Reader): ZoneName | undefined {
  const { at } = reader
  if (reader.peek(NO_ZONE) !== undefined) return undefined
  const shifted = reader.peek(SHIFTED)?.[0]
  if (shifted !== undefined) throw new NotUnderstood(`'${shifted}' is no zone`, at, 'Write the offset alone, such as +05:00.')
  const name = reader.take(NAME)?.[0]
  return name === undefined ? undefined : { name, at }
}

/** The same, or an offset such as `+05:30`. */
export function readZoneOrOffset(reader: Reader): ZoneName | undefined {
  const { at } = reader
  const offset = reader.take(OFFSET)?.[0]
  return offset === undefined ? readZone(reader) : { name: offset, at }
}
