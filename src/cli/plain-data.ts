import { toJsonText } from '../schema/quote.ts'
import { textOf } from '../tool/result/text-of.ts'

/** A value as JSON can hold it. What it cannot hold is given as a text. */
export function plainData(value: unknown): unknown {
  if (value === undefined) return undefined
  try {
    return JSON.parse(toJsonText(value)) as unknown
  } catch {
    return textOf(value)
  }
}
