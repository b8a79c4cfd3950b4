import { generateText, isStepCount, type LanguageModel, tool, type ToolSet } from 'ai'
import { BRANCHES, type Input, type Job, type PeerRuns, STEPS } from '../peer-job.ts'

type Model = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>
type Prompt = Parameters<Model['doGenerate']>[0]['prompt']

/**
 * The same tools called by `generateText`, with a model that answers at once: it asks for the next tool with what the last one gave, or for
 * all of them in one answer. Nothing is asked of it after the last tool.
 */
export function build({ schema, pass }: Job): PeerRuns {
  const passing = tool({ description: 'Hands its input on.', inputSchema: schema, execute: pass })
  const toolsOf = (names: readonly string[]): ToolSet => Object.fromEntries(names.map((name) => [name, { ...passing }]))
  const ten = {
    tools: toolsOf(STEPS),
    stopWhen: isStepCount(STEPS.length),
    model: modelThat((prompt) => [callOf(STEPS[(prompt.length - 1) / 2] ?? '', lastValue(prompt))]),
  }
  const hundred = {
    tools: toolsOf(BRANCHES),
    stopWhen: isStepCount(1),
    model: modelThat((prompt) => BRANCHES.map((name) => callOf(name, lastValue(prompt)))),
  }
  const outputsOf = async (loop: typeof ten, given: Input): Promise<readonly Input[]> => {
    const { finalStep } = await generateText({ ...loop, prompt: JSON.stringify(given) })
    if (finalStep.toolResults.length < finalStep.toolCalls.length) throw new Error('A tool was not run.')
    return finalStep.toolResults.map(({ output }) => output as Input)
  }
  return {
    async pipe(given) {
      const [value] = await outputsOf(ten, given)
      if (value === undefined) throw new Error('The last step called no tool.')
      return value
    },
    parallel: (given) => outputsOf(hundred, given),
  }
}

function modelThat(calls: (prompt: Prompt) => ReturnType<typeof callOf>[]): Model {
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async ({ prompt }) => ({
      content: calls(prompt),
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage: {
        inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 0, text: 0, reasoning: 0 },
      },
      warnings: [],
    }),
    doStream: () => Promise.reject(new Error('The bench does not stream.')),
  }
}

function callOf(toolName: string, given: unknown) {
  return { type: 'tool-call' as const, toolCallId: toolName, toolName, input: JSON.stringify(given) }
}

/** What the last tool gave, or the input of the run, as the model reads it in the prompt. */
function lastValue(prompt: Prompt): unknown {
  const last = prompt.at(-1)
  const part = typeof last?.content === 'string' ? undefined : last?.content.at(-1)
  if (part?.type === 'text') return JSON.parse(part.text)
  if (part?.type === 'tool-result' && part.output.type === 'json') return part.output.value
  throw new Error('The last tool gave nothing to go on with.')
}
