import { TextDecoder } from 'node:util'

/** How the bytes of a text are read. */
export type TextEncodingName = 'utf8' | 'utf16le' | 'utf16be' | 'latin1'

export interface TextForm {
  readonly encoding: TextEncodingName
  /** How many bytes of byte order mark stand before the text. */
  readonly mark: number
}

const UTF8_MARK = [0xef, 0xbb, 0xbf]
const UTF16LE_MARK = [0xff, 0xfe]
const UTF16BE_MARK = [0xfe, 0xff]

const MARKS: readonly (readonly [readonly number[], TextEncodingName])[] = [
  [UTF8_MARK, 'utf8'],
  [UTF16LE_MARK, 'utf16le'],
  [UTF16BE_MARK, 'utf16be'],
]

/** By the byte order mark where there is one, unless the caller names another encoding; else UTF-8. */
export function textForm(head: Uint8Array, wanted?: TextEncodingName): TextForm {
  for (const [mark, encoding] of MARKS) {
    const isMarked = mark.every((byte, index) => head[index] === byte)
    if (isMarked && (wanted === undefined || wanted === encoding)) return { encoding, mark: mark.length }
  }
  return { encoding: wanted ?? 'utf8', mark: 0 }
}

const LABELS: Readonly<Record<TextEncodingName, string>> = {
  utf8: 'utf-8',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  latin1: 'latin1',
}

/** Throws at bytes that are no text; the mark is not its business. */
export function strictDecoder(encoding: TextEncodingName): TextDecoder {
  return new TextDecoder(LABELS[encoding], { fatal: true, ignoreBOM: true })
}

/** How many bytes a text that was decoded took in the file. */
export function encodedLength(text: string, encoding: TextEncodingName): number {
  if (encoding === 'utf8') return Buffer.byteLength(text)
  return encoding === 'latin1' ? text.length : text.length * 2
}

/** The longest beginning of a text that takes no more than so many bytes of UTF-8, without half a character. */
export function beginningOf(text: string, most: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(most)).read)
}
