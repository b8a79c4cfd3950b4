export { createMcpServer, type McpServerOptions, type McpToolHandlers, type McpTools } from './create-mcp-server.ts'
export { bearerAuth, type BearerAuthOptions, type TokenClaims } from './http/bearer-auth.ts'
export type { McpHttpLimits } from './http/http-limits.ts'
export { type McpCloseOptions, type McpHandler, mcpHandler, type McpHandlerOptions } from './http/mcp-handler.ts'
export type { McpNodeListener } from './http/node-listener.ts'
export type { McpAuth, McpAuthenticate, McpAuthRefusal, McpCaller, McpProtectedResource } from '../../tool/ports/mcp-auth.ts'
export type { McpResource, McpResourceContent, McpResourceContext, McpResources, McpResourceTemplate } from './resources.ts'
export type { McpSelectOptions } from './tool-selection.ts'
export type { McpWaitingLimits } from './waiting-limits.ts'
export { serveStdio, type StdioServing } from './serve-stdio.ts'
export {
  connectMcp,
  type ConnectMcpOptions,
  type McpConnection,
  type McpConnectionSetting,
  type McpOutput,
  type McpServerInfo,
  type McpToolsMetadata,
  type TypedMcpConnection,
} from './client/connect-mcp.ts'
export { connectMcpServers, type ConnectMcpServersOptions, type McpServers } from './client/connect-mcp-servers.ts'
export type { McpFinding, McpFindingCode } from './client/finding.ts'
export type { McpInput } from './client/mcp-input.ts'
export type { McpRoot, McpSampling } from './client/open-link.ts'
export type { McpToolDefinition } from './client/tool-definition.ts'
export type { Variables } from './client/expand-variables.ts'
