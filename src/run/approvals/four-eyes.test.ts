import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { durableRuns, openRequest, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { tool } from '../../tool/tool.ts'
import type { Principal } from '../../tool/principal.ts'
import { drawRun } from '../view/run-timeline.ts'

const database = durableRuns()
const person = (id: string, ...permissions: readonly string[]): Principal => ({ id, permissions })
const RITA = person('rita')

describe('a gate of four eyes in a durable run', () => {
  test('counts each vote once, over processes that come and go, and records who gave it', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'), { approvals: { count: 2, of: ['ada', 'bob', 'cyd'] } })
    const settings = { database: { home: database.home, encryption: { key: randomBytes(32) } } }
    const one = await database.open([pay], settings)
    const { id } = await one.start(pay, 'ann', { principal: RITA })
    const request = await openRequest(one, id)
    await untilStatus(one, id, 'waiting')
    await one.inbox.approve(request, person('ada'), { note: 'looks right' })
    await one.close()
    const two = await database.open([pay], settings)
    expect(await two.inbox.get(request)).toMatchObject({
      status: 'open',
      ballot: { edition: 0, votes: [{ by: 'ada', note: 'looks right' }] },
    })
    await expect(two.inbox.approve(request, person('ada'))).rejects.toMatchObject({ code: 'already_voted' })
    await expect(two.inbox.approve(request, 'bob')).rejects.toMatchObject({ code: 'not_permitted' })
    expect(done).toEqual([])
    await two.inbox.approve(request, person('bob'))
    const run = await two.get(id)
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay' })
    const told = []
    for await (const event of run.events()) if (event.type.startsWith('review.')) told.push(event)
    expect(told).toMatchObject([
      { type: 'review.requested', request: { deciders: { count: 2, of: ['ada', 'bob', 'cyd'], excludeRequester: true } } },
      { type: 'review.voted', by: 'ada', identity: 'authenticated', action: 'continue', edition: 0, note: 'looks right' },
      { type: 'review.decided', decision: { by: 'bob', identity: 'authenticated', votes: [{ by: 'ada' }, { by: 'bob' }] } },
    ])
    expect(drawRun(await two.show(id), { width: 200 })).toContain('continue by ada, bob')
  })

  test('loses no vote when all vote at once from several processes, and runs once', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'), { approvals: { count: 6 } })
    const processes = await Promise.all([1, 2, 3].map(() => database.open([pay])))
    const { id } = (await processes[0]?.start(pay, 'ann', { principal: RITA })) ?? { id: '' }
    const request = await openRequest(processes[0] as never, id)
    await Promise.all(Array.from({ length: 6 }, (_, at) => processes[at % 3]?.inbox.approve(request, person(`p${at}`))))
    expect(await (await processes[0]?.get(id))?.result()).toMatchObject({ ok: true })
    expect(done).toEqual(['pay ann'])
    expect((await processes[0]?.inbox.get(request))?.decision?.votes?.map(({ by }) => by).toSorted()).toEqual([
      'p0',
      'p1',
      'p2',
      'p3',
      'p4',
      'p5',
    ])
  })

  test('builds a second edit on the first, in whatever process it is made', async () => {
    const done: unknown[] = []
    const inputSchema = z.object({ amount: z.number(), note: z.string() })
    const pay = gate(tool({ name: 'pay', description: 'Pays.', inputSchema, execute: (input) => String(done.push(input)) }), {
      approvals: { count: 2 },
    })
    const settings = { database: { home: database.home, encryption: { key: randomBytes(32) } } }
    const [one, two] = [await database.open([pay], settings), await database.open([pay], settings)]
    const { id } = await one.start(pay, { amount: 250, note: 'rent' }, { principal: RITA })
    const request = await openRequest(one, id)
    await one.inbox.edit(request, { patch: { amount: 90 } }, person('bob'))
    const note = { patch: { note: 'urgent' } }
    await expect(two.inbox.edit(request, note, person('cyd'))).rejects.toMatchObject({ code: 'edited' })
    await two.inbox.edit(request, note, person('cyd'), { edition: 1 })
    expect((await one.inbox.get(request))?.ballot).toMatchObject({ edition: 2, input: { amount: 90, note: 'urgent' } })
    await one.inbox.approve(request, person('bob'), { edition: 2 })
    expect(await (await two.get(id)).result()).toMatchObject({ ok: true })
    expect(done).toEqual([{ amount: 90, note: 'urgent' }])
  })

  test('asks for permissions also where the deciding process knows nothing of reviewers', async () => {
    const { noting } = notingTools()
    const pay = gate(noting('pay'))
    const one = await database.open([pay], { shared: { reviewers: {} } })
    const { id } = await one.start(pay, 'ann', { principal: RITA })
    const request = await openRequest(one, id)
    const plain = await database.open([], { worker: false })
    await expect(plain.inbox.approve(request, 'ada')).rejects.toMatchObject({ code: 'not_permitted' })
    await expect(plain.inbox.expire(request)).rejects.toMatchObject({ code: 'not_permitted' })
    await plain.inbox.approve(request, person('ada', 'review:pay'))
    expect(await (await one.get(id)).result()).toMatchObject({ ok: true })
  })

  test('is rejected when its time is up, whoever has voted', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'), { approvals: { count: 2 }, timeout: '1s' })
    const runs = await database.open([pay])
    const { id } = await runs.start(pay, 'ann', { principal: RITA })
    await runs.inbox.approve(await openRequest(runs, id), person('ada'))
    expect(await (await runs.get(id)).result()).toMatchObject({ ok: false, error: { class: 'rejected' } })
    expect(done).toEqual([])
  })
})

test('a reviewer of the runtime who may not decide leaves the request in the inbox, and says so', async () => {
  const { noting } = notingTools()
  const pay = gate(noting('pay'))
  const warned: string[] = []
  const review = { review: async () => ({ action: 'continue', by: 'eve' }) as const }
  const shared = { review, reviewers: { identify: () => person('eve') } }
  const runs = await database.open([pay], { shared, warn: (message) => void warned.push(message) })
  const { id } = await runs.start(pay, 'ann', { principal: RITA })
  const request = await openRequest(runs, id)
  await expect.poll(() => warned.join('')).toContain('does not count')
  await runs.inbox.approve(request, person('ada', 'review:*'))
  expect(await (await runs.get(id)).result()).toMatchObject({ ok: true })
})
