import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { proxiedRuns } from '../fixtures/run/proxied-runs.ts'
import { ALL_ENDED, underWay } from '../fixtures/run/silent-scene.ts'

const database = proxiedRuns()

test('what was asked for on connections whose replies are lost, such as jobs, is not lost [G5]', async () => {
  const { goOn, done } = await underWay(database)
  for (const connection of database.proxy().connections) connection.silence('replies')
  expect(await goOn()).toEqual(ALL_ENDED)
  expect(done.filter((each) => each === 'pay ann')).toHaveLength(1)
})

test('connections that are let in and never answered are given up [G5]', async () => {
  const { goOn } = await underWay(database)
  const proxy = database.proxy()
  proxy.admission = 'silent'
  for (const connection of proxy.connections) connection.cut()
  const ended = goOn()
  await pause(4000)
  proxy.admission = 'pass'
  expect(await ended).toEqual(ALL_ENDED)
})
