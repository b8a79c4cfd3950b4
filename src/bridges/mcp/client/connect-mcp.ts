import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { McpEndpoint, McpImportOptions, McpProgram, McpToolMetadata } from '../../../runtime/mcp-server-entry.ts'
import type { SchemaOutput } from '../../../schema/schema-types.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { Clock } from '../../../tool/ports/clock.ts'
import type { Logger } from '../../../tool/ports/logger.ts'
import { checkConnection } from './check-connection.ts'
import type { McpFinding } from './finding.ts'
import type { McpInput } from './mcp-input.ts'
import type { McpRoot, McpSampling } from './open-link.ts'
import { ServerConnection } from './server-connection.ts'
import type { McpToolDefinition } from './tool-definition.ts'

/** Metadata of tools by their names on the server. */
export type McpToolsMetadata = Readonly<Record<string, McpToolMetadata>>

/** What every connection may be told. */
export interface McpConnectionSetting {
  /** Hears of problems, and of what a program prints to its standard error. Nothing is logged without it. */
  readonly log?: Logger | undefined
  /** Answers a server that asks for a completion of your model. Without it, the server is told that there is none. */
  readonly sampling?: McpSampling | undefined
  /** The folders that the server may use. */
  readonly roots?: readonly McpRoot[] | undefined
  readonly clock?: Clock | undefined
  readonly random?: (() => number) | undefined
}

/** A server, and which of its tools are taken how. */
export type ConnectMcpOptions<M extends McpToolsMetadata = McpToolsMetadata> = McpConnectionSetting &
  McpImportOptions<M> & {
    /** The name of the server in messages, traces and findings. `mcp` by default. */
    readonly name?: string | undefined
  } & (McpProgram | (McpEndpoint & { readonly auth?: AuthProvider | OAuthClientProvider | undefined }))

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
 * of the protocol are spoken, 2025-11-25 and 2026-07-28.
 * @example
 * const files = await connectMcp({ command: 'npx', args: ['-y', '\@modelcontextprotocol/server-filesystem', '.'] })
 * console.log(files.tool('read_text_file').effect) // irreversible
 * await files.close()
 */
export async function connectMcp<const M extends McpToolsMetadata = McpToolsMetadata>(
  options: ConnectMcpOptions<M>,
): Promise<TypedMcpConnection<M>> {
  const connection = new ServerConnection(checkConnection(options))
  try {
    await connection.open()
  } catch (error) {
    await connection.close()
    throw error
  }
  return connection.face() as TypedMcpConnection<M>
}
