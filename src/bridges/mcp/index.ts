export { createMcpServer, type McpServerOptions, type McpTools } from './create-mcp-server.ts'
export { serveStdio, type StdioServing } from './serve-stdio.ts'
export { connectMcp, type ConnectMcpOptions, type McpConnection } from './client/connect-mcp.ts'
