import { expect, test } from 'vitest'
import { upgradeTorture } from './upgrade-torture.ts'

test(
  'over upgrades, all at once and side by side, no effect happens twice or is forgotten, and refusals are right [G5]',
  { timeout: 400_000 },
  async () => {
    const report = await upgradeTorture({ runs: 200, seed: 20_261_115, minutes: 5, tell: () => {} })
    const { lost, twice, approvalsLost, refusedWrongly, singleUpgrades, rollingUpgrades, refused } = report
    expect({ lost, twice, approvalsLost, refusedWrongly }).toEqual({ lost: [], twice: [], approvalsLost: [], refusedWrongly: [] })
    expect({ singleUpgrades, rollingUpgrades }).toEqual({ singleUpgrades: 1, rollingUpgrades: 1 })
    expect(refused).toBeGreaterThan(0)
  },
)
