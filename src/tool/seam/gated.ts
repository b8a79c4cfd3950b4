import type { AgentTool } from '../agent-tool.ts'
import { type ApprovalOptions, approvalRule } from '../approval-rule.ts'
import { layer } from '../layer.ts'
import { callPart } from './parts.ts'

const LABEL = 'gated'

/** Requires an approval before a tool runs. The gated tool keeps its name, schema and version. */
export function gated<I, O, N extends string>(tool: AgentTool<I, O, N>, approval: ApprovalOptions<I>): AgentTool<I, O, N> {
  return layer(tool, {
    kind: 'gate',
    label: LABEL,
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    approval: approvalRule(approval, tool.name),
    passesOn: true,
    run: (input, whole) => callPart(whole, { label: LABEL, tool, input, isUnique: true }),
  })
}
