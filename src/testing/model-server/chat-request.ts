/** A call of a tool in a message of the assistant. */
export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** One message of a request to the scripted model server. */
export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content?: unknown
  readonly tool_calls?: readonly ChatToolCall[] | null
  readonly tool_call_id?: string
}

/** A tool in a request to the scripted model server. */
export interface ChatTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: Readonly<Record<string, unknown>> }
}

/** The body of a request for a chat completion, as far as scripts and tests read it. */
export interface ChatBody {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly ChatTool[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean } | null
  readonly [setting: string]: unknown
}

/** A request as it was received. */
export interface ChatRequest {
  /** Without the query, which may hold a credential. */
  readonly path: string
  /** Names in lower case. Headers that may hold a credential are masked. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ChatBody
}
