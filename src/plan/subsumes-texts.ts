import type { JsonSchema } from '../tool/schema/json-schema.ts'
import { matches } from './subsumes-judge.ts'
import { largest, smallest } from './subsumes-keywords.ts'

/** The strings that a case allows. */
export interface TextRange {
  readonly least: number
  readonly most: number
  readonly patterns: readonly string[]
  readonly formats: readonly string[]
}

/** What all parts together say of strings. */
export function textRange(parts: readonly JsonSchema[]): TextRange {
  return {
    least: largest(parts, 'minLength', 0),
    most: smallest(parts, 'maxLength'),
    patterns: textsOf(parts, 'pattern'),
    formats: textsOf(parts, 'format'),
  }
}

/** The strings that are given: a pattern that the empty string does not match promises a character. */
export function givenTextRange(parts: readonly JsonSchema[]): TextRange {
  const range = textRange(parts)
  return range.least === 0 && range.patterns.some((pattern) => matches(pattern, '') === 'no') ? { ...range, least: 1 } : range
}

function textsOf(parts: readonly JsonSchema[], keyword: string): readonly string[] {
  return parts.flatMap((part) => (typeof part[keyword] === 'string' ? [part[keyword]] : []))
}

/** Which lengths it has is known, and that any string of such a length will do. */
export function isPlainText({ patterns, formats }: TextRange): boolean {
  return patterns.length === 0 && formats.length === 0
}

/** All lengths of one range are in the other. */
export function coversLengths(wide: TextRange, narrow: TextRange): boolean {
  return wide.least <= narrow.least && narrow.most <= wide.most
}

/** No string has a length of both. */
export function areApartInLength(one: TextRange, other: TextRange): boolean {
  return one.least > other.most || other.least > one.most
}

/** The first pattern or format that is asked for and not promised, in words. */
export function missingPromise(asked: TextRange, given: TextRange): string | undefined {
  const pattern = asked.patterns.find((each) => !given.patterns.includes(each))
  if (pattern !== undefined) return `the pattern ${pattern}`
  const format = asked.formats.find((each) => !given.formats.includes(each))
  return format === undefined ? undefined : `the format '${format}'`
}
