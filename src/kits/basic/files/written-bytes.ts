import { ToolError } from '../../../tool/errors/tool-error.ts'

export interface GivenContent {
  readonly content: string
  readonly encoding: 'utf8' | 'base64'
}

/** The content as bytes. What would not arrive as it was meant is refused. */
export function writtenBytes({ content, encoding }: GivenContent, most: number): Buffer {
  if (encoding === 'utf8' && !content.isWellFormed()) throw invalid('The content holds half of a surrogate pair, which UTF-8 cannot write.')
  if (encoding === 'base64' && !isBase64(content)) throw invalid('The content is not base64.')
  const bytes = Buffer.from(content, encoding)
  if (bytes.length <= most) return bytes
  throw invalid(
    `The content has ${bytes.length} bytes, and at most ${most} may be written at once.`,
    'Write it in several calls, with append.',
  )
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function invalid(message: string, hint?: string): ToolError {
  return new ToolError(message, { code: 'invalid_input', outcome: 'not_started', ...(hint === undefined ? {} : { hint }) })
}
