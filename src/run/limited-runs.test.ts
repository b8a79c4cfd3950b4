import { expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../../test/fixtures/run/durable-runs.ts'
import { gate } from '../combinators/gate/gate.ts'
import { limit } from '../combinators/limit/limit.ts'
import { tool } from '../tool/tool.ts'

const database = durableRuns()

test('a run above the limit of its tool sleeps outside its process [F5]', async () => {
  const echo = tool({ name: 'echo', description: 'Repeats.', effect: 'read', execute: (text: string) => text })
  const limited = limit(echo, { rate: { calls: 1, per: '1h' } })
  const runs = await database.open([limited])
  expect((await (await runs.start(limited, 'one')).result()).ok).toBe(true)
  const second = await runs.start(limited, 'two', { deadline: '3h' })
  await untilStatus(runs, second.id, 'waiting')
  const [info] = await runs.list({ status: 'waiting' })
  expect(((info?.wakeAt ?? 0) - Date.now()) / 3_600_000).toBeCloseTo(1, 1)
})

test('a run that waits for a person inside a limit has no place meanwhile [F5]', async () => {
  const pay = tool({ name: 'pay', description: 'Pays.', effect: 'irreversible', execute: (text: string) => text })
  const limited = limit(gate(pay, { approval: (text) => text === 'much' }), { concurrency: 1 })
  const runs = await database.open([limited])
  const waiting = await runs.start(limited, 'much')
  await untilStatus(runs, waiting.id, 'waiting')
  expect((await (await runs.start(limited, 'little')).result()).text).toBe('little')
  await runs.inbox.approve(await openRequest(runs, waiting.id))
  expect((await waiting.result()).text).toBe('much')
})
