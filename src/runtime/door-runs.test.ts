import { expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { tool } from '../tool/tool.ts'
import { createRuntime } from './create-runtime.ts'
import { callerOf, findRun, joinRun } from './door-runs.ts'

const ADA = { principal: { id: 'ada', permissions: [] } }
const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => `paid ${to}` }))
const subject = { tool: pay, input: 'bob' }

test('the open run of an equal call is found behind any number of equal runs that belong to other calls', async () => {
  const database = memoryRuns({ clock: fakeClock() })
  const runtime = createRuntime({ tools: [pay], database })
  const caller = callerOf(runtime, ADA)
  const joining = (own: Partial<Parameters<typeof joinRun>[2]> = {}) => ({ caller, options: ADA, now: 0, isApart: () => false, ...own })
  const { run: first } = await joinRun(runtime, subject, joining())
  const others: string[] = []
  for (let at = 0; at < 230; at++) {
    const { run } = await joinRun(runtime, subject, joining({ now: at * 60_000, isApart: () => true }))
    others.push(run.id)
  }
  await database.idle()
  expect(new Set([first.id, ...others]).size).toBe(231)
  const { run } = await joinRun(runtime, subject, joining({ isApart: (id) => id !== first.id }))
  expect(run.id).toBe(first.id)
  await runtime.close()
})

test('calls of different scopes, and one without, do not meet; the caller finds all of them by their ids', async () => {
  const runtime = createRuntime({ tools: [pay], database: memoryRuns({ clock: fakeClock() }) })
  const caller = callerOf(runtime, ADA)
  const runIn = async (scope?: string): Promise<string> =>
    (await joinRun(runtime, subject, { caller, options: ADA, now: 0, scope, isApart: () => false })).run.id
  const runs = [await runIn(), await runIn('one'), await runIn('two'), await runIn('on')]
  expect(new Set(runs).size).toBe(4)
  expect([await runIn(), await runIn('one'), await runIn('two'), await runIn('on')]).toEqual(runs)
  for (const id of runs) expect((await findRun(runtime, id, { caller, subject }))?.id).toBe(id)
  expect(
    await findRun(runtime, runs[1] ?? '', { caller: callerOf(runtime, { principal: { id: 'eve', permissions: [] } }) }),
  ).toBeUndefined()
  await runtime.close()
})
