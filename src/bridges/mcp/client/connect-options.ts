import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { McpEndpoint, McpImportOptions, McpProgram, McpToolMetadata } from '../../../runtime/mcp-server-entry.ts'
import type { Clock } from '../../../tool/ports/clock.ts'
import type { Logger } from '../../../tool/ports/logger.ts'
import type { McpRoot, McpSampling } from './open-link.ts'

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
