import { isRecord } from '../schema/json-schema.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import type { Values } from './values.ts'

/** What an event holds, with the reason that its run had. */
export function openEvent(data: JsonData | object, values: Values): unknown {
  if (!isRecord(data) || !isRecord(data['why'])) return data
  return { ...data, why: values.openReason(JSON.stringify(data['why'])) }
}
