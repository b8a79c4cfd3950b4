import { UNPRINTABLE } from '../tool/printable.ts'

/** A text that stays on its line of a terminal: a dot stands for each character that could move, hide, colour or reorder. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, '·')
}

/** A text of exactly so many characters, cut or filled up. */
export function fitted(text: string, width: number): string {
  const characters = [...text]
  if (characters.length <= width) return text + ' '.repeat(width - characters.length)
  return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`
}
