import { ToolError } from '../../../tool/errors/tool-error.ts'
import { counted } from '../counted.ts'
import { binaryKind } from './binary-kind.ts'
import { shownPath } from './path-refused.ts'

/** A file that cannot be read as a text. */
export function notText(
  path: string,
  { head, bytes, why }: { readonly head: Buffer; readonly bytes: number; readonly why: string },
): ToolError {
  return new ToolError(`The file ${shownPath(path)} is not text: ${why}. It has ${counted(bytes, 'byte')} and is ${binaryKind(head)}.`, {
    code: 'not_text',
  })
}
