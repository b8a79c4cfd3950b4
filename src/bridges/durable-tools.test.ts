import { describe, expect, onTestFinished, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { createRuntime, type Runtime } from '../runtime/create-runtime.ts'
import { durable } from '../runtime/durable.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { toAiSdk } from './ai-sdk/to-ai-sdk.ts'
import { toLangChain } from './langchain/to-lang-chain.ts'
import { createMcpServer } from './mcp/create-mcp-server.ts'
import { toOpenAiAgents } from './openai-agents/to-openai-agents.ts'

const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => to })
const look = tool({ name: 'look', description: 'Looks.', effect: 'read', execute: (text) => text })

function office(...tools: readonly unknown[]): Runtime {
  const runtime = createRuntime({ tools, database: memoryRuns() })
  onTestFinished(() => runtime.close())
  return runtime
}

const BRIDGES: Record<string, (tools: readonly AgentTool[], runtime?: Runtime) => Promise<unknown>> = {
  toAiSdk: async (tools, runtime) => toAiSdk(tools, { runtime }),
  toLangChain: (tools, runtime) => toLangChain(tools, { runtime }),
  toOpenAiAgents: (tools, runtime) => toOpenAiAgents(tools, { runtime }),
  createMcpServer: async (tools, runtime) => (await createMcpServer({ tools, ...(runtime === undefined ? {} : { runtime }) })).close(),
}

describe.each(Object.entries(BRIDGES))('%s', (_bridge, build) => {
  test('refuses a durable tool that its runtime does not have, when it is built [T15]', async () => {
    await expect(build([pay], office(look))).rejects.toThrow("The tool 'pay' is not among the tools of this runtime.")
    await expect(build([gate(pay)], office(pay))).rejects.toThrow("The tool 'pay' is another one than the registered tool of that name.")
    await expect(build([durable(pay, office(look))])).rejects.toMatchObject({ code: 'unregistered_tool' })
  })

  test('takes a tool that its runtime has or may have, and others that are not run durably [T15]', async () => {
    await expect(build([pay, look], office(pay))).resolves.not.toThrow()
    await expect(build([durable(pay, office(pay))])).resolves.not.toThrow()
    await expect(build([pay], office({ tools: () => [pay] }))).resolves.not.toThrow()
  })
})
