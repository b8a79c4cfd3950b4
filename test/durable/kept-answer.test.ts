import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { idempotent } from '../../src/combinators/idempotent/idempotent.ts'
import { latch } from '../fixtures/run/latch.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'
import { proxiedRuns } from '../fixtures/run/proxied-runs.ts'

const database = proxiedRuns()

test('an answer that could not be kept under its key while the database was away keeps no later run waiting [G5]', async () => {
  const { noting, done } = notingTools()
  const held = latch()
  const pay = idempotent(noting('pay', { meanwhile: () => held.wait() }), { key: () => 'one' })
  await database.open('proxied', [pay])
  const starter = await database.open('direct', [pay], { worker: false })
  const first = await starter.start(pay, 'ann')
  await held.begun
  const proxy = database.proxy()
  proxy.admission = 'refuse'
  for (const connection of proxy.connections) connection.cut()
  held.open()
  await pause(1000)
  proxy.admission = 'pass'
  expect(await first.result()).toMatchObject({ ok: true, value: 'ann>pay' })
  const second = await starter.start(pay, 'ann')
  const ended = second.result().then(({ text }) => text)
  expect(await Promise.race([ended, pause(20_000, 'still waiting', { ref: false })])).toBe('ann>pay')
  expect(done).toEqual(['pay ann'])
})
