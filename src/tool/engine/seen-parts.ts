import { isPlainRecord } from '../../schema/json-schema.ts'
import type { ForeseenWhole } from './foresee.ts'
import type { ForeseenPart } from './foreseen-parts.ts'
import { isSame } from './same-input.ts'

/**
 * Whether a person who was shown `before`, and wrote `edited`, knows what all parts get after the edit: each value of it is one that they wrote,
 * or that they saw at the same place. What a schema makes of the edit is known to nobody.
 */
export function areSeen(after: ForeseenWhole, edited: unknown, before: ForeseenWhole): boolean {
  const whole = { written: edited, shown: before.input, around: before.input }
  return isSeen(after.input, whole) && after.parts.every((part) => isSeen(part.input, placeOf(part, before)))
}

/** A place of an input: what was written there, what was shown there before, and what the tool around it had there before. */
interface Place {
  readonly written: unknown
  readonly shown: unknown
  readonly around: unknown
}

/** A part that was not shown by itself got what was shown for the whole. */
function placeOf({ path, given, isOfWhole }: ForeseenPart, before: ForeseenWhole): Place {
  const known = before.parts.find((part) => part.path === path)
  if (known !== undefined) return { written: given, shown: known.input, around: known.given }
  return isOfWhole ? { written: given, shown: before.input, around: before.input } : { written: given, shown: undefined, around: undefined }
}

function isSeen(value: unknown, { written, shown, around }: Place): boolean {
  if (isSame(value, written) || (shown !== undefined && isSame(value, shown))) return true
  if (Array.isArray(value)) {
    if (!Array.isArray(written) || written.length !== value.length) return false
    return value.every((each, index) =>
      isSeen(each, { written: written[index] as unknown, shown: at(shown, index), around: at(around, index) }),
    )
  }
  if (!isPlainRecord(value) || !isPlainRecord(written)) return false
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(written, key) && !has(shown, key)) return false
    if (!isSeen(value[key], { written: written[key], shown: at(shown, key), around: at(around, key) })) return false
  }
  // A field that is left out must have been left out before.
  return Object.keys(written).every((key) => Object.hasOwn(value, key) || (has(around, key) && !has(shown, key)))
}

function has(value: unknown, key: string | number): value is Readonly<Record<string | number, unknown>> {
  return (Array.isArray(value) || isPlainRecord(value)) && Object.hasOwn(value, key)
}

function at(value: unknown, key: string | number): unknown {
  return has(value, key) ? value[key] : undefined
}
