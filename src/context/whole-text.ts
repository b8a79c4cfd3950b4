import type { ContentPart, ToolResult } from '../tool/result/result.ts'
import type { StoredOutput } from './stored-outputs.ts'

/** An output as it is kept and looked at: its text with all its parts, and its value where the text is only the value's. */
export function wholeOutput(result: ToolResult<unknown>): StoredOutput {
  return outputWithout(result, [])
}

/** The same without the bytes of parts that a model sees as they are. */
export function outputWithout(result: ToolResult<unknown>, shown: readonly ContentPart[]): StoredOutput {
  const { text, provenance } = result
  const parts = result.ok ? (result.content ?? []) : []
  const own = parts.map((part, at) => partText(part, at, shown.includes(part))).filter((each) => each !== '' && each !== text)
  if (own.length > 0) return { text: [text, ...own].join('\n'), provenance }
  const isStructured = result.ok && typeof result.value === 'object' && result.value !== null
  return isStructured && isReadable(result.value) ? { text, value: result.value, provenance } : { text, provenance }
}

const DEEPEST = 500

/** Whether all of a value can be looked at: no getter throws, and it is not nested so deeply that nothing can walk through it. */
function isReadable(value: unknown): boolean {
  const seen = new Set<object>()
  let level: object[] = typeof value === 'object' && value !== null ? [value] : []
  try {
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > DEEPEST) return false
      const next: object[] = []
      for (const each of level) {
        if (seen.has(each) || ArrayBuffer.isView(each)) continue
        seen.add(each)
        for (const below of Array.isArray(each) ? (each as readonly unknown[]) : Object.values(each))
          if (typeof below === 'object' && below !== null) next.push(below)
      }
      level = next
    }
    return true
  } catch {
    return false
  }
}

function partText(part: ContentPart, at: number, isShown: boolean): string {
  if (part.type === 'text') return part.text
  const name = part.type === 'resource' ? `${part.uri}${part.mimeType === undefined ? '' : `, ${part.mimeType}`}` : part.mimeType
  if (isShown) return `[part ${at + 1}: ${part.type} ${name}, shown below]`
  const body = part.type === 'resource' ? (part.text ?? part.data ?? '') : part.data
  return `[part ${at + 1}: ${part.type} ${name}]\n${body}`
}
