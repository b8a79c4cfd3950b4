import { dirname } from 'node:path'

const root = dirname(dirname(import.meta.dirname))

/** What to try after a tour, in this copy of the repository. */
export const nextSteps = `
── Next ${'─'.repeat(71)}

Call a tool from the command line:  npm run -s toolwright -- call calculator "149.99 * 1.1"
Look at what there is:              npm run -s toolwright -- list
Start a project of your own:        npm run build && npm pack && npm run -s toolwright -- init ../my-tools --yes
Give it to an MCP client, such as Claude Desktop, Claude Code, Cursor or VS Code:

  { "mcpServers": { "toolwright": { "command": "npm", "args": ["--prefix", "${root}", "run", "-s", "toolwright", "--", "serve"] } } }

In a project that has installed the package, as that one after npm install, the command is: npx toolwright

docs/guides/start.md goes on from there. README.md says how to use it from the AI SDK and how to write tools of your own.`
