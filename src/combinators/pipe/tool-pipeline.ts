import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Chain, FirstInput, LastOutput } from './fits.ts'
import { makePipeline } from './make-pipeline.ts'
import { pipelineBuilder, type PipelineStart } from './pipeline-builder.ts'

type Steps = readonly [AgentTool, ...AgentTool[]]

interface PipelineFactory {
  <const T extends Steps>(...steps: T & Chain<T>): AgentTool<FirstInput<T>, LastOutput<T>>
  <const T extends Steps>(name: string, description: string, ...steps: T & Chain<T>): AgentTool<FirstInput<T>, LastOutput<T>>
}

const of = ((...given: readonly (string | AgentTool)[]): AgentTool => {
  const [name, description, ...rest] = given
  if (typeof name === 'string' && typeof description === 'string')
    return makePipeline(
      (rest as AgentTool[]).map((tool) => ({ tool })),
      { name, description },
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
