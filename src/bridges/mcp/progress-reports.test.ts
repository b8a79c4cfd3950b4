import { expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { compound } from '../../tool/compound.ts'
import type { Progress } from '../../tool/event.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { ProgressReports } from './progress-reports.ts'
import { withHeartbeat } from './with-heartbeat.ts'

const reporting = (...reports: readonly Progress[]) =>
  tool({
    name: 'reports',
    description: 'Reports.',
    effect: 'read',
    execute: (text: string, { progress }) => {
      for (const each of reports) progress(each)
      return text
    },
  })

/** The notifications that a call makes. */
async function sent(called: { readonly call: ReturnType<typeof reporting>['call'] }): Promise<unknown[]> {
  const reports = new ProgressReports()
  const heard: unknown[] = []
  reports.to('t', async ({ params }) => void heard.push(params))
  await called.call('x', { on: (event) => reports.onEvent(event) })
  await reports.sent
  return heard
}

test('figures of the call itself are handed on as long as they rise', async () => {
  const reports = await sent(
    reporting({ progress: 0, total: 2 }, { progress: 1, total: 2, message: 'half' }, { progress: 1, total: 2 }, { message: 'so on' }),
  )
  expect(reports).toEqual([
    { progressToken: 't', progress: 0, total: 2 },
    { progressToken: 't', progress: 1, total: 2, message: 'half' },
    { progressToken: 't', progress: 2, message: 'reports: 1 of 2' },
    { progressToken: 't', progress: 3, message: 'reports: so on' },
  ])
})

test('figures that JSON does not have are not handed on as figures', async () => {
  const reports = await sent(reporting({ progress: Infinity, total: Infinity }, { progress: NaN }, { progress: 5, total: NaN }))
  expect(reports).toMatchObject([{ progress: 1 }, { progress: 2 }, { progress: 5 }])
  expect(JSON.stringify(reports)).not.toContain('null')
})

test('each step that ends is told, and what a step reports', async () => {
  const last = tool({ name: 'last', description: 'Ends.', effect: 'read', execute: (text: string) => text })
  const steps = compound({
    name: 'steps',
    description: 'Two steps.',
    parts: { reports: reporting({ progress: 1, total: 4 }), last },
    async run(text: string, { call }, parts) {
      await call('reports', parts.reports, text)
      return call('last', parts.last, text)
    },
  })
  expect(await sent(steps)).toMatchObject([
    { progress: 1, message: 'steps/reports: 1 of 4' },
    { progress: 2, message: expect.stringContaining('steps/reports: done') },
    { progress: 3, message: expect.stringContaining('steps/last: done') },
  ])
})

test('a client that did not ask hears nothing', async () => {
  const reports = new ProgressReports()
  const heard: unknown[] = []
  reports.to(undefined, async ({ params }) => void heard.push(params))
  await reporting({ progress: 1 }).call('x', { on: (event) => reports.onEvent(event) })
  expect(heard).toEqual([])
})

test('the result waits until a client could read the last report by itself', async () => {
  const clock = fakeClock()
  const reports = new ProgressReports(clock)
  let isSent = false
  reports.to('t', async () => {})
  await reporting({ progress: 1 }, { progress: 2 }).call('x', { on: (event) => reports.onEvent(event) })
  const sending = reports.sent.then(() => (isSent = true))
  await clock.advance(19)
  expect(isSent).toBe(false)
  await clock.advance(1)
  expect(await sending).toBe(true)
})

test('a result without a report, or long after one, does not wait', async () => {
  const clock = fakeClock()
  const reports = new ProgressReports(clock)
  expect(clock.pending()).toBe(0)
  reports.to('t', async () => {})
  reports.beat()
  await clock.advance(20)
  await expect(reports.sent).resolves.toBeUndefined()
  expect(clock.pending()).toBe(0)
})

test('while a person is waited for, reports come every ten seconds, and figures rise after them', async () => {
  const clock = fakeClock()
  const reports = new ProgressReports(clock)
  const heard: { readonly progress: number; readonly message?: string }[] = []
  reports.to('t', async ({ params }) => void heard.push(params as never))
  const decided = Promise.withResolvers<ReviewDecision>()
  const pay = gate(tool({ name: 'pay', description: 'Pays.', execute: () => 'paid' }))
  const review = withHeartbeat({ review: () => decided.promise }, reports, clock)
  const waiting = pay.call('x', { clock, review })
  await clock.advance(35_000)
  expect(heard.map(({ message }) => message)).toEqual(Array.from({ length: 3 }, () => 'Waits for a person to decide.'))
  decided.resolve({ action: 'continue' })
  expect(await waiting).toMatchObject({ text: 'paid' })
  await clock.advance(60_000)
  expect(heard).toHaveLength(3)
  await reporting({ progress: 1, total: 2 }).call('x', { on: (event) => reports.onEvent(event) })
  expect(heard.at(-1)).toMatchObject({ progress: 1, total: 2 })
  expect(heard.map(({ progress }) => progress)).toEqual(heard.map(({ progress }) => progress).toSorted((a, b) => a - b))
  expect(new Set(heard.map(({ progress }) => progress)).size).toBe(4)
})
