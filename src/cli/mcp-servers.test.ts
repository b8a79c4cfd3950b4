import { expect, test } from 'vitest'
import type { McpServers } from '../bridges/mcp/index.ts'
import { markUpstream, UpstreamRuns } from '../runtime/upstream-status.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { tellChanges } from './mcp-servers.ts'
import type { Output } from './output.ts'

const named = (name: string): AgentTool => tool({ name, description: 'd', execute: () => name }) as AgentTool

test('changes of the tools of MCP servers are told by the names that are served, all run_status as one', () => {
  const runs = new UpstreamRuns(() => undefined)
  const status = (name: string): AgentTool => markUpstream(named(name), runs, true)
  let tools: readonly AgentTool[] = []
  let change = (): void => {}
  const servers = {
    tools: () => tools,
    findings: () => [],
    onChange: (listener: () => void) => {
      change = listener
      return () => {}
    },
  }
  const notes: string[] = []
  tellChanges(servers as unknown as McpServers, { note: (text: string) => void notes.push(text) } as unknown as Output)
  tools = [named('tickets_open'), status('tickets_run_status'), status('desk_run_status')]
  change()
  expect(notes).toEqual(['New tools of MCP servers: tickets_open, run_status'])
})
