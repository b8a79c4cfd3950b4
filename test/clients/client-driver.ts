/** How one MCP client is used. A driver is a module of its own in `drivers`: its package is installed in this folder only. */
export interface ClientDriver {
  /** Whether the client can show a form to its user. */
  readonly hasForms: boolean
  /** Starts the server and connects. With `approves`, the user of the client approves every form; otherwise the client says that it has none. */
  readonly connect: (server: ServerCommand, approves: boolean) => Promise<ConnectedClient>
}

export interface ServerCommand {
  readonly command: string
  readonly args: string[]
}

export interface ConnectedClient {
  /** The names of the tools. */
  readonly list: () => Promise<readonly string[]>
  readonly call: (name: string, input: Readonly<Record<string, unknown>>, options?: CallOptions) => Promise<Answer>
  readonly close: () => Promise<unknown>
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** For clients that tell of progress. */
  readonly onProgress?: (() => void) | undefined
}

/** The answer to a call, as the model gets it. */
export interface Answer {
  readonly failed: boolean
  readonly text: string
  /** The value beside the text, for clients that hand it on. */
  readonly value?: unknown
}

interface McpResult {
  readonly isError?: unknown
  readonly content?: unknown
  readonly structuredContent?: unknown
}

/** The answer in a result of the protocol. */
export function answerOf({ isError, content, structuredContent: value }: McpResult): Answer {
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : []
  return { failed: isError === true, text: parts.map(({ text = '' }) => text).join('\n'), ...(value === undefined ? {} : { value }) }
}

/** Some clients throw the failures of tools. */
export async function orThrown(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    return { failed: true, text: error instanceof Error ? error.message : String(error) }
  }
}
