import type { Place } from './place.ts'

const MARKS: ReadonlySet<string> = new Set(
  'confidence difficulty grade intensity level mark mood pain points priority quality rating satisfaction score severity star stars stress'.split(
    ' ',
  ),
)

/** Whether a number is given as a mark out of the best one. Of guests, `5/6` are five or six. */
export function isMark({ words, text }: Place): boolean {
  return words.some((word) => MARKS.has(word)) || /\b(?:rating|score|scale|stars?|marks?|points)\b/.test(text)
}
