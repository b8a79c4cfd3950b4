import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { answerOf, type ClientDriver } from '../client-driver.ts'

export const driver: ClientDriver = {
  hasForms: true,
  connect: async (server, approves) => {
    const client = new Client({ name: 'sdk-v1', version: '1.0.0' }, { capabilities: approves ? { elicitation: {} } : {} })
    if (approves) client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { decision: 'approve' } }))
    await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }))
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, input, { signal, onProgress } = {}) => {
        const follow = onProgress === undefined ? {} : { onprogress: onProgress }
        return answerOf(await client.callTool({ name, arguments: { ...input } }, undefined, { signal, ...follow }))
      },
      close: () => client.close(),
    }
  },
}
