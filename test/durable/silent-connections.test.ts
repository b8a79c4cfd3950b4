import { expect, test } from 'vitest'
import { proxiedRuns } from '../fixtures/run/proxied-runs.ts'
import { ALL_ENDED, underWay } from '../fixtures/run/silent-scene.ts'

const database = proxiedRuns()

test('a connection that stays open and passes nothing any more stops no run, beside healthy ones [G5]', async () => {
  const { goOn } = await underWay(database)
  database.proxy().connections[0]?.silence('all')
  expect(await goOn()).toEqual(ALL_ENDED)
})

test('when nothing passes any more on any connection, new ones are made [G5]', async () => {
  const { goOn, done } = await underWay(database)
  for (const connection of database.proxy().connections) connection.silence('all')
  expect(await goOn()).toEqual(ALL_ENDED)
  expect(done.filter((each) => each === 'pay ann')).toHaveLength(1)
})
