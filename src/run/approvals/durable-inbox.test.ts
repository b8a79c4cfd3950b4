import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { durableRuns, openRequest, openRequests, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { first } from '../../combinators/parallel/join.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { autoReview } from '../../review/auto-review.ts'
import { compound } from '../../tool/compound.ts'
import { isExitEarly } from '../../tool/errors/exit-early.ts'
import { tool } from '../../tool/tool.ts'

const database = durableRuns()

describe('a gate in a durable run', () => {
  test('parks the run, and the decision goes on in whichever process has the tool [T14] [T15] [I3]', async () => {
    const { noting, done } = notingTools()
    const settle = pipe(noting('look'), gate(noting('pay')))
    const one = await database.open([settle])
    const { id } = await one.start(settle, 'ann')
    const request = await openRequest(one, id)
    await untilStatus(one, id, 'waiting')
    expect((await (await one.get(id)).status()).why).toEqual({ code: 'person', message: 'It waits for a person.' })
    await one.close()
    const two = await database.open([settle])
    expect(await two.inbox.get(request)).toMatchObject({
      status: 'open',
      run: id,
      request: { tool: 'pay', input: 'ann>look', path: 'look_then_pay/pay:approval' },
    })
    await two.inbox.approve(request, 'ada')
    expect(await (await two.get(id)).result()).toMatchObject({ ok: true, value: 'ann>look>pay' })
    expect(done).toEqual(['look ann', 'pay ann>look'])
  })

  test('lets a person edit the input: the edited one runs, and nothing else [T14]', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'))
    const runs = await database.open([pay])
    const run = await runs.start(pay, 'ann')
    await runs.inbox.edit(await openRequest(runs, run.id), { input: 'bob' })
    expect(await run.result()).toMatchObject({ ok: true, value: 'bob>pay' })
    expect(done).toEqual(['pay bob'])
  })

  test('takes a rejection as a failure that can be adapted to [T14]', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'))
    const runs = await database.open([pay])
    const run = await runs.start(pay, 'ann')
    await runs.inbox.reject(await openRequest(runs, run.id), 'too much', 'ada')
    const result = await run.result()
    expect(result).toMatchObject({ ok: false, error: { class: 'rejected' } })
    expect(result.text).toBe('Error: Rejected by reviewer ada (claimed), who says "too much": ann')
    const why = { message: 'Rejected by reviewer ada (claimed), who says "too much": ann' }
    expect(await run.status()).toMatchObject({ status: 'failed', why })
    expect(await runs.list()).toMatchObject([{ why }])
    expect(done).toEqual([])
  })

  test('takes a stop as the end of the run [T14]', async () => {
    const { noting, done } = notingTools()
    const settle = pipe(gate(noting('pay')), noting('mail'))
    const runs = await database.open([settle])
    const run = await runs.start(settle, 'ann')
    await runs.inbox.stop(await openRequest(runs, run.id), 'closed for today')
    const thrown: unknown = await run.result().catch((error: unknown) => error)
    expect(isExitEarly(thrown)).toBe(true)
    expect(String(thrown)).toContain('closed for today')
    expect(await run.status()).toMatchObject({ status: 'stopped', why: { message: expect.stringContaining('closed for today') } })
    expect(done).toEqual([])
  })

  test('opens with those of the other branches at once, and each goes on when its own is decided [T15]', async () => {
    const { noting, done } = notingTools()
    const both = parallel({ a: pipe(gate(noting('pay')), noting('mail')), b: gate(noting('ship')), c: noting('look', { effect: 'read' }) })
    const runs = await database.open([both])
    const run = await runs.start(both, 'ann')
    await untilStatus(runs, run.id, 'waiting')
    const items = await runs.inbox.list({ run: run.id })
    expect(items.map(({ request }) => request.tool).toSorted()).toEqual(['pay', 'ship'])
    expect((await run.status()).why).toMatchObject({ message: 'It waits for 2 people.' })
    const idOf = (name: string): string => items.find(({ request }) => request.tool === name)?.request.id ?? ''
    await runs.inbox.approve(idOf('ship'))
    await openRequests(runs, run.id, 1)
    await expect.poll(() => done).toContain('ship ann')
    await untilStatus(runs, run.id, 'waiting')
    await runs.inbox.approve(idOf('pay'))
    expect(await run.result()).toMatchObject({ ok: true, value: { a: 'ann>pay>mail', b: 'ann>ship', c: 'ann>look' } })
    expect(done.toSorted()).toEqual(['look ann', 'mail ann>pay', 'pay ann', 'ship ann'])
  })

  test('hears the first decision, and the second one is told so [T15]', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'))
    const one = await database.open([pay])
    const two = await database.open([pay], { worker: false })
    const run = await one.start(pay, 'ann')
    const request = await openRequest(one, run.id)
    const verdicts = await Promise.allSettled([
      one.inbox.approve(request, 'ada'),
      two.inbox.reject(request, 'no', 'bob'),
      two.inbox.edit(request, { input: 'eve' }, 'eve'),
    ])
    const refusals = verdicts.flatMap((verdict) => (verdict.status === 'rejected' ? [verdict.reason as Error] : []))
    const refused = { code: 'already_decided', message: expect.stringMatching(/ada|bob|eve/) }
    expect(refusals).toMatchObject([refused, refused])
    await run.result()
    expect(done.length).toBeLessThanOrEqual(1)
    await expect(two.inbox.approve(request)).rejects.toMatchObject({ code: 'already_decided' })
    await expect(two.inbox.approve('no-such-request')).rejects.toMatchObject({ code: 'unknown_request' })
  })

  test('that loses a race withdraws its request [T15]', async () => {
    const { noting, done } = notingTools()
    const quick = tool({
      name: 'quick',
      description: 'Asks nobody for long.',
      effect: 'read',
      requireApproval: true,
      execute: (who) => who,
    })
    const race = parallel({ a: gate(noting('slow', { effect: 'read' })), b: quick }, { join: first() })
    const settle = pipe(race, gate(noting('pay')))
    const runs = await database.open([settle])
    const run = await runs.start(settle, 'ann')
    await openRequests(runs, run.id, 2)
    const items = await runs.inbox.list({ run: run.id })
    const [loser, winner] = ['slow', 'quick'].map((name) => items.find(({ request }) => request.tool === name)?.request.id ?? '')
    await runs.inbox.approve(winner ?? '')
    // While the run goes on, and not only when it ends.
    await expect.poll(async () => (await runs.inbox.list({ run: run.id })).map(({ request }) => request.tool)).toEqual(['pay'])
    expect(await runs.inbox.get(loser ?? '')).toMatchObject({ status: 'withdrawn' })
    await expect(runs.inbox.approve(loser ?? '')).rejects.toMatchObject({ code: 'withdrawn' })
    await runs.inbox.approve(await openRequest(runs, run.id))
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay' })
    expect(done).toEqual(['pay ann'])
  })

  test('that nobody decides in time is decided by its own word, though no process was there meanwhile [T14]', async () => {
    const { noting, done } = notingTools()
    const approval = { timeout: 2000, risk: 'low' } as const
    const rejects = gate(noting('rejects'), { ...approval, onTimeout: 'reject' })
    const goesOn = gate(noting('goes_on'), { ...approval, onTimeout: 'continue' })
    const stops = gate(noting('stops'), { ...approval, onTimeout: 'stop' })
    const one = await database.open([rejects, goesOn, stops])
    const started = await Promise.all([one.start(rejects, 'a'), one.start(goesOn, 'b'), one.start(stops, 'c')])
    for (const { id } of started) await untilStatus(one, id, 'waiting')
    expect((await started[0]?.status())?.wakeAt).toBeGreaterThan(Date.now())
    await one.close()
    const two = await database.open([rejects, goesOn, stops])
    const [first_, second, third] = await Promise.all(started.map(({ id }) => two.get(id)))
    expect(await first_?.result()).toMatchObject({ ok: false, error: { class: 'rejected', hint: expect.stringContaining('in time') } })
    expect(await second?.result()).toMatchObject({ ok: true, value: 'b>goes_on' })
    await expect(third?.result()).rejects.toThrow('in time')
    expect(done).toEqual(['goes_on b'])
    expect(await two.inbox.list()).toEqual([])
  })

  test('is decided by its own word when somebody lets it expire [T15]', async () => {
    const { noting, done } = notingTools()
    const goesOn = gate(noting('goes_on'), { onTimeout: 'continue' })
    const rejects = gate(noting('rejects'))
    const runs = await database.open([goesOn, rejects])
    const [on, off] = [await runs.start(goesOn, 'b'), await runs.start(rejects, 'a')]
    await runs.inbox.expire(await openRequest(runs, on.id))
    await runs.inbox.expire(await openRequest(runs, off.id))
    expect(await on.result()).toMatchObject({ ok: true, value: 'b>goes_on' })
    expect(await off.result()).toMatchObject({ ok: false, error: { class: 'rejected' } })
    expect(done).toEqual(['goes_on b'])
  })

  test('can be given to somebody, and found by who it is given to [T15]', async () => {
    const { noting } = notingTools()
    const pay = gate(noting('pay'))
    const runs = await database.open([pay])
    const { id } = await runs.start(pay, 'ann')
    const request = await openRequest(runs, id)
    await runs.inbox.assign(request, 'ada')
    expect((await runs.inbox.list({ assignee: 'ada' })).map(({ request: { id: found } }) => found)).toEqual([request])
    await runs.inbox.assign(request, undefined)
    expect(await runs.inbox.list({ assignee: 'ada' })).toEqual([])
    expect(await runs.inbox.list({ tool: 'mail' })).toEqual([])
    expect(await runs.inbox.list({ tool: 'pay' })).toHaveLength(1)
    await runs.inbox.approve(request)
    await expect(runs.inbox.assign(request, 'bob')).rejects.toMatchObject({ code: 'already_decided' })
  })
})

test('a question of a durable run is answered days later, by what fits alone [T15]', async () => {
  const asks = compound({
    name: 'asks',
    description: 'Asks a person.',
    parts: {},
    run: async (_input, context) => context.ask({ question: 'How many?', answerSchema: z.number() }),
  })
  const one = await database.open([asks])
  const { id } = await one.start(asks, 'x')
  const request = await openRequest(one, id)
  await untilStatus(one, id, 'waiting')
  await one.close()
  const two = await database.open([asks])
  await expect(two.inbox.answer(request, 'many')).rejects.toMatchObject({ code: 'invalid_answer' })
  await two.inbox.answer(request, 7, 'ada')
  expect(await (await two.get(id)).result()).toMatchObject({ ok: true, value: 7 })
})

test('the reviewer of the runtime is asked too, and counts when first', async () => {
  const { noting } = notingTools()
  const pay = gate(noting('pay'))
  const runs = await database.open([pay], { shared: { review: autoReview() } })
  const run = await runs.start(pay, 'ann')
  expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay' })
})

describe('a plain call with the durable inbox as its reviewer', () => {
  test('waits in its process, and is decided from another [T15]', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'))
    const [here, elsewhere] = [await database.open([], { worker: false }), await database.open([], { worker: false })]
    const calling = pay.call('ann', { review: here.inbox.handler })
    await expect.poll(async () => (await elsewhere.inbox.list()).length).toBe(1)
    const [item] = await elsewhere.inbox.list()
    expect(item?.run).toBeUndefined()
    await elsewhere.inbox.edit(item?.request.id ?? '', { input: 'bob' }, 'ada')
    expect(await calling).toMatchObject({ ok: true, value: 'bob>pay' })
    expect(done).toEqual(['pay bob'])
  })

  test('withdraws its request when it is cancelled [I3]', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'))
    const runs = await database.open([], { worker: false })
    const controller = new AbortController()
    const calling = pay.call('ann', { review: runs.inbox.handler, signal: controller.signal })
    await expect.poll(async () => (await runs.inbox.list()).length).toBe(1)
    controller.abort()
    expect(await calling).toMatchObject({ ok: false, error: { class: 'cancelled' } })
    await expect.poll(async () => (await runs.inbox.list()).length).toBe(0)
    expect(done).toEqual([])
  })
})
