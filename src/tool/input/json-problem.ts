import { excerpt, kindAndSize } from '../../schema/quote.ts'

const LONGEST_REASON = 80

/** Why a text is not JSON, and where. The text itself is not repeated: nothing tells what in it is secret. */
export function jsonProblem(text: string, cause: unknown): string {
  return `${reasonOf(cause)}, ${placeOf(text, cause)}`
}

/** The engine's message repeats the text; the part before it is enough. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (message.includes('call stack')) return 'it is nested too deeply'
  return excerpt(message.split(/, (?:\.\.\.)?"| in JSON| at position/)[0]?.trim() ?? message, LONGEST_REASON)
}

/** Where reading stopped, if the engine says it, and the size of the text. */
function placeOf(text: string, cause: unknown): string {
  const found = cause instanceof Error ? / at position (\d+)/.exec(cause.message)?.[1] : undefined
  return found === undefined ? `in ${kindAndSize(text)}` : `at character ${Number(found) + 1} of ${text.length}`
}
