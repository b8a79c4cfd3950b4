import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkFunction } from '../../tool/check-given.ts'
import { contractOf } from '../../tool/contract.ts'
import type { Adapted } from '../../tool/given/adapted.ts'
import type { Adapter } from './fits.ts'
import type { StepAdapter } from './pipeline-step.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** A step with the adapter before it. `G` is the argument of the adapter. */
export interface Into<G, Takes, O, N extends string> {
  readonly adapter: Adapter<G, Adapted<Takes>>
  readonly tool: AgentTool<Takes, O, N>
  readonly options: IntoOptions
}

/** The options of `into`. */
export interface IntoOptions {
  /** The name of the adapter in messages and plans. */
  readonly name?: string | undefined
  /** The output of the adapter. With it, the edge can be checked before anything runs. */
  readonly outputSchema?: AnySchema | undefined
}

const NAMES = optionNames<IntoOptions>({ name: true, outputSchema: true })

/**
 * Puts an adapter before a step of `pipe`: a pure, synchronous function of the value and text just before, the input of the pipeline, and
 * the results of all steps before by their names.
 * @example
 * const refundLatest = pipe(latestOrder, into(({ value }) => ({ orderId: value.id, amount: value.total }), issueRefund))
 */
export function into<G, Takes, O, N extends string, const C extends Adapted<Takes>>(
  adapter: Adapter<G, C> & NoInfer<Adapter<G, Adapted<Takes>>>,
  tool: AgentTool<Takes, O, N>,
  options: IntoOptions = {},
): Into<G, Takes, O, N> {
  behaviourOf(tool, 'The second argument of into')
  checkFunction(adapter, `The first argument of into, before '${tool.name}',`)
  checkOptionNames(options, NAMES, `The options of into, before '${tool.name}',`)
  return { adapter, tool, options }
}

/** The adapter as stored in a step; `place` names one without a name. */
export function stepAdapter(adapter: Adapter<never, unknown>, place: string, options: IntoOptions = {}): StepAdapter {
  checkFunction(adapter, `The adapter ${place}`)
  checkOptionNames(options, NAMES, `The options of the adapter ${place}`)
  const { name, outputSchema } = options
  const given = name ?? (adapter.name === '' || adapter.name === 'adapter' ? place : `'${adapter.name}'`)
  return {
    name: given,
    adapt: adapter as StepAdapter['adapt'],
    schema: outputSchema === undefined ? undefined : contractOf(outputSchema, `The outputSchema of the adapter ${given}`).output,
  }
}
