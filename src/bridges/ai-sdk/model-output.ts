import type { ToolResultPart } from 'ai'
import { toJsonText } from '../../schema/quote.ts'
import type { ContentPart, ToolSuccess } from '../../tool/result/result.ts'
import { textOf } from '../../tool/result/text-of.ts'

type ModelOutput = ToolResultPart['output']
type OutputPart = Extract<ModelOutput, { type: 'content' }>['value'][number]

interface Kept {
  readonly value: unknown
  readonly text: string
  readonly content: readonly ContentPart[] | undefined
}

const MOST_KEPT = 100

/** What the model reads of results. The SDK hands back the bare value: text and content of the latest results are kept for it. */
export class ModelOutputs {
  readonly #kept = new Map<string, Kept>()

  keep(toolCallId: string, { value, text, content }: ToolSuccess): void {
    this.#kept.delete(toolCallId)
    this.#kept.set(toolCallId, { value, text, content })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break
      this.#kept.delete(oldest)
    }
  }

  /** A value that comes from a browser, or from long ago, is shown as what it is. */
  of(toolCallId: string, output: unknown): ModelOutput {
    const kept = this.#kept.get(toolCallId)
    const isKept = kept !== undefined && (Object.is(kept.value, output) || toJsonText(kept.value) === toJsonText(output))
    return isKept ? modelOutput(kept) : { type: 'text', value: textOf(output) }
  }
}

function modelOutput({ text, content }: Omit<Kept, 'value'>): ModelOutput {
  if (content === undefined || content.length === 0) return { type: 'text', value: text }
  const parts = content.map(outputPart)
  return { type: 'content', value: text === '' ? parts : [{ type: 'text', text }, ...parts] }
}

function outputPart(part: ContentPart): OutputPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type !== 'resource') return { type: 'file', data: { type: 'data', data: part.data }, mediaType: part.mimeType }
  const { uri, mimeType, text, data } = part
  if (text !== undefined) return { type: 'text', text: `${uri}\n${text}` }
  // An address alone is named, not handed on as one to be fetched: nobody but the tool has looked at where it leads.
  if (data === undefined) return { type: 'text', text: `Resource: ${uri}` }
  return { type: 'file', data: { type: 'data', data }, mediaType: mimeType ?? 'application/octet-stream', filename: uri }
}
