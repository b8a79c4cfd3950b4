/** JSON of a provider. */
export type ProviderValue = null | string | number | boolean | ProviderValue[] | { [key: string]: ProviderValue | undefined }

/** What providers want to be told, or have told, by their names: signatures of thoughts, caches. */
export type ProviderOptions = Record<string, { [key: string]: ProviderValue | undefined }>

/** Text of a model. */
export interface AgentTextPart {
  type: 'text'
  text: string
  providerOptions?: ProviderOptions
}

/** What a model thought before it answered, where its provider tells it. */
export interface AgentReasoningPart {
  type: 'reasoning'
  text: string
  providerOptions?: ProviderOptions
}

/** A call that a model asked for. */
export interface AgentToolCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  /** The arguments; `{}` where they were not a JSON object. */
  input: unknown
  providerOptions?: ProviderOptions
}

/** An image, a sound or another file of a result. */
export interface AgentFilePart {
  type: 'file'
  /** Base64. */
  data: { type: 'data'; data: string }
  mediaType: string
}

/** What the model read of a result: a text, or a text with files. */
export type AgentToolOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'content'; value: (AgentFilePart | { type: 'text'; text: string })[] }

/** The result of a call, for the model. */
export interface AgentToolResultPart {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: AgentToolOutput
}

/** A message of the transcript, in the form of the AI SDK: `generateText({ messages })` takes them. */
export type AgentMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: AgentTextPart[] }
  | { role: 'assistant'; content: (AgentTextPart | AgentReasoningPart | AgentToolCallPart)[] }
  | { role: 'tool'; content: AgentToolResultPart[] }

/** A call as a model wrote it: its arguments are a text, which may be anything. */
export interface AskedCall {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: string
  readonly providerOptions?: ProviderOptions
}

export type ReplyPart = AgentTextPart | AgentReasoningPart | AskedCall

export function userMessage(...texts: readonly string[]): AgentMessage {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) }
}

/** The text of what a model reads of a result. */
export function textOfOutput(output: AgentToolOutput): string {
  if (output.type !== 'content') return output.value
  return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** The reply of a model as a message. Calls are left out where nobody answers them: providers refuse a call without a result. */
export function assistantMessage(content: readonly ReplyPart[], { withCalls }: { readonly withCalls: boolean }): AgentMessage {
  const kept = withCalls ? content : content.filter((part) => part.type !== 'tool-call')
  return { role: 'assistant', content: kept.map((part) => (part.type === 'tool-call' ? { ...part, input: objectOf(part.input) } : part)) }
}

/** All text of a reply. */
export function textIn(content: readonly ReplyPart[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

/** Providers take an object only. */
function objectOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
