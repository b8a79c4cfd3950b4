import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { type ClientDriver, orThrown } from '../client-driver.ts'

export const driver: ClientDriver = {
  hasForms: false,
  connect: async (server) => {
    const client = new MultiServerMCPClient({ mcpServers: { served: { transport: 'stdio', ...server, stderr: 'ignore' } } })
    const tools = await client.getTools()
    return {
      list: async () => tools.map(({ name }) => name),
      call: (name, input, signal) =>
        orThrown(async () => {
          const value: unknown = await tools.find((tool) => tool.name === name)?.invoke(input, { signal })
          return { failed: false, text: typeof value === 'string' ? value : JSON.stringify(value) }
        }),
      close: () => client.close(),
    }
  },
}
