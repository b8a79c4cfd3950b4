import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saga } from '../combinators/saga/saga.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { stopEmbedded } from '../store/stop-embedded.ts'
import type { Alert } from '../tool/alert.ts'
import { compound } from '../tool/compound.ts'
import { failure } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tw-retry-'))
})
afterAll(async () => {
  await stopEmbedded(home)
  await rm(home, { recursive: true, force: true })
})

test('a person lets failed compensations be tried once more, under the same keys, and the run ends anew [G2] [G3]', async () => {
  let isDown = true
  const keys: string[] = []
  const alerts: Alert[] = []
  const take = tool({ name: 'take', description: 'Takes.', effect: 'write', idempotent: 'keyed', execute: (what) => `took ${what}` })
  const giveBack = tool({
    name: 'give_back',
    description: 'Gives back.',
    effect: 'write',
    idempotent: 'keyed',
    execute: (what, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      return isDown ? failure('The service is down.') : `gave ${what} back`
    },
  })
  const fail = tool({ name: 'fail', description: 'Fails.', effect: 'read', execute: () => failure('No.') })
  const order = saga({ name: 'order', description: 'Orders.' })
    .step('take', take, { compensate: { with: giveBack, class: 'reversible', input: ({ input }) => input, attempts: 1 } })
    .step('fail', fail)
    .build()
  const runtime = createRuntime({ tools: [order], database: { home }, alert: (alert) => void alerts.push(alert) })
  const run = await runtime.start(order, 'a lamp')

  const first = await run.result()
  expect(first.compensation).toMatchObject({ state: 'compensation_failed', durable: true, notUndone: ['take'] })
  expect(alerts).toMatchObject([{ kind: 'compensation_failed', step: 'take', runId: run.id }])

  isDown = false
  await run.retryCompensation('ada')
  const second = await run.result()
  expect(second).toMatchObject({ ok: false, compensation: { state: 'compensated', durable: true, notUndone: [] } })
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)

  await expect(run.retryCompensation()).rejects.toMatchObject({ code: 'run_not_open' })
  await runtime.close()
})

test('sagas whose names differ only where one has an underscore are tried again each by itself, as often as it takes', async () => {
  const fails = { a_b: 2, axb: 1 }
  const undone: string[] = []
  const take = tool({ name: 'take', description: 'Takes.', effect: 'write', idempotent: 'keyed', execute: (what) => `took ${what}` })
  const orderOf = (name: keyof typeof fails) => {
    const giveBack = tool({
      name: `give_back_${name}`,
      description: 'Gives back.',
      effect: 'write',
      idempotent: 'keyed',
      execute: () => {
        if (fails[name]-- > 0) return failure('The service is down.')
        undone.push(name)
        return 'gave back'
      },
    })
    const fail = tool({ name: `fail_${name}`, description: 'Fails.', effect: 'read', execute: () => failure('No.') })
    return saga({ name, description: 'Orders.' })
      .step('take', take, { compensate: { with: giveBack, class: 'reversible', input: ({ input }) => input, attempts: 1 } })
      .step('fail', fail)
      .build()
  }
  const [one, two] = [orderOf('axb'), orderOf('a_b')]
  const both = compound({
    name: 'both',
    description: 'Orders twice.',
    parts: { one, two },
    run: async (input, context) => {
      await context.call('axb', one, input)
      return context.call('a_b', two, input)
    },
  })
  const runtime = createRuntime({ tools: [both], database: { home } })
  const run = await runtime.start(both, 'a lamp')
  await run.result()
  await run.retryCompensation()
  await run.result()
  expect(undone).toEqual(['axb'])
  await run.retryCompensation()
  await run.result()
  expect(undone).toEqual(['axb', 'a_b'])
  await runtime.close()
})
