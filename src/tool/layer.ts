import type { AgentTool } from './agent-tool.ts'
import { type ApprovalRule, behaviourOf } from './behaviour.ts'
import { buildTool } from './build-tool.ts'
import type { ToolContext } from './context.ts'
import type { Estimates, Idempotent } from './metadata.ts'
import { gatedBy, type PlanMeaning, type PlanNode } from './plan-node.ts'

export interface LayerParts {
  /** The combinator's name. */
  readonly kind: string
  /** The label of its calls of the tool; the kind by default. */
  readonly label?: string | undefined
  readonly approval?: ApprovalRule | undefined
  /** How it calls the tool, and its changes to the plan. */
  readonly plan: PlanMeaning & Partial<PlanNode>
  /** Its estimates for its callers; by default its figures. */
  readonly estimates?: Estimates | undefined
  /** It calls the tool at most once, with its own input, and does not use the input afterwards. */
  readonly passesOn?: boolean | undefined
  /** It uses its input again later, so it takes a copy that nobody else can change. */
  readonly keepsInput?: boolean | undefined
  /** Whether the whole may be repeated; that of the tool by default. */
  readonly idempotent?: Idempotent | undefined
  /** Tools besides the one inside that it may call. */
  readonly helpers?: readonly AgentTool[] | undefined
  /** What it gives is not the output of the tool, and is not checked as that. */
  readonly givesOther?: boolean | undefined
  readonly run: (input: unknown, whole: ToolContext) => unknown
}

/**
 * A unary wrapper: it changes how one tool is called, keeps its name, version and schema, and reports as a layer of it, not as a second
 * call. The input is passed unchanged; the tool inside validates it.
 */
export function layer<I, O, N extends string>(tool: AgentTool<I, O, N>, parts: LayerParts): AgentTool<I, O, N> {
  const { kind, label = kind, approval, passesOn, keepsInput, helpers = [], givesOther = false, run } = parts
  const inner = behaviourOf(tool)
  const { name, version, title, description, effect, permissions, source, tags } = tool
  const { idempotent = tool.idempotent } = parts
  const plan: PlanNode = {
    kind,
    layer: true,
    parts: [{ label, tool, takes: 'input' }],
    ...gatedBy(approval),
    figures: ([figures = {}]) => figures,
    ...parts.plan,
  }
  return buildTool({
    ...{ name, version, title, description, effect, idempotent, permissions, source, tags },
    estimates: parts.estimates ?? plan.figures([tool.estimates]),
    behaviour: {
      plan,
      layer: kind,
      input: inner.input,
      forwardsInput: true,
      passesOn,
      keepsInput,
      output: givesOther ? undefined : inner.output,
      describesOutput: givesOther ? undefined : inner.describesOutput,
      approval,
      services: undefined,
      deadlineMs: undefined,
      parts: new Set<AgentTool>([tool as AgentTool, ...helpers]),
      run,
    },
  })
}

/** The tool, and those inside it as long as they are layers: the last one is none. */
export function layersOf(tool: AgentTool): readonly AgentTool[] {
  const { layer: isLayer, parts } = tool.plan()
  const inner = isLayer ? parts[0]?.tool : undefined
  return inner === undefined ? [tool] : [tool, ...layersOf(inner)]
}
