/**
 * Controls, formats (bidirectional marks, zero-width characters, tags), lone surrogates, code points for private use or without a character,
 * the two separators that end a line, and characters without a shape of their own: variation selectors, joiners, fillers, the blank of Braille,
 * the empty notehead, the filler of Khitan.
 */
export const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\u{16FE4}]/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text on one line of a terminal: characters that move the cursor, colour, hide or reorder text are escaped. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
