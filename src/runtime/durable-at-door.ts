import type { AgentTool } from '../tool/agent-tool.ts'
import { layer } from '../tool/layer.ts'
import { refuseInUndone } from '../tool/seam/detached-steps.ts'
import { callPart } from '../tool/seam/parts.ts'
import { toItsEnd } from '../tool/seam/waiting.ts'
import { isInRecord } from '../tool/seam/whole.ts'
import type { Runtime } from './create-runtime.ts'
import type { DoorRules } from './durable-call.ts'

const LABEL = 'durable'

/**
 * The tool whose calls are recorded as durable runs of the tool inside. It is a layer: permissions, policy and approvals are those of the run.
 * In a recorded run, the tool inside is called as a part of that run. The work at the door is loaded with the first call.
 */
export function durableAtDoor<I, O, N extends string>(tool: AgentTool<I, O, N>, runtime: Runtime, rules: DoorRules): AgentTool<I, O, N> {
  return layer(tool, {
    kind: LABEL,
    plan: { order: 'one', labels: 'name', closedBy: undefined, detaches: true },
    run: (input, whole) => {
      if (isInRecord(whole)) return callPart(whole, { label: LABEL, tool, input, isUnique: true })
      refuseInUndone(whole)
      return toItsEnd(whole, async () => {
        const { callDurably } = await import('./durable-call.ts')
        return callDurably(runtime, { tool, input }, { whole, rules })
      })
    },
  })
}
