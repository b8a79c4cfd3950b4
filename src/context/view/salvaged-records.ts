import { tryJson } from './document-view.ts'

const LONGEST_RECORD = 200_000
const MAX_RECORDS = 50_000
/** Objects inside each other are read again by those around them: so many characters in all. */
const MAX_READ = 30_000_000

/** Whole objects in a JSON text that is broken or cut off: the outermost ones that can be read, in one pass. */
export function salvagedRecords(text: string): unknown[] {
  /** What was read, by how many objects were open around it. */
  const closed: unknown[][] = [[]]
  const open: number[] = []
  let isText = false
  let read = 0
  for (let at = 0; at < text.length && (closed[0]?.length ?? 0) < MAX_RECORDS && read < MAX_READ; at++) {
    const character = text[at]
    if (isText) {
      if (character === '\\') at++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{') open.push(at)
    else if (character === '}' && open.length > 0) {
      const from = open.pop() ?? 0
      const depth = open.length
      if (at - from > LONGEST_RECORD) continue
      read += at - from
      const value = tryJson(text.slice(from, at + 1))
      if (value === undefined) continue
      closed.length = Math.min(closed.length, depth + 1)
      ;(closed[depth] ??= []).push(value)
    }
  }
  return closed.find((level) => level !== undefined && level.length > 0) ?? []
}
