/** The input of a tool of an MCP server: an object, checked by the server's schema. */
export type McpInput = Readonly<Record<string, unknown>>
