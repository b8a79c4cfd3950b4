import { generateText, isStepCount, jsonSchema as aiSchema, type LanguageModel, tool as aiTool } from 'ai'
import { jsonSchema, tool } from 'toolwright'
import { agent } from 'toolwright/agent'
import type { Benchmark } from './figure.ts'
import { elapsed, ratioOf, takeTurns } from './take-turns.ts'

type ModelV4 = Extract<LanguageModel, { specificationVersion: 'v4' }>

const TURNS = 10
const RUNS = 10

/** Calls a tool in every turn but the last, in this process and at once. */
const model: ModelV4 = {
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: async ({ prompt }) => {
    const turn = prompt.filter(({ role }) => role === 'assistant').length + 1
    const isLast = turn === TURNS
    return {
      content: isLast
        ? [{ type: 'text', text: 'Done.' }]
        : [{ type: 'tool-call', toolCallId: `call_${turn}`, toolName: 'double', input: `{"number":${turn}}` }],
      finishReason: { unified: isLast ? 'stop' : 'tool-calls', raw: undefined },
      usage: {
        inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      },
      warnings: [],
    }
  },
  doStream: () => Promise.reject(new Error('The bench does not stream.')),
}

interface Doubled {
  readonly number: number
}

const SCHEMA = {
  type: 'object' as const,
  properties: { number: { type: 'number' as const } },
  required: ['number'],
  additionalProperties: false,
}
const system = 'You are: Clerk\n\nYour goal: Double.'

async function theirs(): Promise<void> {
  const double = aiTool({ description: 'Doubles.', inputSchema: aiSchema<Doubled>(SCHEMA), execute: ({ number }) => number * 2 })
  const answer = await generateText({ model, instructions: system, prompt: 'Go on.', tools: { double }, stopWhen: isStepCount(TURNS) })
  if (answer.steps.length !== TURNS) throw new Error(`The loop of the AI SDK ended after ${answer.steps.length} turns.`)
}

const double = tool({
  name: 'double',
  description: 'Doubles.',
  effect: 'read',
  inputSchema: jsonSchema<Doubled>(SCHEMA),
  execute: ({ number }) => number * 2,
})
const clerk = agent({ name: 'clerk', role: 'Clerk', goal: 'Double.', model, tools: [double] })

async function ours(): Promise<void> {
  const result = await clerk.run('Go on.')
  if (!result.ok || result.value.turns !== TURNS) throw new Error(`The loop of Toolwright ended with: ${result.text}`)
}

/** Microseconds of a turn. */
async function microseconds(loop: () => Promise<void>): Promise<number> {
  const ms = await elapsed(async () => {
    for (let run = 0; run < RUNS; run++) await loop()
  })
  return (ms * 1000) / (RUNS * TURNS)
}

/** A turn of the loop without its model, beside the loop of the AI SDK with the same model and tool. */
export const agentTurn: Benchmark = {
  name: 'agent-turn',
  run: async ({ processes, measureMs }) => {
    const rounds = Math.max(20, Math.round((processes * measureMs) / 40))
    const costs = await takeTurns({ theirs: () => microseconds(theirs), ours: () => microseconds(ours) }, { rounds, warmUp: 20 })
    const about = 'a turn of the loop of an agent with one tool call, beside generateText with the same model in process'
    return [{ name: 'agent-turn', unit: 'us', ...ratioOf(costs.theirs, costs.ours), budget: 0.5, about }]
  },
}
