import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ApprovalOptions } from '../../tool/approval-rule.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { gated } from '../../tool/seam/gated.ts'

/** The options of `gate`. */
export interface GateOptions<I> extends Omit<ApprovalOptions<I>, 'when'> {
  /** Always by default, or by a pure predicate over the input. */
  readonly approval?: boolean | ((input: I) => boolean) | undefined
}

const NAMES = optionNames<GateOptions<unknown>>({ approval: true, why: true, risk: true, timeout: true, onTimeout: true, approvals: true })

/**
 * Requires an approval before a tool runs, in addition to the tool's own rule. The gated tool keeps its name, schema and version.
 * @example
 * const careful = gate(issueRefund, { approval: ({ amount }) => amount > 100, why: 'A refund above 100.' })
 */
export function gate<I, O, N extends string>(tool: AgentTool<I, O, N>, options: GateOptions<NoInfer<I>> = {}): AgentTool<I, O, N> {
  behaviourOf(tool, 'The first argument of gate')
  checkOptionNames(options, NAMES, `The options of gate for '${tool.name}'`)
  const { approval = true, ...rest } = options
  return gated(tool, { ...rest, when: approval })
}
