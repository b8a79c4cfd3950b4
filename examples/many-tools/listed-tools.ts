import { readFile } from 'node:fs/promises'
import { type AgentTool, tool } from 'toolwright'

interface ListedTool {
  readonly name: string
  readonly description?: string
  readonly server?: string
  readonly inputSchema?: object
}

/**
 * The tools of real servers, by server, from a file `{ "tools": [{ name, description, server, inputSchema }] }`: what `tools/list` of MCP gives,
 * with the server of each. A tool whose schema is not valid is left out.
 */
export async function listedTools(file: string): Promise<ReadonlyMap<string, readonly AgentTool[]>> {
  const { tools } = JSON.parse(await readFile(file, 'utf8')) as { readonly tools: readonly ListedTool[] }
  const names = new Set<string>()
  const made = tools.flatMap((each) => {
    const plain = each.name.replaceAll(/[^A-Za-z0-9_]+/g, '_').slice(0, 58)
    let name = plain
    for (let number = 2; names.has(name); number++) name = `${plain}_${number}`
    names.add(name)
    const adopted = listedTool(name, each)
    return adopted === undefined ? [] : [{ server: each.server ?? 'other', tool: adopted }]
  })
  return new Map([...Map.groupBy(made, ({ server }) => server)].map(([server, each]) => [server, each.map((one) => one.tool)]))
}

/** Nothing is called for real. */
function listedTool(name: string, { description, inputSchema }: ListedTool): AgentTool | undefined {
  try {
    return tool({
      name,
      description: description || name,
      effect: 'read',
      inputSchema: { properties: {}, ...inputSchema, type: 'object' } as never,
      execute: () => `${name}: done`,
    }) as AgentTool
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'invalid_schema') return undefined
    throw error
  }
}
