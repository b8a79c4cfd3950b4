export { createMcpServer, type McpServerOptions, type McpTools } from './create-mcp-server.ts'
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
export type { McpInput } from './client/imported-tool.ts'
export type { McpRoot, McpSampling } from './client/open-link.ts'
export type { Variables } from './client/expand-variables.ts'
