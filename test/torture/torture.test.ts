import { expect, test } from 'vitest'
import { torture, type TortureReport } from './torture.ts'

const quiet = { tell: () => {}, minutes: 1.5, workers: 2, knownDead: 1 }

function expectNoLoss({ lost, twice, notUndone, approvalsLost, refusedWrongly }: TortureReport): void {
  expect({ lost, twice, notUndone, approvalsLost, refusedWrongly }).toEqual({
    lost: [],
    twice: [],
    notUndone: [],
    approvalsLost: [],
    refusedWrongly: [],
  })
}

test(
  'runs of every shape outlive kills of their workers and of the database, and nothing is lost [G1] [G4] [G5]',
  { timeout: 240_000 },
  async () => {
    const report = await torture({
      ...quiet,
      runs: 44,
      seed: 20_261_115,
      faults: { workersKilled: { meanMs: 1000, most: 3 }, databaseKilled: { meanMs: 2500, most: 1 } },
      mix: { programs: 0, cancelled: 0.1, deadlines: 0, startedLater: 0 },
    })
    expectNoLoss(report)
    const { runs, faults, approvals } = report
    expect(runs).toBe(44)
    expect(faults.databaseKilled).toBe(1)
    expect(faults.workersKilled).toBeGreaterThanOrEqual(1)
    expect(approvals).toBeGreaterThanOrEqual(4)
  },
)

test(
  'runs of any program outlive connections that are cut or slow and replies that are lost, and nothing is lost [G3] [G5]',
  { timeout: 240_000 },
  async () => {
    const report = await torture({
      ...quiet,
      runs: 40,
      seed: 20_261_116,
      faults: {
        connectionsCut: { meanMs: 900 },
        connectionsDelayed: { meanMs: 2000, most: 1 },
        repliesLost: { meanMs: 700 },
      },
      mix: { programs: 1, cancelled: 0.2, deadlines: 0.1, startedLater: 0.05 },
    })
    expectNoLoss(report)
    const { runs, faults, effects } = report
    expect(runs).toBe(40)
    expect(faults.repliesLost).toBeGreaterThanOrEqual(1)
    expect(faults.connectionsCut).toBeGreaterThanOrEqual(1)
    expect(effects).toBeGreaterThan(30)
  },
)
