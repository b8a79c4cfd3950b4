import type * as Mcp from '@modelcontextprotocol/server'
import type * as McpStdio from '@modelcontextprotocol/server/stdio'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'

export type McpLibrary = typeof Mcp

/** Loaded when it is needed, so that the error names it where it is not installed. */
export function loadMcp(): Promise<McpLibrary> {
  return import('@modelcontextprotocol/server').catch(missing)
}

export function loadMcpStdio(): Promise<typeof McpStdio> {
  return import('@modelcontextprotocol/server/stdio').catch(missing)
}

function missing(cause: unknown): never {
  const name = '@modelcontextprotocol/server'
  throw new ConfigurationError('missing_package', `Install '${name}' to serve tools over MCP: npm install ${name}`, { cause })
}
