import { DatabaseError } from './statement.ts'

/** PostgreSQL takes such escapes into a column of type json, and refuses them wherever it reads the text. */
export function checkJsonText(text: string | null): void {
  if (text === null) return
  if (text.includes('\\u0000')) throw new DatabaseError('22P05', 'unsupported Unicode escape sequence')
  if (/\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f]/.test(text)) {
    throw new DatabaseError('22P02', 'invalid input syntax for type json')
  }
}

/** No text of PostgreSQL holds the character with the number 0. */
export function checkTexts(given: readonly unknown[]): void {
  for (const value of given) {
    if (typeof value === 'string') {
      if (value.includes('\0')) throw new DatabaseError('22021', 'invalid byte sequence for encoding "UTF8": 0x00')
    } else if (Array.isArray(value)) checkTexts(value)
  }
}
