import type { MessageContent, ToolMessage as LangChainMessage } from '@langchain/core/messages'
import { failureData } from '../../tool/result/failure-details.ts'
import type { ContentPart, ToolSuccess } from '../../tool/result/result.ts'
import type { CallIdentity } from '../call-identity.ts'
import type { Told } from '../told-to-peer.ts'
import type { LangChainCore } from './load-lang-chain.ts'

type ContentBlock = Exclude<MessageContent, string>[number]

/** What the model reads of a success: its text, and images, audio and files as content blocks. */
export function messageContent({ text, content }: ToolSuccess): MessageContent {
  if (content === undefined || content.length === 0) return text
  const blocks = content.map(contentBlock)
  return text === '' ? blocks : [{ type: 'text', text }, ...blocks]
}

function contentBlock(part: ContentPart): ContentBlock {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type !== 'resource') return { type: part.type, data: part.data, mimeType: part.mimeType }
  const { uri, mimeType = 'application/octet-stream', text, data } = part
  if (text !== undefined) return { type: 'text', text: `${uri}\n${text}` }
  // An address is written as text, and not passed as a file to fetch: only the tool has checked it.
  if (data === undefined) return { type: 'text', text: `Resource: ${uri}` }
  return { type: 'file', data, mimeType, metadata: { filename: uri } }
}

/** A failure that the model reads and can act on; the program gets its details as the artifact. */
export function failedMessage(
  { text, failure }: Extract<Told, { readonly text: string }>,
  { name, toolCallId }: Pick<CallIdentity, 'name' | 'toolCallId'>,
  { ToolMessage }: LangChainCore,
): LangChainMessage {
  const artifact = failure === undefined ? {} : { artifact: failureData(failure.error) }
  return new ToolMessage({ status: 'error', content: text, tool_call_id: toolCallId, name, ...artifact })
}
