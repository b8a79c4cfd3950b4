import { generateText, jsonSchema, streamText, tool as aiTool, ToolLoopAgent, type LanguageModel, type ToolSet } from 'ai'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { fromAiSdk, type ModelInput, type ProgressOutput, toAiSdk } from './index.ts'

declare const model: LanguageModel

const add = tool({
  name: 'add',
  description: 'd',
  inputSchema: z.object({ a: z.number(), b: z.number().optional() }),
  execute: ({ a }) => ({ sum: a }),
})
const shout = tool({ name: 'shout', description: 'd', execute: (input) => input.length })

test('keys, inputs and outputs of a tool set are inferred from a record', async () => {
  const { tools, toolApproval } = toAiSdk({ add, shout })
  expectTypeOf(tools).toExtend<ToolSet>()
  expectTypeOf<keyof typeof tools>().toEqualTypeOf<'add' | 'shout'>()
  const { toolCalls, toolResults } = await generateText({ model, prompt: 'p', tools, toolApproval })
  for (const call of toolCalls) {
    if (call.dynamic === true) continue
    if (call.toolName === 'add') expectTypeOf(call.input).toEqualTypeOf<{ a: number; b?: number | undefined }>()
    else expectTypeOf(call.input).toEqualTypeOf<{ readonly input: string }>()
  }
  for (const result of toolResults) {
    if (result.dynamic === true) continue
    if (result.toolName === 'add') expectTypeOf(result.output).toEqualTypeOf<{ sum: number }>()
    else expectTypeOf(result.output).toEqualTypeOf<number>()
  }
  // @ts-expect-error there is no such tool
  void tools.other
})

test('a list, a spread of approvals, an agent and a stream take them too', () => {
  const list = toAiSdk([add, shout])
  expectTypeOf(list.tools).toExtend<ToolSet>()
  void streamText({ model, prompt: 'p', tools: list.tools, toolApproval: list.toolApproval })
  const { tools, toolApproval } = toAiSdk({ add })
  const other = aiTool({ inputSchema: z.object({ x: z.string() }), execute: ({ x }) => x })
  void generateText({ model, prompt: 'p', tools: { ...tools, other }, toolApproval: { ...toolApproval, other: 'user-approval' } })
  expectTypeOf(new ToolLoopAgent({ model, tools, toolApproval }).tools).toEqualTypeOf(tools)
})

test('an output may be a report of progress where that was asked for', async () => {
  const { tools } = toAiSdk({ add }, { progress: true })
  const { toolResults } = await generateText({ model, prompt: 'p', tools })
  for (const result of toolResults)
    if (result.dynamic !== true) expectTypeOf(result.output).toEqualTypeOf<{ sum: number } | ProgressOutput>()
})

test('what is not plainly an object stands under input', () => {
  expectTypeOf<ModelInput<string>>().toEqualTypeOf<{ readonly input: string }>()
  expectTypeOf<ModelInput<boolean>>().toEqualTypeOf<{ readonly input: boolean }>()
  expectTypeOf<ModelInput<readonly string[]>>().toEqualTypeOf<{ readonly input: readonly string[] }>()
  expectTypeOf<ModelInput<{ a: 1 } | { b: 2 }>>().toEqualTypeOf<{ readonly input: { a: 1 } | { b: 2 } }>()
  expectTypeOf<ModelInput<{ a: 1 }>>().toEqualTypeOf<{ a: 1 }>()
  expectTypeOf<ModelInput<unknown>>().toEqualTypeOf<unknown>()
})

test('wrong tools and options do not compile', () => {
  // @ts-expect-error not a tool
  toAiSdk({ add: { name: 'add' } })
  // @ts-expect-error the signal comes with each call
  toAiSdk({ add }, { signal: new AbortController().signal })
  // @ts-expect-error no such handler
  toAiSdk({ add }, { review: () => true })
})

test('AI SDK tools become tools with their types', () => {
  const weather = aiTool({ description: 'd', inputSchema: z.object({ city: z.string() }), execute: ({ city }) => ({ city, degrees: 21 }) })
  const raw = aiTool({ inputSchema: jsonSchema<{ id: number }>({ type: 'object' }), execute: async ({ id }) => id })
  const adopted = fromAiSdk({ weather, raw }, { metadata: { weather: { effect: 'read' } } })
  expectTypeOf(adopted.weather).toEqualTypeOf<AgentTool<{ city: string }, { city: string; degrees: number }>>()
  expectTypeOf(adopted.raw).toEqualTypeOf<AgentTool<{ id: number }, number>>()
  // @ts-expect-error no such tool
  fromAiSdk({ weather }, { metadata: { other: { effect: 'read' } } })
  // @ts-expect-error no such effect
  fromAiSdk({ weather }, { metadata: { weather: { effect: 'harmless' } } })
})

test('a strict mode is switched on, or named', () => {
  expectTypeOf(toAiSdk({ add }, { strict: true }).tools).toExtend<ToolSet>()
  void toAiSdk({ add }, { strict: 'anthropic-strict' })
  // @ts-expect-error there is no such dialect
  void toAiSdk({ add }, { strict: 'cohere' })
})
