import { expect, test } from 'vitest'
import { gate } from '../../src/combinators/gate/gate.ts'
import { compound } from '../../src/tool/compound.ts'
import { z } from 'zod'
import { durableRuns, openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'

const database = durableRuns()

const COMPOUNDS = 20_000

test('a run with 20,000 compounds that sleep is cancelled within 5 s [G5]', { timeout: 600_000 }, async () => {
  const { noting, done } = notingTools()
  const pay = noting('pay')
  const waits = compound({
    name: 'waits',
    description: 'Sleeps for an hour, then pays.',
    parts: { pay },
    run: async (input, context) => {
      await context.sleep(3_600_000)
      return context.call('pay', pay, input)
    },
  })
  const all = compound({
    name: 'all_of_them',
    description: 'Lets many wait at the same time.',
    inputSchema: z.number(),
    parts: { waits },
    run: async (count, context) => {
      const calls = Array.from({ length: count }, (_, index) => context.call(`item_${index}`, waits, String(index)))
      const results = await Promise.all(calls)
      return results.find(({ ok }) => !ok) ?? 'paid'
    },
  })
  const runs = await database.open([all])
  const started = performance.now()
  const run = await runs.start(all, COMPOUNDS)
  await untilStatus(runs, run.id, 'waiting')
  const since = performance.now()
  await run.cancel('Enough.')
  await untilStatus(runs, run.id, 'cancelled')
  const seconds = (performance.now() - since) / 1000
  console.log(`${COMPOUNDS} compounds: parked in ${((since - started) / 1000).toFixed(1)} s, cancelled in ${seconds.toFixed(1)} s`)
  expect(done).toEqual([])
  expect(seconds).toBeLessThan(5)
})

const PARKS = 160
/** What a turn does before it asks. */
const STEPS = 3

test('the 160th time that a run is taken up costs at most 3 times as much as the first [G5]', { timeout: 300_000 }, async () => {
  const { noting, done } = notingTools()
  const look = notingTools().noting('look', { effect: 'read' })
  const asks = gate(noting('pay'))
  const turns = compound({
    name: 'turn',
    description: 'Looks several times, then asks.',
    parts: { look, asks },
    run: async (input, context) => {
      for (let step = 1; step <= STEPS; step++) await context.call(`look_${step}`, look, input)
      return context.call('asks', asks, input)
    },
  })
  const many = compound({
    name: 'asks_often',
    description: 'Asks again and again.',
    parts: { turns },
    run: async (input, context) => {
      for (let turn = 1; turn <= PARKS; turn++) await context.call(`turn_${turn}`, turns, `${input} ${turn}`)
      return input
    },
  })
  const runs = await database.open([many])
  const { id } = await runs.start(many, 'ann')
  const times: number[] = []
  for (let turn = 1; turn <= PARKS; turn++) {
    const request = await openRequest(runs, id)
    await untilStatus(runs, id, 'waiting')
    const since = performance.now()
    await runs.inbox.approve(request)
    await expect.poll(() => done.length, { interval: 1, timeout: 30_000 }).toBe(turn)
    times.push(performance.now() - since)
  }
  await untilStatus(runs, id, 'completed')
  // The very first is slow for reasons of its own.
  const [first, last] = [median(times.slice(1, 12)), median(times.slice(-11))]
  console.log(`taken up after ${first.toFixed(1)} ms at first, after ${last.toFixed(1)} ms at last`)
  expect(done).toHaveLength(PARKS)
  expect(last).toBeLessThan(3 * first)
})

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity
}
