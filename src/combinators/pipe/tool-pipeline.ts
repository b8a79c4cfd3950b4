import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { Chain, FirstInput, LastOutput, NamedSteps, Steps } from './fits.ts'
import { makePipeline } from './make-pipeline.ts'
import { pipelineBuilder, type PipelineStart } from './pipeline-builder.ts'

/** Makes a pipeline of tools, with a name and a description before them or without. */
export interface PipelineFactory {
  // One signature for both forms: of two, the compiler would tell what is wrong with the one that was not meant.
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
 * Tools in a row, as one tool that the model calls once.
 * @example
 * const described = ToolPipeline.of('greet_loudly', 'Greets a person, loudly.', greet, shout)
 * const built = ToolPipeline.builder().name('greet_twice').step(greet).adapter((result) => `${result.text} ${result.text}`).step(shout).build()
 */
export const ToolPipeline: { readonly of: PipelineFactory; readonly builder: () => PipelineStart } = { of, builder: pipelineBuilder }
