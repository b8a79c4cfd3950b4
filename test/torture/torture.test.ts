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
      workerKillMs: 1000,
      databaseKillMs: 2500,
      mostWorkerKills: 3,
      mostDatabaseKills: 1,
      knownDead: 1,
      tell: () => {},
    })
    const { lost, twice, notUndone, approvalsLost, runs, workerKills, databaseKills, approvals } = report
    expect({ lost, twice, notUndone, approvalsLost }).toEqual({ lost: [], twice: [], notUndone: [], approvalsLost: [] })
    expect({ runs, databaseKills }).toEqual({ runs: 66, databaseKills: 1 })
    expect(workerKills).toBeGreaterThanOrEqual(1)
    expect(approvals).toBeGreaterThanOrEqual(12)
  },
)
