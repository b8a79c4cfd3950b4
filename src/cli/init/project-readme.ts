import { join } from 'node:path'
import { shellWord } from '../../tool/shell-word.ts'
import type { NewProject, Template } from './template.ts'

/** The README of a new project: what there is, what to try, and the settings for MCP clients. */
export function projectReadme({ readme, scripts, dependencies }: Template, project: NewProject): string {
  const isServer = '@modelcontextprotocol/server' in dependencies
  return `# ${project.name}

Tools for LLM agents, made with [Toolwright](https://www.npmjs.com/package/toolwright).

\`\`\`sh
npm install
npm start
npm test
\`\`\`

${readme(project)}
| file | |
|---|---|
| \`src/find-order.ts\`, \`src/issue-refund.ts\` | two tools |
| \`src/refund-latest-order.ts\` | both as one tool, with a person before the refund if it is above 100 |
| \`src/main.ts\` | \`npm start\` |
| \`test\` | \`npm test\`, with the test runner of Node |
| \`toolwright.config.ts\` | the tools for the command line and for MCP clients |

## Next

\`\`\`sh
npx toolwright list
npx toolwright call find_order email=ada@example.com
npx toolwright check --strict                # finds mistakes before anything runs; also \`npm run check\`
npx toolwright explain refund_latest_order   # what the tool is made of
npx toolwright new tool send_mail            # a tool and its test
\`\`\`

\`npm run types\` checks the types.${
    Object.keys(scripts).length === 0
      ? ''
      : ` Other scripts: ${Object.keys(scripts)
          .map((each) => `\`npm run ${each}\``)
          .join(', ')}.`
  }

## Give the tools to an MCP client

${isServer ? '' : 'First: `npm install @modelcontextprotocol/server`. '}For Claude Desktop (\`claude_desktop_config.json\`), Claude Code (\`.mcp.json\`), Cursor (\`.cursor/mcp.json\`) and most others:

\`\`\`json
${JSON.stringify({ mcpServers: { [serverName(project)]: { command: nodeOf(project), args: serveArguments(project) } } }, undefined, 2)}
\`\`\`

In VS Code (\`.vscode/mcp.json\`) the key is \`servers\`, and each has \`"type": "stdio"\`. The command line of Claude Code:

\`\`\`sh
claude mcp add ${serverName(project)} -- ${[nodeOf(project), ...serveArguments(project)].map(shellWord).join(' ')}
\`\`\`

${project.bringsNode ? 'The command is the Node of this project, since that of the machine was too old.' : 'The command `node` must be Node 22.19 or later.'} A gate in a tool becomes a question to the client's user.
`
}

/** A name without a scope, as clients show it. */
function serverName({ name }: NewProject): string {
  return name.replace(/^@[^/]*\//, '')
}

/** Clients start programs with the path of the machine, not with that of npm. */
function nodeOf({ folder, bringsNode }: NewProject): string {
  return bringsNode ? join(folder, 'node_modules', '.bin', 'node') : 'node'
}

function serveArguments({ folder }: NewProject): readonly string[] {
  const program = join(folder, 'node_modules', 'toolwright', 'dist', 'cli', 'main.js')
  return [program, 'serve', '--config', join(folder, 'toolwright.config.ts')]
}
