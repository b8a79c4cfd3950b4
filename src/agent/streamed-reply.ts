import { isRecord } from '../schema/json-schema.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { type CallableModel, type ModelRequest, replyOf, type TurnReply } from './language-model.ts'

/** A text or a thought that grows. */
interface GrowingPart {
  readonly type: 'text' | 'reasoning'
  text: string
  providerMetadata?: unknown
}

/** Asks for a stream, tells each piece of text, and gives the whole reply. A stream that ends too early is a failure that may be tried again. */
export async function streamedReply(model: CallableModel, request: ModelRequest, tell: (delta: string) => void): Promise<TurnReply> {
  const { stream } = await model.doStream(request)
  const content: unknown[] = []
  const growing = new Map<string, GrowingPart>()
  let finish: Readonly<Record<string, unknown>> | undefined
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value: part } = await reader.read()
      if (done) break
      if (!isRecord(part)) continue
      const { type } = part
      if (type === 'error') throw part['error']
      if (type === 'finish') finish = part
      else if (type === 'tool-call') content.push(part)
      else if (typeof type === 'string' && /^(text|reasoning)-(start|delta|end)$/.test(type)) grow(part, type)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
  if (finish === undefined)
    throw new ToolError('The answer of the model broke off in the middle.', { code: 'upstream_error', class: 'transient', retryable: true })
  return replyOf(content, finish)

  function grow(part: Readonly<Record<string, unknown>>, type: string): void {
    const key = `${type.split('-')[0]} ${String(part['id'])}`
    let known = growing.get(key)
    // A provider may use one id again for the next text.
    if (known === undefined || type.endsWith('start')) {
      known = { type: type.startsWith('text') ? 'text' : 'reasoning', text: '' }
      growing.set(key, known)
      content.push(known)
    }
    if (part['providerMetadata'] !== undefined) known.providerMetadata = part['providerMetadata']
    if (typeof part['delta'] !== 'string') return
    known.text += part['delta']
    if (known.type === 'text' && part['delta'] !== '') tell(part['delta'])
  }
}
