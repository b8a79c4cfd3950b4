import { MCPClient } from '@mastra/mcp'
import { type ClientDriver, orThrown } from '../client-driver.ts'

export const driver: ClientDriver = {
  hasForms: true,
  connect: async (server, approves) => {
    const answer = async () => ({ action: 'accept', content: { decision: 'approve' } }) as const
    const served = { ...server, stderr: 'ignore', enableProgressTracking: true, ...(approves ? { inputRequests: answer } : {}) } as const
    const client = new MCPClient({ id: `approves-${approves}`, servers: { served } })
    let report: (() => void) | undefined
    await client.progress.onUpdate('served', () => report?.())
    const { served: tools = {} } = await client.listToolsets()
    return {
      list: async () => Object.keys(tools),
      call: (name, input, { signal: abortSignal, onProgress } = {}) =>
        orThrown(async () => {
          report = onProgress
          const value: unknown = await tools[name]?.execute?.({ ...input }, { abortSignal })
          return { failed: false, text: JSON.stringify(value), value }
        }),
      close: () => client.disconnect(),
    }
  },
}
