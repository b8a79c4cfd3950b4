import { expect, test } from 'vitest'
import { APPS, twoAppsUnderLoad } from '../fixtures/two-apps/two-apps-under-load.ts'

test('two apps on one database never touch each other’s runs while workers of both are killed [G5]', { timeout: 120_000 }, async () => {
  const { effects, kills, strangers, values } = await twoAppsUnderLoad({ runs: 40, kills: 2 })
  expect(kills).toBe(2)
  expect(strangers).toEqual([])
  expect(effects.filter(({ app, by }) => app !== by)).toEqual([])
  for (const app of APPS) {
    expect(values[app]).toEqual(Array.from({ length: 40 }, (_, order) => `${app} ${order}`))
    expect(new Set(effects.filter(({ by }) => by === app).map(({ key }) => key)).size).toBe(40)
  }
})
