import type { ToolResultPart } from 'ai'
import type { ContentPart } from '../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../tool/result/returned.ts'
import { textOf } from '../../tool/result/text-of.ts'

type ModelOutput = ToolResultPart['output']
type OutputPart = Extract<ModelOutput, { type: 'content' }>['value'][number]

/** What an AI SDK tool gave, with what its `toModelOutput` makes of it for the model. */
export function foreignOutput<V>(value: V, output: ModelOutput): ReturnedSuccess<V> | ReturnedFailure {
  switch (output.type) {
    case 'text':
      return success(value, { text: output.value })
    case 'json':
      return success(value, { text: textOf(output.value) })
    case 'error-text':
    case 'error-json':
      return failure(textOf(output.value))
    case 'execution-denied':
      return failure(output.reason ?? 'The execution was denied.', { code: 'rejected', outcome: 'not_started' })
    case 'content': {
      const texts = output.value.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      return success(value, { text: texts.join('\n'), content: output.value.flatMap(contentPart) })
    }
    default:
      return success(value)
  }
}

/** What is text stands in the text; what only a provider can read is left out. */
function contentPart(part: OutputPart): readonly ContentPart[] {
  if (part.type === 'file') {
    const { data, mediaType, filename } = part
    if (data.type === 'url') return [{ type: 'resource', uri: String(data.url), mimeType: mediaType }]
    if (data.type === 'text') return [{ type: 'resource', uri: filename ?? 'text', mimeType: mediaType, text: data.text }]
    return data.type === 'data' ? [binary(base64(data.data), mediaType, filename)] : []
  }
  if (part.type === 'file-data') return [binary(part.data, part.mediaType, part.filename)]
  if (part.type === 'file-url')
    return [{ type: 'resource', uri: part.url, ...(part.mediaType === undefined ? {} : { mimeType: part.mediaType }) }]
  if (part.type === 'image-data') return [binary(part.data, part.mediaType)]
  return part.type === 'image-url' ? [{ type: 'resource', uri: part.url }] : []
}

function binary(data: string, mimeType: string, filename?: string): ContentPart {
  const [kind] = mimeType.split('/')
  if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType }
  return { type: 'resource', uri: filename ?? 'file', mimeType, data }
}

function base64(data: string | Uint8Array | ArrayBuffer): string {
  if (typeof data === 'string') return data
  return Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data).toString('base64')
}
