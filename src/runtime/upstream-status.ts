import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { RUN_STATUS } from './run-receipt.ts'

const marked = new WeakSet<object>()

/** Whether a tool of another server is its `run_status`, by name and input: then that server speaks of runs as this one does. */
export function isStatusThere(name: string, { properties }: JsonSchema): boolean {
  return name === RUN_STATUS && isRecord(properties) && Object.keys(properties).toSorted().join() === 'run,wait'
}

/** Marks the `run_status` of another server, under whatever name it goes here. */
export function markUpstreamStatus<T extends AgentTool>(tool: T): T {
  marked.add(tool)
  return tool
}

/** A receipt of a server is answered by the `run_status` of that server. */
export function isUpstreamStatus(tool: AgentTool): boolean {
  return marked.has(tool)
}
