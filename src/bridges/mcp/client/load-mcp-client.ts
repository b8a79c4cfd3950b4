import type * as Mcp from '@modelcontextprotocol/client'
import { missingPackage } from '../../../tool/missing-package.ts'

export type McpClientLibrary = typeof Mcp

/** Loaded when it is needed, so that the error names it where it is not installed. */
export async function loadMcpClient(): Promise<McpClientLibrary> {
  try {
    return await import('@modelcontextprotocol/client')
  } catch (cause) {
    throw missingPackage(cause, '@modelcontextprotocol/client', 'to use the tools of MCP servers')
  }
}
