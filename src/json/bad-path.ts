import { ToolError } from '../tool/errors/tool-error.ts'
import { marked } from '../tool/marked.ts'

/** An error at a character of a path or an expression. */
export function badPath(message: string, path: string, at: number): ToolError {
  return new ToolError(`${message} At character ${at + 1} of jsonPath: ${marked(path, at)}`, {
    code: 'invalid_request',
    hint: 'Correct jsonPath at the marked place and call again.',
  })
}

/** An error at a line and a column of a JSON text. */
export function badJson(message: string, text: string, at: number): ToolError {
  return new ToolError(`The json is not valid: ${message} At ${lineAndColumn(text, at)}: ${marked(text, at)}`, {
    code: 'invalid_request',
    hint: 'Send json as one valid JSON text, or as the value itself.',
  })
}

export function lineAndColumn(text: string, at: number): string {
  const before = text.slice(0, at).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

export function tooMuch(message: string): ToolError {
  return new ToolError(message, { code: 'invalid_request', hint: 'Ask for less: a smaller JSON or a simpler path.' })
}
