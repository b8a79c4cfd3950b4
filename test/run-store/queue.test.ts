import { describe, expect, test } from 'vitest'
import { claiming, ending, entry, LEASE_MS, newRun, parking, running, scenes, started, take } from './scene.ts'

const worker = (
  id: string,
  tools: readonly string[] = ['pay'],
): { id: string; host: string; pid: number; tools: readonly string[]; limited: readonly string[] } => ({
  ...{ id, host: 'here', pid: 1, tools, limited: [] },
})

describe.each(scenes())('the queue in %s', (_name, open) => {
  test('a start records a run and its job, unless its key is taken', async () => {
    const { store } = await open()
    const id = await started(store, { key: 'one' })
    expect(await store.findRun(id)).toMatchObject({ status: 'queued', key: 'one', tool: 'pay', worker: null, result: null })
    expect(await store.start(newRun({ key: 'one', tool: 'other' }))).toEqual({
      outcome: 'taken',
      by: { id, tool: 'pay', inputHash: 'hash' },
    })
    expect(await store.fetch(10)).toMatchObject([{ run: id, tool: 'pay', ticket: 0, attempt: 0 }])
  })

  test('a run that starts later is fetched when its time has come', async () => {
    const { store, pass } = await open()
    const startAt = new Date(store.clock.now() + 60_000)
    const id = await started(store, { startAt })
    expect(await store.fetch(10)).toEqual([])
    expect((await store.findRun(id))?.wakeAt).toBe(startAt.getTime())
    await pass(61_000)
    expect(await store.fetch(10)).toMatchObject([{ run: id }])
  })

  test('a job is given to one holder, and to another one when the first was silent for the lease', async () => {
    const { store, pass } = await open()
    await started(store)
    await started(store)
    const [first] = await store.fetch(1)
    const [second] = await store.fetch(10)
    expect(first?.run).not.toBe(second?.run)
    expect(await store.fetch(10)).toEqual([])
    const held = [first, second].flatMap((job) => job ?? [])
    await pass(6000)
    expect(await store.touch(held.slice(0, 1))).toEqual(new Set([first?.id]))
    await pass(6000)
    expect(await store.fetch(10)).toEqual([{ ...second, attempt: 1 }])
    expect(await store.touch(held)).toEqual(new Set([first?.id]))
  })

  test('a job of an earlier attempt is neither completed, left nor claimed', async () => {
    const { store, pass } = await open()
    await started(store)
    const old = await store.fetch(1)
    await pass(LEASE_MS + 1000)
    const current = await store.fetch(1)
    expect(current).toMatchObject([{ attempt: 1 }])
    await store.complete(old)
    await store.leave(old)
    expect(await store.fetch(1)).toEqual([])
    expect(await store.claim(claiming(old))).toMatchObject({ runs: [], locked: [], over: old })
    await store.leave(current)
    const again = await store.fetch(1)
    expect(again).toMatchObject([{ attempt: 2 }])
    await store.complete(again)
    await pass(LEASE_MS + 1000)
    expect(await store.fetch(1)).toEqual([])
  })

  test('a claim takes the run, raises its epoch and counts its deaths', async () => {
    const { store } = await open()
    const id = await started(store, { timeLeftMs: 5000 })
    const { run, job } = await take(store)
    expect(run).toMatchObject({ id, epoch: 1, ticket: 0, deaths: 1, timeLeftMs: 5000, cancel: null, input: '"in"', plan: '"plan"' })
    expect(Math.abs(run.clockBase + store.clock.tick() - store.clock.now())).toBeLessThan(5000)
    expect(await store.findRun(id)).toMatchObject({ status: 'running', worker: 'w' })
    const { runs } = await store.claim(claiming([job], { worker: 'v' }))
    expect(runs).toMatchObject([{ run: { epoch: 2, deaths: 2 } }])
  })

  test('a claim by an old ticket, or of a run that has ended, takes nothing', async () => {
    const { store } = await open()
    const { run, job } = await running(store)
    await store.putBack(run)
    expect(await store.claim(claiming([job]))).toMatchObject({ runs: [], over: [job] })
    const again = await take(store)
    expect(again.run).toMatchObject({ epoch: 2, ticket: 1, deaths: 1 })
    await store.end(again.run, ending())
    expect(await store.claim(claiming([again.job]))).toMatchObject({ runs: [], over: [again.job] })
  })

  test('a key is claimed for a run only under its latest claim, and while it is under way', async () => {
    const { store, pass } = await open()
    const { run } = await running(store)
    const wanted = { tool: 'pay@0.0.0', inputHash: 'h', holder: 'a step', leaseMs: 60_000, keepMs: 60_000, takesOver: true }
    expect(await store.idempotency.claimIn(run, 'key', wanted)).toMatchObject({ state: 'mine' })
    await pass(LEASE_MS + 1000)
    const { run: again } = await take(store)
    const other = { ...wanted, holder: 'another step' }
    expect(await store.idempotency.claimIn(run, 'free', wanted)).toBeUndefined()
    expect(await store.idempotency.claimIn(run, 'key', wanted)).toBeUndefined()
    expect(await store.idempotency.claimIn(again, 'free', other)).toMatchObject({ state: 'mine' })
    expect(await store.idempotency.claimIn(again, 'key', other)).toMatchObject({ state: 'busy' })
    expect(await store.idempotency.claimIn(again, 'key', wanted)).toMatchObject({ state: 'mine' })
    await store.end(again, ending())
    expect(await store.idempotency.claimIn(again, 'a third', wanted)).toBeUndefined()
  })

  test('of the runs that may bring workers down a claim takes one; the others come again a moment later', async () => {
    const { store, pass } = await open()
    const ids = [await started(store), await started(store), await started(store)]
    const jobs = await store.fetch(10)
    for (let death = 0; death < 3; death++) await store.claim(claiming(jobs))
    const { runs, over } = await store.claim(claiming(jobs))
    expect(runs.map(({ run }) => run.id)).toEqual([ids.toSorted()[0]])
    expect(over).toHaveLength(2)
    expect(await store.fetch(10)).toEqual([])
    await pass(1500)
    const later = await store.fetch(10)
    expect(later).toHaveLength(2)
    expect((await store.claim(claiming(later, { takesSuspect: false }))).runs).toEqual([])
  })

  test('a run is left to a worker that may go on with it, as long as there is one', async () => {
    const { store } = await open()
    await store.announce(worker('w'))
    const { run } = await running(store)
    expect(await store.othersMayGoOn(run.id, 'w')).toBe(false)
    await store.announce(worker('v'))
    await store.announce(worker('u', ['other']))
    expect(await store.othersMayGoOn(run.id, 'w')).toBe(true)
    await store.putBack(run, { unable: 'w' })
    const jobs = await store.fetch(10)
    expect(await store.claim(claiming(jobs))).toMatchObject({ runs: [], over: jobs, leavesSome: true })
    expect((await take(store, { worker: 'v' })).run).toMatchObject({ id: run.id })
    await store.forget('v')
    expect(await store.othersMayGoOn(run.id, 'w')).toBe(false)
  })

  test('a worker that was not heard of for long is none that may go on', async () => {
    const { store, pass } = await open()
    await store.announce(worker('v'))
    const { run } = await running(store)
    await pass(20_000)
    expect(await store.othersMayGoOn(run.id, 'w')).toBe(false)
  })

  test('a limit holds back what is beyond it, and the end, the park and the return of a run release the next', async () => {
    const { store } = await open()
    for (let count = 0; count < 4; count++) await started(store)
    const limits = { pay: { concurrency: 1 } }
    const jobs = await store.fetch(10)
    const { runs, over } = await store.claim(claiming(jobs, { limits }))
    expect(runs).toHaveLength(1)
    expect(over).toHaveLength(3)
    expect(await store.fetch(10)).toEqual([])
    const [first] = runs
    if (first === undefined) throw new Error('One was claimed.')
    await store.end(first.run, ending())
    const second = await take(store, { limits })
    await store.park(parking(second.run, { open: ['nobody'] }))
    const third = await take(store, { limits })
    await store.putBack(third.run, { afterSeconds: 600 })
    expect((await take(store, { limits })).run.id).not.toBe(third.run.id)
  })

  test('a limit counts no run whose worker has been silent, and none that is cancelled', async () => {
    const { store, pass } = await open()
    const limits = { pay: { concurrency: 1 } }
    await running(store)
    await started(store)
    const jobs = await store.fetch(10)
    await pass(6000)
    await store.touch(jobs)
    await pass(6000)
    expect((await store.claim(claiming(jobs, { limits }))).runs).toHaveLength(1)
    await store.complete(await store.fetch(10))
    const id = await started(store)
    await store.cancel(id, '{}')
    expect((await take(store, { limits })).run.id).toBe(id)
  })

  test('a rate postpones what is beyond it', async () => {
    const { store, pass } = await open()
    const limits = { pay: { rate: { count: 1, per: '1m' } } } as const
    await started(store)
    await take(store, { limits })
    const id = await started(store)
    const { runs, over } = await store.claim(claiming(await store.fetch(10), { limits }))
    expect(runs).toEqual([])
    await store.complete(over)
    expect((await store.findRun(id))?.wakeAt).toBeGreaterThan(store.clock.now() + 50_000)
    await pass(61_000)
    const due = (await store.fetch(10)).filter(({ run }) => run === id)
    expect((await store.claim(claiming(due, { limits }))).runs).toHaveLength(1)
  })

  test('what was held back and forgotten is released', async () => {
    const { store } = await open()
    await started(store)
    await started(store)
    const jobs = await store.fetch(10)
    const { runs } = await store.claim(claiming(jobs, { limits: { pay: { concurrency: 1 } } }))
    expect(runs).toHaveLength(1)
    await store.releaseHeldBack({})
    expect(await store.fetch(10)).toEqual([])
    await store.releaseHeldBack({ pay: { concurrency: 2 } })
    expect(await store.fetch(10)).toHaveLength(1)
  })

  test('a run whose job is lost is recovered after a minute, and a blocked one when a worker comes that may go on', async () => {
    const { store, pass } = await open()
    const { run, job } = await running(store)
    await store.complete([job])
    await pass(30_000)
    await store.recover([])
    expect(await store.fetch(10)).toEqual([])
    await pass(31_000)
    await store.recover([])
    const again = await take(store)
    expect(again.run).toMatchObject({ id: run.id, ticket: 1 })
    await store.end(again.run, ending('blocked'))
    await store.recover(['plan_changed'])
    expect(await store.fetch(10)).toEqual([])
    await store.announce(worker('w'))
    await store.recover(['plan_changed'])
    expect(await store.fetch(10)).toEqual([])
    await store.announce(worker('v'))
    await store.recover(['unknown_tool'])
    expect(await store.fetch(10)).toEqual([])
    await store.recover(['plan_changed'])
    expect(await store.fetch(10)).toHaveLength(1)
  })

  test('whoever listens is told of what is queued', async () => {
    const { store, other } = await open()
    const told: string[] = []
    const heard = Promise.withResolvers<void>()
    const stop = (await other()).on((kind) => {
      told.push(kind)
      heard.resolve()
    })
    await started(store)
    await heard.promise
    expect(told).toEqual(['queued'])
    stop()
  })

  test('the deaths of a run are counted from its last progress on', async () => {
    const { store } = await open()
    const { run, job } = await running(store)
    await store.write([entry(run, 'pay/a')])
    await store.noteProgress({ ...run, epoch: 7 }, 9)
    await store.noteProgress(run, 1)
    const { runs } = await store.claim(claiming([job]))
    expect(runs).toMatchObject([{ run: { deaths: 2, entriesSeen: 1 } }])
  })
})
