/** Whether PostgreSQL holds the text as it is: without NUL, and without half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** A text for people to read, with what PostgreSQL cannot hold replaced by signs that show it: `␀` and `�`. Values go another way, whole. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u2400')
}

/** For filters: what no column can hold is found in none. */
export function storableOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storable(text)
}
