export { createMcpServer, type McpServerFactory, type McpServerOptions } from './create-mcp-server.ts'
export { serveStdio, type StdioServing } from './serve-stdio.ts'
