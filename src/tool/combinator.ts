import type { AgentTool } from './agent-tool.ts'
import { type ApprovalRule, type Behaviour, behaviourOf } from './behaviour.ts'
import { buildTool } from './build-tool.ts'
import type { ToolContext } from './context.ts'
import type { Contract } from './contract.ts'
import { toMilliseconds } from './duration.ts'
import type { InputPort } from './input/input-port.ts'
import { checkEstimates, type Effect, gravestEffect, type Idempotent, type Metadata } from './metadata.ts'
import type { PlanNode, PlanPart } from './plan-node.ts'

export interface CombinatorParts extends Metadata {
  readonly name: string
  readonly description: string
  readonly plan: PlanNode
  readonly input: InputPort
  /** The input is passed unchanged to a part, which validates it. */
  readonly forwardsInput?: boolean | undefined
  readonly acceptForParts?: Behaviour['acceptForParts']
  readonly keepsInput?: boolean | undefined
  readonly passesOn?: boolean | undefined
  readonly output?: Contract | undefined
  /** The schema of the output for the model, if a part checks the output. */
  readonly describesOutput?: Contract | undefined
  readonly approval?: ApprovalRule | undefined
  readonly ownScope?: boolean | undefined
  /** Says of a tool that is not among its parts whether it may call it all the same, such as one that it has found. */
  readonly mayCall?: ((tool: AgentTool) => boolean) | undefined
  readonly run: (input: unknown, whole: ToolContext) => unknown
}

/** A tool made of tools. Effect, idempotency, permissions, tags and figures follow from the parts; a definition may add to them, but not reduce them. */
export function combinator<I, O, N extends string = string>(parts: CombinatorParts): AgentTool<I, O, N> {
  const {
    name,
    plan,
    input,
    forwardsInput = false,
    acceptForParts,
    keepsInput,
    passesOn,
    output,
    describesOutput,
    approval,
    ownScope,
    mayCall,
    run,
    deadline,
  } = parts
  const known = new Set(plan.parts.map((part) => part.tool))
  const tools = [...known]
  for (const each of tools) behaviourOf(each)
  checkEstimates(parts.estimates, `'${name}'`)
  return buildTool({
    ...parts,
    effect: gravestEffect([...plan.parts.map(effectOf), ...(parts.effect === undefined ? [] : [parts.effect])]),
    idempotent: parts.idempotent ?? weakestIdempotency(tools),
    permissions: [...new Set([...(parts.permissions ?? []), ...tools.flatMap((each) => each.permissions)])],
    tags: [...new Set([...(parts.tags ?? []), ...tools.flatMap((each) => each.tags)])],
    estimates: { ...plan.figures(plan.parts.map((part) => part.tool.estimates)), ...parts.estimates },
    behaviour: {
      plan,
      layer: undefined,
      input,
      forwardsInput,
      acceptForParts,
      keepsInput,
      passesOn,
      output,
      describesOutput,
      approval,
      services: undefined,
      deadlineMs: deadline === undefined ? undefined : toMilliseconds(deadline, `The deadline of '${name}'`),
      ownScope,
      parts: mayCall === undefined ? known : { has: (each) => known.has(each as AgentTool) || mayCall(each as AgentTool) },
      run,
    },
  })
}

/** A part with a compensation counts as `write`; the compensation itself does not count. */
function effectOf({ tool, compensation, undoes }: PlanPart): Effect {
  if (undoes !== undefined) return 'read'
  if (compensation === 'irreversible') return compensation
  return compensation !== undefined && tool.effect === 'irreversible' ? 'write' : tool.effect
}

/** The whole can be repeated only as safely as its weakest part; a read can always be repeated. */
function weakestIdempotency(tools: readonly AgentTool[]): Idempotent {
  const effectful = tools.filter((each) => each.effect !== 'read')
  if (effectful.some((each) => each.idempotent === false)) return false
  return effectful.some((each) => each.idempotent === 'keyed') ? 'keyed' : true
}
