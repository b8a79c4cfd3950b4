import { expect, test } from 'vitest'
import { runInSegments } from '../../testing/run-in-segments.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { compound } from '../compound.ts'
import { type JournalEntry, memoryJournal } from '../journal/journal.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { tool } from '../tool.ts'

const START = 1_700_000_000_000

const act = tool({
  name: 'act',
  description: 'd',
  effect: 'write',
  idempotent: 'keyed',
  execute: (_input, { sleep }) => sleep(100).then(() => 'x'),
})
const slow = compound({
  name: 'slow',
  description: 'd',
  deadline: '1s',
  parts: { act },
  run: async (_input, context) => {
    await context.call('first', act, 'x')
    await context.sleep(600)
    return context.call('second', act, 'x')
  },
})
const whole = compound({ name: 'whole', description: 'd', parts: { slow }, run: (_input, context) => context.call('slow', slow, 'x') })

async function takeUp(entries: readonly JournalEntry[], now: number) {
  const clock = fakeClock(now)
  const result = await clock.until(whole.call('x', { journal: memoryJournal(entries), clock, idempotencyKey: 'run', deadline: Infinity }))
  return { result, took: clock.now() - now }
}

test('a part with a deadline of its own has only what is left of it when its run is taken up again [T9] [C1]', async () => {
  const live = memoryJournal()
  const clock = fakeClock()
  expect(await clock.until(whole.call('x', { journal: live, clock, idempotencyKey: 'run', deadline: Infinity }))).toMatchObject({
    ok: true,
  })
  const asleep = live.entries.slice(0, live.entries.findIndex(({ kind }) => kind === 'sleep') + 1)
  expect(await takeUp(asleep, START + 800)).toMatchObject({ result: { ok: true }, took: 100 })
  expect(await takeUp(asleep, START + 950)).toMatchObject({ result: { ok: false, error: { code: 'deadline_exceeded' } }, took: 50 })
  expect(await takeUp(asleep, START + 60_000)).toMatchObject({ result: { ok: false, error: { code: 'deadline_exceeded' } }, took: 0 })
})

test('the time for which a person is waited for inside such a part does not count, over restarts either [T9] [T14]', async () => {
  const asked = gate(act)
  const patient = compound({
    name: 'patient',
    description: 'd',
    deadline: '1s',
    parts: { asked },
    run: (_input, context) => context.call('asked', asked, 'x'),
  })
  const around = compound({
    name: 'around',
    description: 'd',
    parts: { patient },
    run: (_input, context) => context.call('patient', patient, 'x'),
  })
  const journal = memoryJournal()
  const clock = fakeClock()
  void around.call('x', { journal, clock, idempotencyKey: 'run', deadline: Infinity, review: { review: () => new Promise(() => {}) } })
  await clock.advance(86_400_000)
  const request = journal.entries.find((entry) => entry.kind === 'review')
  if (request?.kind !== 'review') throw new Error('Nobody was asked.')
  const decided = { ...request, decision: { action: 'continue' } as const, decidedAt: clock.now() }
  const later = fakeClock(clock.now() + 200)
  const options = { journal: memoryJournal([...journal.entries, decided]), clock: later, idempotencyKey: 'run', deadline: Infinity }
  expect(await later.until(around.call('x', options))).toMatchObject({ ok: true })
  const { end } = await runInSegments(around, 'x', { decide: () => ({ action: 'continue' }) })
  expect(end).toMatchObject({ result: { ok: true } })
})
