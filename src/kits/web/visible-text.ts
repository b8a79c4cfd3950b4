/**
 * Controls, marks of direction, and characters without a shape: what hides words from a person and shows them to a model. Joiners and selectors
 * have a use between two characters of some scripts and in emoji, and none in a row.
 */
const INVISIBLE =
  /[^\P{Cc}\t\n\r]|[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]|(?:\u034F|\u200C|\u200D|[\uFE00-\uFE0F]){2,}/gu

/** The text of strangers as a person would see it. */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll(INVISIBLE, '')
}
