import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { LeadingMapping, Mapped, Mapping, MappingShape } from '../../tool/given/fitting-mapping.ts'
import type { StepGiven, WithStep } from '../../tool/given/step-given.ts'
import { ownMapping } from '../../tool/given/step-mapping.ts'
import { mappingAdapter } from './fill.ts'
import type { Adapter, Chain, FirstInput, Fits, LastOutput, NamedSteps, Steps } from './fits.ts'
import { type IntoOptions, stepAdapter } from './into.ts'
import { makePipeline, type PipelineOptions, type UnlabelledStep } from './make-pipeline.ts'
import { checkStep, type StepAdapter } from './pipeline-step.ts'
import type { ErrorStrategy } from './run-pipeline.ts'
import type { DeadlineSharing } from './step-deadline.ts'

/** The type of an adapter's value for the check of the next step: null and undefined are the empty text. */
type Carried<C> = C extends null | undefined ? string : C

/**
 * Builds a pipeline step by step. An adapter is typed by the steps before it, and a step that does not take its input does not compile. `I`
 * is the input of the whole, `O` the output of the last step, `C` the value for the next step, `R` the outputs of the steps by their names,
 * `P` the name of the pipeline.
 */
export interface PipelineBuilder<I, O, C, R, P extends string> {
  readonly name: <const P2 extends string>(name: P2) => PipelineBuilder<I, O, C, R, P2>
  readonly description: (description: string) => PipelineBuilder<I, O, C, R, P>
  readonly version: (version: string) => PipelineBuilder<I, O, C, R, P>
  readonly step: <I2, O2, N2 extends string>(
    tool: AgentTool<I2, O2, N2> & Fits<C, I2>,
  ) => PipelineBuilder<I, O2, O2, WithStep<R, N2, O2>, P>
  /** Makes the input of the next step of all that is known; a second adapter or mapping replaces the first. */
  readonly adapter: <const C2>(adapter: Adapter<StepGiven<O, I, R>, C2>, options?: IntoOptions) => PipelineBuilder<I, O, Carried<C2>, R, P>
  /** The same as data: where each field of the next step's input comes from. `check` sees it, and `explain` shows it. */
  readonly mapping: <const M extends MappingShape>(
    mapping: M & NoInfer<LeadingMapping<M, StepGiven<O, I, R>>>,
  ) => PipelineBuilder<I, O, Mapped<M, StepGiven<O, I, R>>, R, P>
  readonly errorStrategy: (strategy: ErrorStrategy) => PipelineBuilder<I, O, C, R, P>
  readonly deadlines: (sharing: DeadlineSharing) => PipelineBuilder<I, O, C, R, P>
  readonly build: () => AgentTool<I, O, P>
}

/** A builder before its first step. */
export interface PipelineStart<P extends string = string> {
  readonly name: <const P2 extends string>(name: P2) => PipelineStart<P2>
  readonly description: (description: string) => PipelineStart<P>
  readonly version: (version: string) => PipelineStart<P>
  readonly errorStrategy: (strategy: ErrorStrategy) => PipelineStart<P>
  readonly deadlines: (sharing: DeadlineSharing) => PipelineStart<P>
  readonly step: <I, O, N extends string>(
    tool: AgentTool<I, O, N>,
  ) => PipelineBuilder<I, O, O, WithStep<Readonly<Record<never, never>>, N, O>, P>
}

/** Every call gives a new builder: one that is kept can be built on twice. */
function pipelineBuilder(): PipelineStart {
  return builderOf([], {})
}

type AnyBuilder = PipelineStart & PipelineBuilder<never, never, never, never, never>

function builderOf(steps: readonly UnlabelledStep[], options: PipelineOptions): AnyBuilder {
  const withOptions = (more: PipelineOptions): AnyBuilder => builderOf(steps, { ...options, ...more })
  const withAdapter = (kind: string, make: (last: string) => StepAdapter): AnyBuilder => {
    const last = steps.at(-1)
    if (last === undefined)
      throw new ConfigurationError('invalid_definition', `${kind} reshapes the result of a step: add a step before it.`)
    return builderOf([...steps.slice(0, -1), { ...last, adapter: make(last.tool.name) }], options)
  }
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
    adapter: (adapter: Adapter<never, unknown>, naming?: IntoOptions) =>
      withAdapter('An adapter', (last) => stepAdapter(adapter, `after '${last}'`, naming)),
    mapping: (mapping: Mapping) => withAdapter('A mapping', (last) => mappingAdapter(ownMapping(mapping, `The mapping after '${last}'`))),
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
