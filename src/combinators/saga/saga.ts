import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { checkOptions } from '../../tool/check-given.ts'
import { checkName } from '../../tool/identity.ts'
import type { InputOf, ParsedOf } from '../../tool/tool.ts'
import { checkStep, type GivenStep } from './check-step.ts'
import { makeSaga } from './make-saga.ts'
import type { SagaPlan } from './saga-plan.ts'
import type { FittingStep, NewLabel, SagaDefinition, StepInput, StepOptions, WithResult } from './saga-types.ts'

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
export function saga<const S extends AnySchema | undefined = undefined>(definition: SagaDefinition<S>): SagaStart<InputOf<S>, ParsedOf<S>> {
  checkOptions(definition, 'The definition of a saga')
  checkName(definition.name)
  return builderOf(definition, []) as unknown as SagaStart<InputOf<S>, ParsedOf<S>>
}

/** Makes the output of a saga: a pure, synchronous function of its input and the results of its steps. */
export interface SagaOutput<P, R, O> {
  readonly output: (given: { readonly input: P; readonly results: R }) => O
}

/** Adds a step to a saga under a unique label, with its own input if that of the saga does not fit. */
export interface AddStep<I, P, R> {
  <const L extends string, TI, TO, CI = never>(
    label: L & NewLabel<L, R>,
    tool: AgentTool<TI, TO>,
    options: StepOptions<P, R, TI, TO, CI> & { readonly input: StepInput<P, R, TI> },
  ): SagaBuilder<I, P, WithResult<R, L, TO>>
  <const L extends string, TI, TO, CI = never>(
    label: L & NewLabel<L, R>,
    tool: AgentTool<TI, TO> & FittingStep<P, TI>,
    options?: StepOptions<P, R, TI, TO, CI>,
  ): SagaBuilder<I, P, WithResult<R, L, TO>>
}

/** A builder before its first step. */
export interface SagaStart<I, P> {
  readonly step: AddStep<I, P, Readonly<Record<never, never>>>
}

/** Builds a saga step by step; each call returns a new builder. `I` is the input, `P` the validated input, `R` the results of the steps. */
export interface SagaBuilder<I, P, R> {
  readonly step: AddStep<I, P, R>
  /** Without an output function, the output has the results of the steps by label. */
  readonly build: {
    (): AgentTool<I, R>
    <O>(options: SagaOutput<P, R, O>): AgentTool<I, O>
  }
}

/** The caller has checked the types. */
function builderOf(definition: SagaDefinition<AnySchema | undefined>, steps: readonly GivenStep[]): SagaBuilder<never, unknown, unknown> {
  const builder = {
    step: (label: string, tool: AgentTool, options: GivenStep['options'] = {}) => {
      const step = { label, tool, options }
      checkStep(step, definition.name, steps)
      return builderOf(definition, [...steps, step])
    },
    build: (options: { readonly output?: SagaPlan['output'] } = {}) => {
      checkOptions(options, `The options of build of saga '${definition.name}'`)
      return makeSaga(definition, steps, options.output)
    },
  }
  return builder as unknown as SagaBuilder<never, unknown, unknown>
}
