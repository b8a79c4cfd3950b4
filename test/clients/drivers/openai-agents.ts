import { MCPServerStdio } from '@openai/agents'
import { answerOf, type ClientDriver } from '../client-driver.ts'

export const driver: ClientDriver = {
  hasForms: false,
  connect: async ({ command, args }) => {
    const client = new MCPServerStdio({ name: 'served', command, args })
    await client.connect()
    return {
      list: async () => (await client.listTools()).map(({ name }) => name),
      call: async (name, input, { signal } = {}) => answerOf(await client.callToolResult(name, { ...input }, null, { signal })),
      close: () => client.close(),
    }
  },
}
