import { isRecord } from '../../schema/json-schema.ts'
import type { ContentPart } from '../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../tool/result/returned.ts'
import { textOf } from '../../tool/result/text-of.ts'
import { base64Of, binaryContent, contentByAddress } from '../adopted.ts'

type Block = Readonly<Record<string, unknown>> & { readonly type: string }

interface ResultOf {
  readonly key: string
  /** The value is the artifact. */
  readonly isSplit: boolean
}

/** The output of a LangChain tool, with text and content as the model would read them. */
export function foreignResult(output: unknown, { key, isSplit }: ResultOf): unknown {
  if (isRecord(output) && output['lg_name'] === 'Command')
    return failure(
      `LangChain tool '${key}' returned a Command, which steers a graph. Only a graph can follow it: leave this tool in its graph.`,
      { code: 'invalid_output', outcome: 'unknown' },
    )
  if (!isToolMessage(output)) return areBlocks(output) ? withContent(output, output) : output
  const { content, artifact, status } = output
  if (status === 'error') return failure(textIn(content))
  return withContent(isSplit || artifact !== undefined ? artifact : content, content)
}

interface Message {
  readonly content: unknown
  readonly artifact?: unknown
  readonly status?: unknown
}

function isToolMessage(value: unknown): value is Message {
  return isRecord(value) && value['lc_direct_tool_output'] === true && 'content' in value && 'tool_call_id' in value
}

function withContent(value: unknown, content: unknown): ReturnedSuccess<unknown> | ReturnedFailure {
  const text = textIn(content)
  const parts = areBlocks(content) ? content.flatMap(contentPart) : []
  return success(value, { text, ...(parts.length === 0 ? {} : { content: parts }) })
}

function areBlocks(value: unknown): value is readonly Block[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isRecord(each) && BLOCKS.has(each['type']))
}

const BLOCKS: ReadonlySet<unknown> = new Set(['text', 'text-plain', 'image', 'image_url', 'audio', 'video', 'file'])

function textIn(content: unknown): string {
  if (!areBlocks(content)) return typeof content === 'string' ? content : textOf(content)
  return content
    .flatMap(({ type, text }) => ((type === 'text' || type === 'text-plain') && typeof text === 'string' ? [text] : []))
    .join('\n')
}

/** Text blocks form the text; a block that is neither data nor an address is left out. */
function contentPart(block: Block): readonly ContentPart[] {
  const { type } = block
  if (type === 'text' || type === 'text-plain') return []
  const address = type === 'image_url' ? addressIn(block['image_url']) : block['url']
  if (typeof address === 'string') return [contentByAddress(address)]
  const { data, mimeType, mime_type: former, metadata } = block
  const bytes = base64Of(data)
  if (bytes === undefined) return []
  const kind = [mimeType, former].find((each) => typeof each === 'string') ?? 'application/octet-stream'
  const filename = isRecord(metadata) ? metadata['filename'] : undefined
  return [binaryContent(bytes, { mimeType: kind, name: typeof filename === 'string' ? filename : undefined })]
}

function addressIn(value: unknown): unknown {
  return isRecord(value) ? value['url'] : value
}
