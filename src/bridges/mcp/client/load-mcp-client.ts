import type * as Mcp from '@modelcontextprotocol/client'
import { missingPackage, usablePackage } from '../../../tool/missing-package.ts'

export type McpClientLibrary = typeof Mcp

/** Loaded when it is needed, so that the error names it where it is not installed. */
export async function loadMcpClient(): Promise<McpClientLibrary> {
  try {
    return usablePackage(await import('@modelcontextprotocol/client'), NAME, {
      purpose: PURPOSE,
      needs: ['Client', 'StreamableHTTPClientTransport'],
    })
  } catch (cause) {
    throw missingPackage(cause, NAME, PURPOSE)
  }
}

const NAME = '@modelcontextprotocol/client'
const PURPOSE = 'to use the tools of MCP servers'
