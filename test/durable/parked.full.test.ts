import { expect, test } from 'vitest'
import { durableRuns } from '../fixtures/run/durable-runs.ts'
import { describeLoad, measureParked } from '../fixtures/run/parked-load.ts'

const database = durableRuns()

test('2,000 parked approvals cost next to nothing, outlive a restart and go on at once [T15]', { timeout: 300_000 }, async () => {
  const load = await measureParked(database, { count: 2000, idleMs: 10_000, decisions: 100 })
  console.log(describeLoad(load))
  expect(load).toMatchObject({ completed: 100, stillParked: 1900 })
  expect(load.statementsPerSecond).toBeLessThan(10)
  expect(load.heapGrowthKb).toBeLessThan(1024)
  expect(load.heapPerRunBytes).toBeLessThan(1024)
  expect(load.resumedP50Ms).toBeLessThan(100)
  expect(load.restartMs).toBeLessThan(3000)
})
