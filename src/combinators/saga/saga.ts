import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { DeepReadonly } from '../../tool/given/adapted.ts'
import type { MappingShape } from '../../tool/given/fitting-mapping.ts'
import type { StepGiven, WithValue } from '../../tool/given/step-given.ts'
import { checkName } from '../../tool/identity.ts'
import { METADATA_NAMES } from '../../tool/metadata.ts'
import type { InputOf, ParsedOf } from '../../tool/tool.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { checkStep, type GivenStep } from './check-step.ts'
import { makeSaga } from './make-saga.ts'
import type { SagaPlan } from './saga-plan.ts'
import type { FittingStep, NewLabel, OwnInput, SagaDefinition, StepOptions } from './saga-types.ts'

const NAMES = optionNames<SagaDefinition<unknown>>({ ...METADATA_NAMES, name: true, description: true, inputSchema: true })

/**
 * Steps that take effect together or not at all: when one fails, those before it are undone by their compensations, the latest first.
 * @example
 * const hold = tool({ name: 'hold', description: 'Holds an item.', effect: 'write', execute: (item) => ({ id: `hold of ${item}` }) })
 * const release = tool({ name: 'release', description: 'Lets a hold go.', effect: 'write', execute: (id) => `released ${id}` })
 * const pay = tool({ name: 'pay', description: 'Pays.', execute: () => failure('The card was declined.') })
 * const buy = saga({ name: 'buy', description: 'Buys an item.' })
 *   .step('hold', hold, { compensate: { with: release, class: 'reversible', input: ({ value, input }) => value?.id ?? input } })
 *   .step('pay', pay, { compensate: 'irreversible' })
 *   .build()
 * const result = await buy.call('a lamp')
 * console.log(result.text) // Error: Step 'pay' failed: The card was declined. Undone: hold.
 */
export function saga<const S extends AnySchema | undefined = undefined, N extends string = string>(
  definition: SagaDefinition<S, N>,
): SagaStart<InputOf<S>, ParsedOf<S>, N> {
  checkOptionNames(definition, NAMES, 'The fields of a saga')
  checkName(definition.name)
  return builderOf(definition, []) as unknown as SagaStart<InputOf<S>, ParsedOf<S>, N>
}

/** Makes the output of a saga: a pure, synchronous function of its input and the results of its steps. */
export interface SagaOutput<G, O> {
  readonly output: (given: G) => O
}

/**
 * Adds a step to a saga under a unique label. Its input is made by a function (`input`) or a mapping (`fill`); without either it is that of
 * the saga, if it fits.
 */
export interface AddStep<I, P, R, V, N extends string> {
  <const L extends string, TI, TO, CI = never>(
    label: L & NewLabel<L, R>,
    tool: AgentTool<TI, TO> & FittingStep<P, TI>,
    options?: StepOptions<P, R, TI, TO, CI> & { readonly input?: undefined; readonly fill?: undefined },
  ): SagaBuilder<I, P, WithValue<R, L, TO>, TO, N>
  // The last, because the compiler reports the errors of the last one.
  <const L extends string, TI, TO, const C extends DeepReadonly<TI>, const M extends MappingShape, CI = never>(
    label: L & NewLabel<L, R>,
    tool: AgentTool<TI, TO>,
    options: StepOptions<P, R, TI, TO, CI> & OwnInput<StepGiven<V, P, R>, TI, C, M>,
  ): SagaBuilder<I, P, WithValue<R, L, TO>, TO, N>
}

/** A builder before its first step. */
export interface SagaStart<I, P, N extends string = string> {
  readonly step: AddStep<I, P, Readonly<Record<never, never>>, P, N>
}

/**
 * Builds a saga step by step; each call returns a new builder. `I` is the input, `P` the validated input, `R` the values of the steps, `V`
 * that of the last one, `N` the name of the saga.
 */
export interface SagaBuilder<I, P, R, V = unknown, N extends string = string> {
  readonly step: AddStep<I, P, R, V, N>
  /** Without an output function, the output has the values of the steps by label. */
  readonly build: {
    (): AgentTool<I, R, N>
    <O>(options: SagaOutput<StepGiven<V, P, R>, O>): AgentTool<I, O, N>
  }
}

/** The caller has checked the types. */
function builderOf(
  definition: SagaDefinition<AnySchema | undefined>,
  steps: readonly GivenStep[],
): SagaBuilder<never, unknown, unknown, unknown> {
  const builder = {
    step: (label: string, tool: AgentTool, options: GivenStep['options'] = {}) => {
      const step = { label, tool, options }
      checkStep(step, definition.name, steps)
      return builderOf(definition, [...steps, step])
    },
    build: (options: { readonly output?: SagaPlan['output'] } = {}) => {
      checkOptionNames(options, ['output'], `The options of build of saga '${definition.name}'`)
      return makeSaga(definition, steps, options.output)
    },
  }
  return builder as unknown as SagaBuilder<never, unknown, unknown, unknown>
}
