import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { Adapter, Chain, FirstInput, Fits, LastOutput, NamedSteps, Steps } from './fits.ts'
import { type IntoOptions, stepAdapter } from './into.ts'
import { makePipeline, type PipelineOptions, type UnlabelledStep } from './make-pipeline.ts'
import { checkStep } from './pipeline-step.ts'
import type { ErrorStrategy } from './run-pipeline.ts'
import type { DeadlineSharing } from './step-deadline.ts'

/** The type of an adapter's value for the check of the next step: null and undefined are the empty text. */
type Carried<C> = C extends null | undefined ? string : C

/**
 * Builds a pipeline step by step. An adapter is typed by the step before it, and a step that does not take its input does not compile. `I`
 * is the input of the whole, `O` the output of the last step, `C` the value for the next step.
 */
export interface PipelineBuilder<I, O, C> {
  readonly name: (name: string) => PipelineBuilder<I, O, C>
  readonly description: (description: string) => PipelineBuilder<I, O, C>
  readonly version: (version: string) => PipelineBuilder<I, O, C>
  readonly step: <I2, O2>(tool: AgentTool<I2, O2> & Fits<C, I2>) => PipelineBuilder<I, O2, O2>
  /** Converts the result of the step before for the next one; a second adapter replaces the first. */
  readonly adapter: <const C2>(adapter: Adapter<O, C2>, options?: IntoOptions) => PipelineBuilder<I, O, Carried<C2>>
  readonly errorStrategy: (strategy: ErrorStrategy) => PipelineBuilder<I, O, C>
  readonly deadlines: (sharing: DeadlineSharing) => PipelineBuilder<I, O, C>
  readonly build: () => AgentTool<I, O>
}

/** A builder before its first step. */
export interface PipelineStart {
  readonly name: (name: string) => PipelineStart
  readonly description: (description: string) => PipelineStart
  readonly version: (version: string) => PipelineStart
  readonly errorStrategy: (strategy: ErrorStrategy) => PipelineStart
  readonly deadlines: (sharing: DeadlineSharing) => PipelineStart
  readonly step: <I, O>(tool: AgentTool<I, O>) => PipelineBuilder<I, O, O>
}

/** Every call gives a new builder: one that is kept can be built on twice. */
function pipelineBuilder(): PipelineStart {
  return builderOf([], {})
}

type AnyBuilder = PipelineStart & PipelineBuilder<never, never, never>

function builderOf(steps: readonly UnlabelledStep[], options: PipelineOptions): AnyBuilder {
  const withOptions = (more: PipelineOptions): AnyBuilder => builderOf(steps, { ...options, ...more })
  const builder = {
    name: (name: string) => withOptions({ name }),
    description: (description: string) => withOptions({ description }),
    version: (version: string) => withOptions({ version }),
    errorStrategy: (errorStrategy: ErrorStrategy) => withOptions({ errorStrategy }),
    deadlines: (deadlines: DeadlineSharing) => withOptions({ deadlines }),
    step: (tool: AgentTool) => {
      checkStep(tool, steps.length + 1)
      return builderOf([...steps, { tool }], options)
    },
    adapter: (adapter: Adapter<never, unknown>, naming?: IntoOptions) => {
      const last = steps.at(-1)
      if (last === undefined)
        throw new ConfigurationError('invalid_definition', 'An adapter reshapes the result of a step: add a step before it.')
      return builderOf([...steps.slice(0, -1), { ...last, adapter: stepAdapter(adapter, `after '${last.tool.name}'`, naming) }], options)
    },
    build: () => makePipeline(steps, options),
  }
  return builder as unknown as AnyBuilder
}

/** Makes a pipeline of tools, with or without a name and a description before them. */
export interface PipelineFactory {
  // One signature for both forms: with two, the compiler would report the error of the wrong one.
  <T extends Steps | NamedSteps>(...steps: Chain<T>): AgentTool<FirstInput<T>, LastOutput<T>>
}

const of = ((...given: readonly (string | AgentTool)[]): AgentTool => {
  const [name, description, ...rest] = given
  if (typeof name === 'string' && typeof description === 'string')
    return makePipeline(
      (rest as AgentTool[]).map((tool) => ({ tool })),
      { name, description },
    )
  if (typeof name === 'string')
    throw new ConfigurationError(
      'invalid_definition',
      `After the name ${quote(name)}, ToolPipeline.of takes a description, and then the steps.`,
    )
  return makePipeline(
    (given as AgentTool[]).map((tool) => ({ tool })),
    {},
  )
}) as unknown as PipelineFactory

/**
 * Tools in sequence, as one tool that the model calls once.
 * @example
 * const described = ToolPipeline.of('greet_loudly', 'Greets a person, loudly.', greet, shout)
 * const built = ToolPipeline.builder().name('greet_twice').step(greet).adapter((result) => `${result.text} ${result.text}`).step(shout).build()
 */
export const ToolPipeline: { readonly of: PipelineFactory; readonly builder: () => PipelineStart } = { of, builder: pipelineBuilder }
