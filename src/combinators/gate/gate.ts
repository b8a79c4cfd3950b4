import type { AgentTool } from '../../tool/agent-tool.ts'
import { type ApprovalOptions, approvalRule } from '../../tool/approval-rule.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkOptions } from '../../tool/check-given.ts'
import { layer } from '../../tool/layer.ts'

export interface GateOptions<I> extends Omit<ApprovalOptions<I>, 'when'> {
  /** Always by default, or by a pure predicate over the input. */
  readonly approval?: boolean | ((input: I) => boolean) | undefined
}

const LABEL = 'gated'

/**
 * Puts a person before a tool, whatever the tool itself says. The gated tool keeps its name, schema and version.
 * @example
 * const careful = gate(issueRefund, { approval: ({ amount }) => amount > 100, why: 'A refund above 100.' })
 */
export function gate<I, O>(tool: AgentTool<I, O>, options: GateOptions<NoInfer<I>> = {}): AgentTool<I, O> {
  behaviourOf(tool, 'The first argument of gate')
  checkOptions(options, `The options of gate for '${tool.name}'`)
  const { approval = true, ...rest } = options
  return layer(tool, {
    kind: 'gate',
    label: LABEL,
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    approval: approvalRule({ ...rest, when: approval }, tool.name),
    run: (input, call) => call.root.callPart(call, { label: LABEL, tool, input, isUnique: true }),
  })
}
