import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ModelTurn, scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { outputRouter } from '../context/output-router.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { replayFromEveryPrefix } from '../testing/replay-from-every-prefix.ts'
import { check } from '../plan/check.ts'
import { failure } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'
import { inPhases } from './in-phases.ts'
import { task } from './task.ts'

const search = tool({ name: 'search', description: 'Searches.', effect: 'read', execute: (words) => `found ${words}` })
const loadRows = tool({
  name: 'load_rows',
  description: 'Loads rows.',
  effect: 'read',
  inputSchema: z.object({ table: z.string() }),
  execute: ({ table }) => [
    { table, amount: 2 },
    { table, amount: 3 },
  ],
})
const total = tool({
  name: 'total',
  description: 'Adds.',
  effect: 'read',
  inputSchema: z.object({ amounts: z.array(z.number()) }),
  execute: ({ amounts }) => amounts.reduce((sum, each) => sum + each, 0),
})
const shout = tool({ name: 'shout', description: 'Shouts.', effect: 'read', execute: (text) => text.toUpperCase() })

const writer = (...turns: readonly ModelTurn[]) => {
  const { model, requests } = scriptedModel(...turns)
  return { requests, agent: agent({ name: 'writer', role: 'Writer for {{reader}}', goal: 'Write.', model, tools: [search] }) }
}

test('a task has a description, an expected output and tools of its own [T18]', async () => {
  const { requests, agent: byWriter } = writer({ calls: [['load_rows', { table: 'a' }]] }, 'A digest.')
  const digest = task({
    name: 'digest',
    description: 'Summarise {{topic}}.',
    expectedOutput: 'One line for {{reader}}.',
    tools: [loadRows, search],
    agent: byWriter,
  })
  const result = await digest.call({ variables: { topic: 'bees', reader: 'Ada' } })
  expect(result).toMatchObject({ ok: true, text: 'A digest.', value: { stop: 'answered', toolCalls: 1 } })
  expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['search', 'load_rows'])
  expect(requests[0]?.prompt).toMatchObject([
    { role: 'system', content: 'You are: Writer for Ada\n\nYour goal: Write.' },
    { role: 'user', content: [{ text: 'Summarise bees.\n\nExpected output: One line for Ada.' }] },
  ])
})

test('a task names the variables that are missing before it asks the model', async () => {
  const { requests, agent: byWriter } = writer('x')
  const digest = task({ description: 'Summarise {{topic}}.', expectedOutput: 'A line.', agent: byWriter })
  expect((await digest.call({})).text).toBe(
    "Error: The texts of task 'writer_task' need the variables 'reader' and 'topic'. Pass them as variables: { reader: ..., topic: ... }.",
  )
  expect(requests).toHaveLength(0)
})

test('a deterministic task is a plain tool, with no model [T18]', async () => {
  const load = task({ description: 'Loads.', tool: loadRows, input: { table: 'orders' } })
  expect(load.name).toBe('load_rows_task')
  expect(await load.call({})).toMatchObject({ ok: true, value: [{ amount: 2 }, { amount: 3 }] })
  const byVariable = task({ description: 'Loads.', tool: loadRows, input: (_earlier, { table }) => ({ table: String(table) }) })
  expect(await byVariable.call({ variables: { table: 'x' } })).toMatchObject({ value: [{ table: 'x' }, { table: 'x' }] })
  expect(await task({ description: 'Shouts.', tool: shout }).call({})).toMatchObject({ ok: true, value: '' })
})

const loadA = task({ name: 'load_a', description: 'Loads a.', tool: loadRows, input: { table: 'a' } })
const loadB = task({ name: 'load_b', description: 'Loads b.', tool: loadRows, input: { table: 'b' } })
const sum = task({
  name: 'sum',
  description: 'Adds both.',
  tool: total,
  input: (earlier) => ({ amounts: [...earlier(loadA).value, ...earlier(loadB).value].map(({ amount }) => amount) }),
})
const report = task({ name: 'report', description: 'Reports.', tool: shout, input: (earlier) => `the total is ${earlier(sum).value}` })

test('tasks run in phases, side by side in each, and later ones get the outputs of earlier ones [T18]', async () => {
  const nightly = inPhases({ name: 'nightly', phases: [[loadA, loadB], [sum], [report]] })
  const result = await nightly.call({})
  expect(result).toMatchObject({ ok: true, text: 'THE TOTAL IS 10', value: { sum: 10, report: 'THE TOTAL IS 10' } })
  expect(result.steps?.map(({ path }) => path)).toEqual(['nightly/load_a', 'nightly/load_b', 'nightly/sum', 'nightly/report'])
  expect(nightly.description).toBe('In phases: load_a + load_b, then sum, then report')
  expect((await check(nightly)).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('tasks in phases resume from every point of their record, and are durable', async () => {
  const nightly = inPhases({ name: 'nightly', phases: [[loadA, loadB], [sum], [report]] })
  const replayed = await replayFromEveryPrefix(nightly, {})
  expect(replayed.diverged).toEqual([])
  const runtime = createRuntime({ tools: [nightly], database: memoryRuns() })
  expect((await (await runtime.start(nightly, {})).result()).text).toBe('THE TOTAL IS 10')
  await runtime.close()
})

test('a later task of an agent reads the outputs of earlier ones [T18]', async () => {
  const { requests, agent: byWriter } = writer('Ten in all.')
  const digest = task({ name: 'digest', description: 'Summarise.', expectedOutput: 'A line.', agent: byWriter })
  const day = inPhases({ name: 'day', phases: [[loadA, loadB], [sum], [digest]] })
  const result = await day.call({ variables: { reader: 'Ada' } })
  expect(result.ok && result.value.digest.text).toBe('Ten in all.')
  const asked = JSON.stringify(requests[0]?.prompt[1])
  expect(asked).toContain("Result of the task 'load_a':")
  expect(asked).toContain("Result of the task 'sum':\\n10")
})

test('with a router, earlier outputs enter within its budget', async () => {
  const rows = tool({
    name: 'rows',
    description: 'Rows.',
    effect: 'read',
    execute: () => Array.from({ length: 2000 }, (_, row) => ({ row, name: `n${row}` })),
  })
  const { model, requests } = scriptedModel('Many rows.')
  const reader = agent({
    name: 'reader',
    role: 'Reader',
    goal: 'Read.',
    model,
    tools: [],
    router: outputRouter({ budget: { window: 4000, maxOutput: 300 } }),
  })
  const load = task({ name: 'load', description: 'Loads.', tool: rows })
  const read = task({ name: 'read', description: 'How many rows?', expectedOutput: 'A number.', agent: reader })
  expect(await inPhases({ name: 'both', phases: [[load], [read]] }).call({})).toMatchObject({
    ok: true,
    value: { read: { text: 'Many rows.' } },
  })
  const asked = JSON.stringify(requests[0]?.prompt[1])
  expect(asked.length).toBeLessThan(2500)
  expect(asked).toContain('out_')
})

test('a task that fails ends the phases after it; the steps hold what the others gave', async () => {
  const down = task({
    name: 'down',
    description: 'Fails.',
    tool: tool({ name: 'down_tool', description: 'Fails.', effect: 'read', execute: () => failure('The source is down.') }),
  })
  const result = await inPhases({ name: 'day', phases: [[loadA, down], [sum]] }).call({})
  expect(result.text).toBe("Error: The task 'down' failed: The source is down.")
  expect(result.steps?.map(({ label, result: each }) => [label, each.ok])).toEqual([
    ['load_a', true],
    ['down', false],
  ])
})

test('an input function that asks for a later task is a failure that says so', async () => {
  const result = await inPhases({ name: 'day', phases: [[loadA], [report]] }).call({})
  expect(result.text).toContain("Task 'report' asks for the output of 'sum', which is not a task of an earlier phase: there are 'load_a'")
})

test('mistakes in tasks and phases are refused at once', () => {
  const { agent: byWriter } = writer('x')
  expect(() => task({ description: '', expectedOutput: 'x', agent: byWriter })).toThrow('A task needs a description')
  expect(() => task({ description: 'x', expectedOutput: '', agent: byWriter })).toThrow('needs an expectedOutput')
  expect(() => task({ description: 'x', expectedOutput: 'x', agent: {} as never })).toThrow("'agent' of a task must be made by agent(")
  expect(() => task({ description: 'x', expectedOutput: 'x', agent: byWriter, tool_s: [] } as never)).toThrow(
    "Did you mean 'tool' or 'tools'?",
  )
  expect(() => task({ description: 'x', tool: shout, expectedOutput: 'x' } as never)).toThrow(
    "The options of a task for a tool have no 'expectedOutput'",
  )
  expect(() => task({ description: 'x', tool: {} as never })).toThrow("'tool' of a task")
  expect(() => task({ description: 'x', tool: shout, inputs: 1 } as never)).toThrow("Did you mean 'input'")
  expect(() => inPhases({ name: 'a', phases: [] })).toThrow('must be lists of tasks')
  expect(() => inPhases({ name: 'a', phases: [[]] })).toThrow('must be lists of tasks')
  expect(() => inPhases({ name: 'a', phases: [[shout as never]] })).toThrow('which is not made by task(')
  expect(() => inPhases({ name: 'a', phases: [[loadA], [loadA]] })).toThrow("Duplicate task name: 'load_a'")
  expect(() => inPhases({ name: 'a', phase: [] } as never)).toThrow("Did you mean 'phases'")
})
