import type { AgentTool } from '../tool/agent-tool.ts'
import type { Runtime } from './create-runtime.ts'

/** Whether a step of a run took effect, or may have. A step that only reads did not, however it ended. */
export async function leftEffect({ runs }: Pick<Runtime, 'runs'>, run: string, tool: AgentTool): Promise<boolean> {
  const { steps } = await (await runs()).show(run)
  const reads = new Set<string>()
  readsIn(tool, reads, new Set())
  return steps.some((step) => !reads.has(step.tool) && (step.error === undefined || step.error.outcome === 'unknown'))
}

/** The names of the leaves inside that only read. */
function readsIn(tool: AgentTool, names: Set<string>, seen: Set<AgentTool>): void {
  if (seen.has(tool)) return
  seen.add(tool)
  const { order, parts } = tool.plan()
  if (order === 'leaf' && tool.effect === 'read') names.add(tool.name)
  for (const part of parts) readsIn(part.tool, names, seen)
}
