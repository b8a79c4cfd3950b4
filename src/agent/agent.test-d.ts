import type { LanguageModel, ModelMessage } from 'ai'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { tool } from '../tool/tool.ts'
import { agent, type AgentInput } from './agent.ts'
import type { AgentAnswer } from './agent-answer.ts'
import { inPhases, type PhasesInput } from './in-phases.ts'
import { task } from './task.ts'
import type { TaskInput } from './earlier-outputs.ts'

declare const model: LanguageModel
const base = { role: 'Clerk', goal: 'Help.', model, tools: [] } as const
const load = tool({
  name: 'load',
  description: 'x',
  inputSchema: z.object({ table: z.string() }),
  execute: ({ table }) => [{ table, amount: 1 }],
})
const shout = tool({ name: 'shout', description: 'x', execute: (text) => text.length })

test('an agent without an output answers with a text, one with an output with its value', () => {
  const plain = agent({ ...base, name: 'clerk' })
  expectTypeOf(plain.name).toEqualTypeOf<'clerk'>()
  expectTypeOf(plain.run('x')).resolves.toEqualTypeOf<ToolResult<AgentAnswer>>()
  expectTypeOf(plain.asTool()).toEqualTypeOf<AgentTool<AgentInput, AgentAnswer, 'clerk'>>()
  const typed = agent({ ...base, output: z.object({ id: z.string() }) })
  expectTypeOf(typed.run('x')).resolves.toEqualTypeOf<ToolResult<AgentAnswer<{ id: string }>>>()
  expectTypeOf(typed.asTool({ name: 'finder' })).toEqualTypeOf<AgentTool<AgentInput, { id: string }, 'finder'>>()
})

test('the AI SDK takes the transcript', async () => {
  const result = await agent(base).run('x')
  if (result.ok) expectTypeOf([...result.value.messages]).toExtend<ModelMessage[]>()
})

test('tasks and phases know what each task gives', () => {
  const first = task({ name: 'first', description: 'x', tool: load, input: { table: 'a' } })
  expectTypeOf(first).toEqualTypeOf<AgentTool<TaskInput, { table: string; amount: number }[], 'first'>>()
  const second = task({ description: 'x', tool: shout, input: (earlier) => String(earlier(first).value[0]?.amount.toFixed(2)) })
  expectTypeOf(second.name).toEqualTypeOf<'shout_task'>()
  const third = task({
    name: 'third',
    description: 'x',
    expectedOutput: 'x',
    agent: agent({ ...base, output: z.object({ id: z.string() }) }),
  })
  const all = inPhases({ name: 'all', phases: [[first], [second, third]] })
  expectTypeOf(all).toEqualTypeOf<
    AgentTool<
      PhasesInput,
      { readonly first: { table: string; amount: number }[]; readonly shout_task: number; readonly third: { id: string } },
      'all'
    >
  >()
})

test('what does not fit is a compile error', () => {
  // @ts-expect-error A typed tool needs an input.
  task({ description: 'x', tool: load })
  // @ts-expect-error The input is of another type.
  task({ description: 'x', tool: load, input: { table: 1 } })
  // @ts-expect-error The function makes another input.
  task({ description: 'x', tool: load, input: () => ({ tables: 'a' }) })
  // @ts-expect-error A task for an agent needs an expected output.
  task({ description: 'x', agent: agent(base) })
  // @ts-expect-error A tool that is not a task has another input.
  inPhases({ name: 'x', phases: [[shout]] })
  // @ts-expect-error An agent needs a goal.
  agent({ role: 'x', model, tools: [] })
  // @ts-expect-error A limit is misspelt.
  agent({ ...base, limits: { toolCall: 1 } })
  // @ts-expect-error A variable is a text, a number or a boolean.
  void agent(base).run('x', { variables: { a: [] } })
})
