import { expect, test } from 'vitest'
import { torture } from './torture.ts'

test(
  'runs of every shape outlive kills of their workers and of the database, and nothing is lost [G1] [G4] [G5]',
  { timeout: 120_000 },
  async () => {
    const report = await torture({
      runs: 66,
      seed: 20_261_115,
      workers: 2,
      minutes: 1.5,
      faults: { workersKilled: { meanMs: 1000, most: 3 }, databaseKilled: { meanMs: 2500, most: 1 } },
      mix: { programs: 0, cancelled: 0.1, deadlines: 0, startedLater: 0 },
      knownDead: 1,
      tell: () => {},
    })
    const { lost, twice, notUndone, approvalsLost, refusedWrongly, runs, faults, approvals } = report
    expect({ lost, twice, notUndone, approvalsLost, refusedWrongly }).toEqual({
      lost: [],
      twice: [],
      notUndone: [],
      approvalsLost: [],
      refusedWrongly: [],
    })
    expect(runs).toBe(66)
    expect(faults.databaseKilled).toBe(1)
    expect(faults.workersKilled).toBeGreaterThanOrEqual(1)
    expect(approvals).toBeGreaterThanOrEqual(6)
  },
)
