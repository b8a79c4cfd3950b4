import { printable } from './printable.ts'

const SHOWN = 30

/** The text around a place, with a mark before it. */
export function marked(text: string, at: number): string {
  const from = Math.max(0, at - SHOWN)
  const to = at + SHOWN
  const before = `${from > 0 ? '...' : ''}${text.slice(from, at)}`
  const after = `${text.slice(at, to)}${to < text.length ? '...' : ''}`
  return printable(`${before}>>>${after}`.toWellFormed())
}
