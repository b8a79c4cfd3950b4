import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gate } from '../../src/combinators/gate/gate.ts'
import { idempotent } from '../../src/combinators/idempotent/idempotent.ts'
import { saga } from '../../src/combinators/saga/saga.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { untilStatus, openRequest } from '../fixtures/run/durable-runs.ts'
import { latch } from '../fixtures/run/latch.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'
import { proxiedRuns } from '../fixtures/run/proxied-runs.ts'

const database = proxiedRuns()

test('a step whose key could not be claimed at first, and could later, is replayed as it went [G5]', async () => {
  const { noting, done } = notingTools()
  const held = latch()
  const order = saga({ name: 'order', description: 'Orders.' })
    .step('reserve', noting('reserve', { meanwhile: () => held.wait() }), {
      compensate: { with: noting('release'), class: 'reversible', input: ({ stepInput }) => stepInput },
    })
    .step('pay', idempotent(noting('pay'), { key: () => 'one' }), { attempts: 5, input: ({ input }) => input })
    .step('mail', gate(noting('mail')), { input: ({ input }) => input })
    .build({ output: ({ input }) => input }) as AgentTool<string>
  await database.open('proxied', [order])
  const starter = await database.open('direct', [order], { worker: false })
  const run = await starter.start(order, 'ann')
  await held.begun
  const proxy = database.proxy()
  proxy.admission = 'refuse'
  for (const connection of proxy.connections) connection.cut()
  held.open()
  await pause(400)
  proxy.admission = 'pass'
  await untilStatus(starter, run.id, 'waiting')
  await starter.inbox.approve(await openRequest(starter, run.id))
  expect(await run.result()).toMatchObject({ ok: true, value: 'ann' })
  expect(done).toEqual(['reserve ann', 'pay ann', 'mail ann'])
})
