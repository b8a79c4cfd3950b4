import type { ToolMessage } from '@langchain/core/messages'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { type ClientDriver, orThrown } from '../client-driver.ts'

export const driver: ClientDriver = {
  hasForms: false,
  connect: async (server) => {
    let report: (() => void) | undefined
    const client = new MultiServerMCPClient({
      mcpServers: { served: { transport: 'stdio', ...server, stderr: 'ignore' } },
      onProgress: () => report?.(),
    })
    const tools = await client.getTools()
    return {
      list: async () => tools.map(({ name }) => name),
      call: (name, input, { signal, onProgress } = {}) =>
        orThrown(async () => {
          report = onProgress
          const call = { type: 'tool_call', id: '1', name, args: { ...input } } as const
          const message: unknown = await tools.find((tool) => tool.name === name)?.invoke(call, { signal })
          const { text, artifact } = message as ToolMessage
          // Beside the parts of the content that are no text.
          const [part] = Array.isArray(artifact) ? (artifact as readonly { readonly type?: string; readonly data?: unknown }[]) : []
          return { failed: false, text, ...(part?.type === 'mcp_structured_content' ? { value: part.data } : {}) }
        }),
      close: () => client.close(),
    }
  },
}
