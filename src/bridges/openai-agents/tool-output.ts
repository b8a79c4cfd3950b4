import type { ToolOutputFileContent, ToolOutputImage, ToolOutputText } from '@openai/agents'
import type { ContentPart, ToolSuccess } from '../../tool/result/result.ts'

/** What a tool gives to the model: text, or text with images and files. */
export type AgentsOutput = string | AgentsOutputPart[]

/** One part of the output of a tool, as OpenAI Agents takes it. */
export type AgentsOutputPart = ToolOutputText | ToolOutputImage | ToolOutputFileContent

export function agentsOutput({ text, content }: ToolSuccess): AgentsOutput {
  if (content === undefined || content.length === 0) return text
  const parts = content.map(outputPart)
  return text === '' ? parts : [{ type: 'text', text }, ...parts]
}

function outputPart(part: ContentPart): AgentsOutputPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image', image: { data: part.data, mediaType: part.mimeType } }
    case 'audio':
      return file(part.data, part.mimeType, 'audio')
    case 'resource': {
      const { uri, mimeType, text, data } = part
      if (text !== undefined) return { type: 'text', text: `${uri}\n${text}` }
      // An address is written as text, and not passed as a file to fetch: only the tool has checked it.
      return data === undefined ? { type: 'text', text: `Resource: ${uri}` } : file(data, mimeType ?? 'application/octet-stream', uri)
    }
  }
}

function file(data: string, mediaType: string, filename: string): ToolOutputFileContent {
  return { type: 'file', file: { data, mediaType, filename } }
}
