import { expect, test } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { replayFromEveryPrefix } from '../testing/replay-from-every-prefix.ts'
import { tool } from '../tool/tool.ts'
import { map } from './map/map.ts'
import { parallel } from './parallel/parallel.ts'
import { pipe } from './pipe/pipe.ts'

const TALLY = {
  type: 'object',
  properties: { n: { type: 'number' }, list: { type: 'array', items: { type: 'number' } }, more: { type: 'object' } },
  required: ['n', 'list'],
} as const

const made = { description: 'd', inputSchema: TALLY, outputSchema: TALLY, effect: 'read' } as const

/** Writes to all that it is given. */
const spoil = tool({
  ...made,
  name: 'spoil',
  execute: (tally) => {
    tally.n += 1
    tally.list.push(tally.n)
    tally.more = { ...tally.more, spoilt: true }
    return tally
  },
})
const see = tool({ ...made, name: 'see', execute: (tally) => tally })

test('a tool that writes to its input writes to a copy of its own: neither the caller nor a branch beside it sees that [C3]', async () => {
  const given = { n: 1, list: [1], more: { deep: {} } }
  const result = await parallel({ spoil, see }).call(given)
  expect(result).toMatchObject({ ok: true, value: { spoil: { n: 2, list: [1, 2] }, see: { n: 1, list: [1] } } })
  expect(given).toEqual({ n: 1, list: [1], more: { deep: {} } })
})

test('a step that writes to its input does not rewrite what the step before gave [P3]', async () => {
  const result = await pipe(see, spoil, see).call({ n: 1, list: [] })
  expect(result.steps?.map((step) => step.result)).toMatchObject([{ value: { n: 1, list: [] } }, { value: { n: 2 } }, { value: { n: 2 } }])
})

test('a replay from every prefix comes to the same end where tools write to their inputs [C3]', async () => {
  for (const whole of [pipe(see, spoil, spoil), pipe(spoil, spoil, see)]) {
    const given = { n: 1, list: [] as number[] }
    const { live, diverged } = await replayFromEveryPrefix(whole, given)
    expect(live).toMatchObject({ result: { ok: true, value: { n: 3, list: [2, 3] } } })
    expect(diverged).toEqual([])
    expect(given).toEqual({ n: 1, list: [] })
  }
  const sides = await replayFromEveryPrefix(parallel({ spoil, see, again: spoil }), { n: 1, list: [] })
  expect(sides.diverged).toEqual([])
})

test('a list that is emptied while it is worked on is worked on as it was when it began [C4]', async () => {
  const clock = fakeClock()
  const slow = tool({
    name: 'slow',
    description: 'd',
    effect: 'read',
    execute: async (text, context) => {
      await context.sleep(10)
      return text
    },
  })
  const list = ['a', 'b', 'c']
  const running = map(slow, { concurrency: 1 }).call(list, { clock })
  list.length = 0
  expect(await clock.until(running)).toMatchObject({ ok: true, value: ['a', 'b', 'c'] })
})
