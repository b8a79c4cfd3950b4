/**
 * A reason on one line, for a cell of a table or a note: lines become words after each other, without the bars behind which the words of others
 * stand. What prints it must still escape it.
 */
export function onOneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/^\|\s*/, ''))
    .filter((line) => line !== '')
    .join(' ')
}
