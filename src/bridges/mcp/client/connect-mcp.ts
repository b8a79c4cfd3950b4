import type { SchemaOutput } from '../../../schema/schema-types.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { isToolError, ToolError } from '../../../tool/errors/tool-error.ts'
import { checkConnection } from './check-connection.ts'
import type { ConnectMcpOptions, McpToolsMetadata } from './connect-options.ts'
import type { McpFinding } from './finding.ts'
import { LateConnection } from './late-connection.ts'
import type { McpInput } from './mcp-input.ts'
import type { McpToolDefinition } from './tool-definition.ts'

/** The output of a tool: of the schema that the metadata name, else anything. */
export type McpOutput<M, N extends string> = N extends keyof M
  ? M[N] extends { readonly outputSchema: infer S }
    ? SchemaOutput<S>
    : unknown
  : unknown

/** What a server says of itself. */
export interface McpServerInfo {
  readonly name: string
  readonly version: string
  /** The revision of the protocol that was agreed on. */
  readonly revision: string
  /** Advice of the server for the model. It is data of a stranger: bounded, and shown to nobody unless you do it. */
  readonly instructions?: string | undefined
}

/** A connection to an MCP server. It may stand in a list of tools, for all tools of the server. */
export interface McpConnection extends AsyncDisposable {
  readonly name: string
  /** The tools that the server has now. A tool of which nothing has changed is the same object every time. */
  readonly tools: () => readonly AgentTool[]
  /** A tool by its name on the server. One that is missing or refused is a configuration error. */
  readonly tool: (name: string) => AgentTool<McpInput>
  /** What is wrong with the server or its tools: changed descriptions, unusable schemas, names that nobody knows. */
  readonly findings: () => readonly McpFinding[]
  /** The hash of each tool, to be given as `pins`. */
  readonly pins: () => Readonly<Record<string, string>>
  /** What the server says of each of these tools, to be read before it is pinned. Refused tools are among them. */
  readonly definitions: () => readonly McpToolDefinition[]
  /** What the server says of itself; undefined until it was reached. */
  readonly info: () => McpServerInfo | undefined
  /** Reads the list of tools again. Changes that the server reports are followed without it. */
  readonly refresh: () => Promise<void>
  /** Calls back when the tools or the findings have changed; the function that it returns ends that. */
  readonly onChange: (listener: () => void) => () => void
  /** Ends the connection, and a program with all that it has started. */
  readonly close: () => Promise<void>
}

/** A connection that knows the types of outputs from the metadata. */
export interface TypedMcpConnection<M> extends McpConnection {
  readonly tool: <const N extends string>(name: N) => AgentTool<McpInput, McpOutput<M, N>>
}

/**
 * Connects to an MCP server and makes tools of its tools, so that they can be composed, gated, traced and served like any other. Both revisions
 * of the protocol are spoken, 2025-11-25 and 2026-07-28. It rejects if the server cannot be reached, unless a `toolsFile` knows its tools.
 * @example
 * const files = await connectMcp({ command: 'npx', args: ['-y', '\@modelcontextprotocol/server-filesystem', '.'] })
 * console.log(files.tool('read_text_file').effect) // irreversible
 * await files.close()
 */
export async function connectMcp<const M extends McpToolsMetadata = McpToolsMetadata>(
  options: ConnectMcpOptions<M>,
): Promise<TypedMcpConnection<M>> {
  const late = new LateConnection(checkConnection(options))
  try {
    const failure = await late.begin()
    if (failure !== undefined && !late.knowsTools) throw withAdvice(failure)
  } catch (error) {
    await late.face.close()
    throw error
  }
  return late.face as TypedMcpConnection<M>
}

const ADVICE =
  "Start the server, or check its command or its address. With 'toolsFile', a program that has reached the server once also starts while it is away."

/** What is tried again by itself elsewhere has no advice of its own. */
function withAdvice(failure: unknown): unknown {
  if (!isToolError(failure) || failure.code !== 'service_unavailable') return failure
  const { message, code, outcome, retryAfterMs, cause } = failure
  return new ToolError(message, { code, outcome, retryAfterMs, internal: true, hint: ADVICE, cause })
}
