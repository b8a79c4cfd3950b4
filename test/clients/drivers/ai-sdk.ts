import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
import { answerOf, type ClientDriver } from '../client-driver.ts'

export const driver: ClientDriver = {
  hasForms: true,
  connect: async (server, approves) => {
    const transport = new Experimental_StdioMCPTransport({ ...server, stderr: 'ignore' })
    const client = await createMCPClient({ transport, capabilities: approves ? { elicitation: {} } : {} })
    if (approves) client.onElicitationRequest(ElicitationRequestSchema, () => ({ action: 'accept', content: { decision: 'approve' } }))
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, input, { signal } = {}) => answerOf(await client.callTool({ name, arguments: { ...input }, options: { signal } })),
      close: () => client.close(),
    }
  },
}
