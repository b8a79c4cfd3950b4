import type { AgentMessage, AgentToolOutput } from './messages.ts'

/** The parts of a result that are files have another form in each version of the specification of models; all else is the same in all. */
export function promptFor(version: string | undefined, messages: readonly AgentMessage[]): readonly unknown[] {
  if (version !== 'v2' && version !== 'v3') return messages
  return messages.map((message) =>
    message.role === 'tool' && message.content.some(({ output }) => output.type === 'content')
      ? { ...message, content: message.content.map((part) => ({ ...part, output: outputFor(version, part.output) })) }
      : message,
  )
}

function outputFor(version: 'v2' | 'v3', output: AgentToolOutput): unknown {
  if (output.type !== 'content') return output
  const typeOf = (mediaType: string): string => (version === 'v2' ? 'media' : mediaType.startsWith('image/') ? 'image-data' : 'file-data')
  return {
    ...output,
    value: output.value.map((part) =>
      part.type === 'text' ? part : { type: typeOf(part.mediaType), data: part.data.data, mediaType: part.mediaType },
    ),
  }
}
