import type { AgentTool } from '../tool/agent-tool.ts'
import type { Runtime } from './create-runtime.ts'

/** Whether a step of a run took effect, or may have. A step that only reads did not, however it ended. */
export async function leftEffect({ runs }: Pick<Runtime, 'runs'>, run: string, tool: AgentTool): Promise<boolean> {
  const { steps } = await (await runs()).show(run)
  const reads = readsIn(tool)
  return steps.some((step) => !reads.has(step.tool) && (step.error === undefined || step.error.outcome === 'unknown'))
}

/** The names of the leaves inside that only read. */
function readsIn(tool: AgentTool): ReadonlySet<string> {
  const names = new Set<string>()
  const seen = new Set([tool])
  // Tools that are added meanwhile are visited too.
  for (const each of seen) {
    const { order, parts } = each.plan()
    if (order === 'leaf' && each.effect === 'read') names.add(each.name)
    for (const part of parts) seen.add(part.tool)
  }
  return names
}
