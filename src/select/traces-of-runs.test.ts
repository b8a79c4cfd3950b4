import { expect, test } from 'vitest'
import { durableRuns } from '../../test/fixtures/run/durable-runs.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { saga } from '../combinators/saga/saga.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { failure } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'
import { type TaughtRun, tracesOfRuns } from './traces-of-runs.ts'

const database = durableRuns()

const works = (name: string) => tool({ name, description: `Does ${name}.`, effect: 'write', idempotent: true, execute: () => name })
const fails = tool({
  name: 'fails',
  description: 'Finds nothing.',
  effect: 'write',
  idempotent: true,
  execute: () => failure('There is no such table.', { code: 'not_found' }),
})
const charge = works('charge')
const refund = works('refund')
const reserve = works('reserve')
const trip = saga({ name: 'trip', description: 'Books a trip.' })
  .step('charge', charge, { input: () => 'x', compensate: { with: refund, class: 'reversible', input: () => 'x' } })
  .step('fails', fails, { input: () => 'x', compensate: 'irreversible' })
  .build()
const dinner = pipe(reserve, charge)

test('a durable run teaches which tools served its task, which failed and which were undone, and no other', async () => {
  const runs = await database.open([trip, dinner])
  const record = async (id: string) => runs.show(id)
  const ids: string[] = []
  for (const [each, task] of [
    [dinner, 'book a table'],
    [trip, 'book a trip'],
    [dinner, undefined],
  ] as const) {
    const run = await runs.start(each as AgentTool, 'x' as never, {
      principal: { id: 'ada', permissions: [] },
      ...(task === undefined ? {} : { task }),
    })
    await run.result()
    ids.push(run.id)
  }
  const traces = tracesOfRuns(await Promise.all(ids.map(record)))
  expect(traces.map(({ text, tool: name, served }) => `${text}: ${name} ${served ? 'served' : 'did not'}`)).toEqual([
    'book a table: reserve served',
    'book a table: charge served',
    `book a table: ${dinner.name} served`,
    'book a trip: charge did not',
    'book a trip: fails did not',
    'book a trip: trip did not',
  ])
  for (const { principal, at } of traces) expect([principal, at > 0]).toEqual(['ada', true])
  const tools = await catalog([reserve, charge])
  await tools.learn(traces)
  expect((await tools.select('book a table for two')).tools.map(({ tool: { name } }) => name).toSorted()).toEqual(['charge', 'reserve'])
})

const run: TaughtRun = { tool: 'alpha', status: 'completed', starter: { task: 'book a table' }, steps: [], createdAt: 7 }

test('a run that was cancelled or is under way, or has no task, teaches nothing; the text may come from elsewhere', () => {
  expect(tracesOfRuns([run])).toEqual([{ text: 'book a table', tool: 'alpha', served: true, principal: undefined, at: 7 }])
  for (const status of ['queued', 'running', 'waiting', 'blocked', 'cancelled', 'stopped'] as const)
    expect(tracesOfRuns([{ ...run, status }]), status).toEqual([])
  for (const task of ['', ' ', undefined, 7]) expect(tracesOfRuns([{ ...run, starter: { task } as never }])).toEqual([])
  expect(tracesOfRuns([run], { textOf: ({ tool: name }) => `a task of ${name}` })[0]?.text).toBe('a task of alpha')
  expect(() => tracesOfRuns([run], { text: 'x' } as never)).toThrow('text')
})

test('a refusal, a wrong input and a step that was not needed say nothing about a tool', () => {
  const step = { path: 'alpha/a', tool: 'beta', input: 'x', attempts: [], startedAt: 1, endedAt: 2, key: 'k' }
  const failed = (errorClass: string) => ({ class: errorClass, code: 'x', message: 'm', retryable: false, outcome: 'failed' }) as never
  for (const errorClass of ['denied', 'validation', 'rate_limit', 'timeout'])
    expect(tracesOfRuns([{ ...run, steps: [{ ...step, error: failed(errorClass) }] }]).map(({ tool: name }) => name)).toEqual(['alpha'])
  for (const standing of ['not needed', 'cancelled', 'unknown'] as const)
    expect(tracesOfRuns([{ ...run, steps: [{ ...step, standing }] }]).map(({ tool: name }) => name)).toEqual(['alpha'])
})
