import type { AgentTool } from '../tool/agent-tool.ts'
import { behaviourOf } from '../tool/behaviour.ts'
import { ModelArguments } from '../tool/input/arguments.ts'

/** The input that a text of arguments stands for. One that does not fit is told at once, and no run is begun for it. */
export async function runInput(tool: AgentTool, argumentsText: string): Promise<never> {
  const { input } = behaviourOf(tool)
  const given = input.unwrap(ModelArguments.ofText(argumentsText), tool.name)
  await input.accept(given, tool.name)
  return given as never
}
