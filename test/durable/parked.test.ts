import { expect, test } from 'vitest'
import { durableRuns } from '../fixtures/run/durable-runs.ts'
import { describeLoad, measureParked } from '../fixtures/run/parked-load.ts'

const database = durableRuns()

test('100 parked approvals cost next to nothing, outlive a restart and go on at once [T15]', { timeout: 120_000 }, async () => {
  const load = await measureParked(database, { count: 100, idleMs: 4000, decisions: 20 })
  console.log(describeLoad(load))
  expect(load).toMatchObject({ completed: 20, stillParked: 80 })
  expect(load.statementsPerSecond).toBeLessThan(10)
  expect(load.heapGrowthKb).toBeLessThan(1024)
  // The limits of time are those of the full suite, with room for a machine that does other things too.
  expect(load.resumedP50Ms).toBeLessThan(500)
  expect(load.restartMs).toBeLessThan(15_000)
})
