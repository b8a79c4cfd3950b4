import type { AgentTool } from '../../tool/agent-tool.ts'
import { type ApprovalOptions, approvalRule } from '../../tool/approval-rule.ts'
import { layer } from '../../tool/layer.ts'

export interface GateOptions<I> extends Omit<ApprovalOptions<I>, 'when'> {
  /** Always by default, or by a pure predicate over the input. */
  readonly approval?: boolean | ((input: I) => boolean) | undefined
}

/**
 * Puts a person before a tool, whatever the tool itself says. The gated tool keeps its name, schema and version.
 * @example
 * const careful = gate(issueRefund, { approval: ({ amount }) => amount > 100, why: 'A refund above 100.' })
 */
export function gate<I, O>(tool: AgentTool<I, O>, options: GateOptions<NoInfer<I>> = {}): AgentTool<I, O> {
  const { approval = true, ...rest } = options
  return layer(tool, {
    kind: 'gate',
    approval: approvalRule({ ...rest, when: approval }),
    run: (input, call) => call.root.callPart(call, { label: 'gated', tool, input, isUnique: true }),
  })
}
