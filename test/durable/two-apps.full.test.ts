import { expect, test } from 'vitest'
import { APPS, twoAppsUnderLoad } from '../fixtures/two-apps/two-apps-under-load.ts'

const RUNS = 600
const KILLS = 30

test('two apps on one database never touch each other’s runs under load, over many kills [G5]', { timeout: 600_000 }, async () => {
  const { effects, kills, strangers, values } = await twoAppsUnderLoad({ runs: RUNS, kills: KILLS })
  console.log(`${2 * RUNS} runs, ${kills} kills, ${effects.length} effects`)
  expect(kills).toBe(KILLS)
  expect(strangers).toEqual([])
  expect(effects.filter(({ app, by }) => app !== by)).toEqual([])
  for (const app of APPS) {
    expect(values[app]).toEqual(Array.from({ length: RUNS }, (_, order) => `${app} ${order}`))
    expect(new Set(effects.filter(({ by }) => by === app).map(({ key }) => key)).size).toBe(RUNS)
  }
})
