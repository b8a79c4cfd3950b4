/** What to try after a tour. */
export const nextSteps = `
── Next ${'─'.repeat(71)}

Call a tool from the command line:  npx toolwright call calculator "149.99 * 1.1"
Look at what there is:              npx toolwright list
Give it to an MCP client, such as Claude Desktop, Claude Code, Cursor or VS Code:

  { "mcpServers": { "toolwright": { "command": "node", "args": ["<project>/node_modules/toolwright/dist/cli/main.js", "serve"] } } }

README.md says how to use it from the AI SDK and how to write tools of your own.`
