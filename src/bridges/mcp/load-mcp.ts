import type * as Mcp from '@modelcontextprotocol/server'
import type * as McpStdio from '@modelcontextprotocol/server/stdio'
import { missingPackage, usablePackage } from '../../tool/missing-package.ts'

export type McpLibrary = typeof Mcp

/** Loaded when it is needed, so that the error names it where it is not installed. */
export async function loadMcp(): Promise<McpLibrary> {
  try {
    return usablePackage(await import('@modelcontextprotocol/server'), NAME, {
      purpose: PURPOSE,
      needs: ['McpServer', 'SdkErrorCode', 'inputRequired'],
    })
  } catch (cause) {
    throw missingPackage(cause, NAME, PURPOSE)
  }
}

export async function loadMcpStdio(): Promise<typeof McpStdio> {
  try {
    return usablePackage(await import('@modelcontextprotocol/server/stdio'), NAME, { purpose: PURPOSE, needs: ['serveStdio'] })
  } catch (cause) {
    throw missingPackage(cause, NAME, PURPOSE)
  }
}

const NAME = '@modelcontextprotocol/server'
const PURPOSE = 'to serve tools over MCP'
