/**
 * Controls, formats (bidirectional marks, zero-width characters, tags), lone surrogates, the two separators that end a line, and characters
 * without a shape of their own: variation selectors, joiners, fillers, the blank of Braille.
 */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text on one line of a terminal: characters that move the cursor, colour, hide or reorder text are escaped. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
