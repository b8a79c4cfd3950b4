import { printable } from '../tool/printable.ts'

/** A text of many lines, each behind a bar, so that no line of it can pass for one of ours. */
export function quoted(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `  | ${printable(line)}\n`)
    .join('')
}
