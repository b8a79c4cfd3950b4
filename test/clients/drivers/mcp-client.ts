import { MCPClient } from 'mcp-client'
import { answerOf, type ClientDriver } from '../client-driver.ts'

export const driver: ClientDriver = {
  hasForms: false,
  connect: async ({ command, args }) => {
    const client = new MCPClient({ name: 'mcp-client', version: '1.0.0' })
    await client.connect({ type: 'stdio', command, args })
    return {
      list: async () => (await client.getAllTools()).map(({ name }) => name),
      call: async (name, input, { signal, onProgress } = {}) =>
        answerOf(await client.callTool({ name, arguments: { ...input } }, { requestOptions: { signal, onProgress } })),
      close: () => client.close(),
    }
  },
}
