import { excerpt } from '../../../schema/quote.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { printable } from '../../../tool/printable.ts'

const LONGEST_SHOWN = 200

/** A path as a message may show it. */
export function shownPath(path: string): string {
  return `'${printable(excerpt(path, LONGEST_SHOWN))}'`
}

/** A path that must not be used. Nothing was touched. */
export function pathRefused(path: string, why: string): ToolError {
  return new ToolError(`The path ${shownPath(path)} is refused: ${why}`, { code: 'path_refused', outcome: 'not_started' })
}
