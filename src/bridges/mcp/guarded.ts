import type { ServerContext } from '@modelcontextprotocol/server'
import type { Logger } from '../../tool/ports/logger.ts'
import { warn } from '../../tool/warn.ts'
import type { McpLibrary } from './load-mcp.ts'

interface Guard {
  readonly mcp: McpLibrary
  readonly log: Logger | undefined
}

/** A handler whose unexpected errors go to the log: the library would send their messages to the client. */
export function guarded<Request extends { readonly method: string }, Result>(
  { mcp, log }: Guard,
  handler: (request: Request, context: ServerContext) => Result | Promise<Result>,
): (request: Request, context: ServerContext) => Promise<Result> {
  return async (request, context) => {
    try {
      return await handler(request, context)
    } catch (error) {
      if (error instanceof mcp.ProtocolError) throw error
      if (!context.mcpReq.signal.aborted)
        warn(log, `MCP: ${request.method} failed: ${error instanceof Error ? error.message : String(error)}`, { error })
      throw new mcp.ProtocolError(mcp.ProtocolErrorCode.InternalError, 'The server failed. Its log has the reason.')
    }
  }
}
