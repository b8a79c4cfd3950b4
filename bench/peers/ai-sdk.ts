import { executeTool, safeValidateTypes } from '@ai-sdk/provider-utils'
import { tool } from 'ai'
import { BRANCHES, type Input, type Job, type PeerRuns, STEPS } from '../peer-job.ts'

/**
 * Tools of the AI SDK without a model: the SDK has no combinator for that, so the program awaits them itself. What the SDK does around a
 * tool call is done by the functions that it uses itself, one to check the input and one to execute.
 */
export function build({ schema, pass }: Job): PeerRuns {
  const passing = () => tool({ description: 'Hands its input on.', inputSchema: schema, execute: pass })
  const ten = STEPS.map((name) => [name, passing()] as const)
  const hundred = BRANCHES.map((name) => [name, passing()] as const)

  async function call(toolCallId: string, called: ReturnType<typeof passing>, given: unknown): Promise<Input> {
    const checked = await safeValidateTypes({ value: given, schema: called.inputSchema })
    if (!checked.success) throw checked.error
    for await (const part of executeTool({
      tool: called,
      input: checked.value,
      options: { toolCallId, messages: [], context: undefined as never },
    })) {
      if (part.type === 'final') return part.output
    }
    throw new Error('The tool gave nothing.')
  }
  return {
    async pipe(given) {
      let value = given
      for (const [name, each] of ten) value = await call(name, each, value)
      return value
    },
    parallel: (given) => Promise.all(hundred.map(([name, each]) => call(name, each, given))),
  }
}
