import { test } from 'vitest'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { toAiSdk } from './ai-sdk/index.ts'
import { createMcpServer } from './mcp/index.ts'

const pay = tool({ name: 'pay', description: 'd', execute: (text) => text })
const runtime = createRuntime({ tools: [pay], database: {} })

test('every bridge takes the same options', () => {
  const isDurable = ({ name, effect }: AgentTool): boolean => name === 'pay' && effect !== 'read'
  void toAiSdk({ pay }, { runtime, durable: isDurable, patience: '5s' })
  void createMcpServer({ runtime, durable: true, patience: 5000 })
  void createMcpServer({ tools: [pay], runtime, durable: false })
  // @ts-expect-error no such choice
  void toAiSdk({ pay }, { runtime, durable: 'always' })
  // @ts-expect-error a function of a tool says yes or no
  void createMcpServer({ runtime, durable: (each) => each.name })
  // @ts-expect-error no duration
  void createMcpServer({ runtime, patience: 'soon' })
  // @ts-expect-error no runtime
  void toAiSdk({ pay }, { runtime: { tools: [pay] } })
})
