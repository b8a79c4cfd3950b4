import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import type { FittingMapping, Mapping, MappingShape } from '../../tool/given/fitting-mapping.ts'
import { applyMapping, mappingText, ownMapping } from '../../tool/given/step-mapping.ts'
import type { StepAdapter } from './pipeline-step.ts'

/** A step with the mapping that makes its input. `G` is what is known when the step begins. */
export interface Filled<G, Takes, O, N extends string> {
  readonly mapping: Mapping
  readonly tool: AgentTool<Takes, O, N>
  /** For the compiler only. */
  readonly given?: (given: G) => void
}

/**
 * Fills the input of a step of `pipe` from the steps before it, from the input of the pipeline and from constants. Unlike an adapter it is
 * data: `check` compares the schema of each field with its origin, and `explain` shows it.
 * @example
 * const refundLatest = pipe(latestOrder, fill({ orderId: from('latest_order', 'id'), amount: from.value('total') }, issueRefund))
 */
export function fill<G, Takes, O, N extends string, const M extends MappingShape>(
  mapping: M & NoInfer<FittingMapping<M, G, Takes>>,
  tool: AgentTool<Takes, O, N>,
): Filled<G, Takes, O, N> {
  behaviourOf(tool, 'The second argument of fill')
  return { mapping: ownMapping(mapping, `The mapping before '${tool.name}'`), tool }
}

/** The mapping as stored in a step. It is checked where the steps before it are known. */
export function mappingAdapter(mapping: Mapping): StepAdapter {
  return { name: mappingText(mapping), adapt: (given) => applyMapping(mapping, given), mapping }
}
