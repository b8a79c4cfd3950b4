import { isRecord } from '../../schema/json-schema.ts'
import type { ContentPart } from '../../tool/result/result.ts'
import { failure, success } from '../../tool/result/returned.ts'
import { base64Of, binaryContent, contentByAddress } from '../adopted.ts'

/** What the SDK says for every error of a tool that says nothing else. */
const FAILED = 'An error occurred while running the tool. Please try again.'

type Part = Readonly<Record<string, unknown>>

/** The output of a function tool, with text and content as the model would read them. */
export function foreignResult(output: unknown): unknown {
  if (output === FAILED) return failure('The tool failed, and does not say why.')
  const parts = Array.isArray(output) ? output : [output]
  if (parts.length === 0 || !parts.every(isPart)) return output
  const text = parts.flatMap((part) => (part['type'] === 'text' ? [String(part['text'])] : [])).join('\n')
  const content = parts.flatMap(contentPart)
  return success(output, { text, ...(content.length === 0 ? {} : { content }) })
}

function isPart(value: unknown): value is Part {
  if (!isRecord(value)) return false
  const { type, text, image, file } = value
  return (
    (type === 'text' && typeof text === 'string') || (type === 'image' && image !== undefined) || (type === 'file' && file !== undefined)
  )
}

/** Text parts form the text; a part that only the provider can read is left out. */
function contentPart(part: Part): readonly ContentPart[] {
  const { type } = part
  if (type === 'text') return []
  const usual = type === 'image' ? 'image/png' : 'application/octet-stream'
  const given = type === 'image' ? part['image'] : part['file']
  if (typeof given === 'string') return [byText(given, usual)]
  if (!isRecord(given)) return []
  const { data, mediaType, filename, url } = given
  if (typeof url === 'string') return [contentByAddress(url)]
  const bytes = base64Of(data)
  if (bytes === undefined) return []
  const mimeType = typeof mediaType === 'string' ? mediaType : usual
  return [binaryContent(bytes, { mimeType, name: typeof filename === 'string' ? filename : undefined })]
}

const ADDRESS = /^[a-z][\w+.-]*:/i

/** An address, or bytes as text. */
function byText(given: string, mimeType: string): ContentPart {
  return ADDRESS.test(given) ? contentByAddress(given) : binaryContent(given, { mimeType })
}
