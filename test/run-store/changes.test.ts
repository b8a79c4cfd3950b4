import { describe, expect, test } from 'vitest'
import { claiming, decision, ending, entry, newRun, parking, question, running, scenes, started, take, waiting } from './scene.ts'

const DECISION = { kind: 'decision', tool: null, key: null, inputHash: null, input: null, data: '"a"', endedAt: 2 }

describe.each(scenes())('the journal in %s', (_name, open) => {
  test('keeps the times of the segment, whenever its rows are written, and none that is later than its own', async () => {
    const { store } = await open()
    const { run } = await running(store)
    const now = run.clockBase + store.clock.tick()
    await store.write([entry(run, 'pay/a', { begunAt: now - 300 })])
    await store.write([
      entry(run, 'pay/a', { data: '7', begunAt: now - 300, endedAt: now - 200 }),
      entry(run, 'pay/b', { data: '7', begunAt: now - 200, endedAt: now + 900_000 }),
    ])
    await store.write([entry(run, 'pay/c', { begunAt: now + 900_000 })])
    const after = (await store.readEvents(run.id, 0, 10)).filter(({ path }) => path !== null)
    const at = Object.fromEntries(after.map(({ type, path, at: when }) => [`${type} ${path}`, when - now]))
    expect(at['call.begun pay/a']).toBeCloseTo(-300, -1)
    expect(at['call.ended pay/a']).toBeCloseTo(-200, -1)
    expect(at['call.begun pay/b']).toBeCloseTo(-200, -1)
    for (const late of ['call.ended pay/b', 'call.begun pay/c']) {
      expect(at[late]).toBeGreaterThanOrEqual(-2)
      expect(at[late]).toBeLessThan(60_000)
    }
  })

  test('entries are read in the order in which they began; a later row replaces an earlier one at its path', async () => {
    const { store } = await open()
    const { run } = await running(store)
    const [first, second] = [entry(run, 'pay/a'), entry(run, 'pay/b')]
    expect(await store.write([first, second])).toEqual(new Map([[run.id, 1]]))
    await store.write([entry(run, 'pay/a', { data: '7', endedAt: 2 })])
    // It was sent before, and comes late.
    await store.write([{ ...first, data: '8' }])
    expect(await store.readEntries(run.id)).toMatchObject([
      { path: 'pay/a', kind: 'call', tool: 'pay', key: 'k', inputHash: 'h', data: '7' },
      { path: 'pay/b', data: null },
    ])
    expect((await store.readEvents(run.id, 0, 10)).map(({ type, path }) => `${type} ${path}`)).toEqual([
      'status null',
      'status null',
      'call.begun pay/a',
      'call.begun pay/b',
      'call.ended pay/a',
    ])
  })

  test('the last entry is written with the end, or not at all', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.write([entry(run, 'pay/a')])
    const last = entry(run, 'pay/a', { data: '7', endedAt: 2 })
    expect(await store.end({ ...run, epoch: 2 }, { ...ending(), last })).toBe(false)
    expect(await store.readEntries(run.id)).toMatchObject([{ path: 'pay/a', data: null }])
    expect(await store.end(run, { ...ending(), last })).toBe(true)
    expect(await store.end(run, { ...ending(), last: entry(run, 'pay/b') })).toBe(true)
    expect(await store.readEntries(run.id)).toMatchObject([{ path: 'pay/a', data: '7' }])
    expect((await store.readEvents(run.id, 0, 10)).map(({ type, path }) => `${type} ${path}`)).toEqual([
      'status null',
      'status null',
      'call.begun pay/a',
      'call.ended pay/a',
      'status null',
    ])
  })

  test('rows of a claim that is over are not written, and those of others in the batch are', async () => {
    const { store } = await open()
    const { run, job } = await running(store)
    await store.claim(claiming([job]))
    const { run: other } = await running(store)
    expect(await store.write([entry(run, 'pay/a'), entry(other, 'pay/b')])).toEqual(new Map([[other.id, 1]]))
    expect(await store.readEntries(run.id)).toEqual([])
    expect(await store.readEntries(other.id)).toHaveLength(1)
    expect(await store.write([entry({ id: 'nobody', epoch: 1 }, 'pay/a')])).toEqual(new Map())
  })

  test('events and large texts go along', async () => {
    const { store } = await open()
    const { run } = await running(store)
    const event = { type: 'progress', data: '{"done":1}' }
    await store.write([entry(run, 'pay/a', { artifacts: [{ id: 'large', text: 'ö' }], event })])
    expect(await store.readArtifacts(run.id, ['large', 'none'])).toEqual(new Map([['large', 'ö']]))
    const whole = await store.readRun(run.id, 1)
    expect(whole?.artifacts).toEqual([{ id: 'large', bytes: 2, data: null }])
    expect(whole?.events.at(-1)).toMatchObject(event)
    expect(await store.readRun('nobody', 1)).toBeUndefined()
  })

  test('a plan is taken by the claim that counts', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.takePlan({ ...run, epoch: 9 }, '"no"')
    await store.takePlan(run, '"new"')
    expect((await store.readRun(run.id, 0))?.row.plan).toBe('"new"')
  })

  test('a question does not replace the decision on it, and one of a cancelled run is withdrawn, unless a shielded call asks', async () => {
    const { store } = await open()
    const { run } = await running(store)
    const asked = question(run, 'q1')
    await store.write([asked])
    await store.decide(decision('q1', run.id))
    await store.write([{ ...asked, version: asked.version + 1_000_000 }])
    expect(await store.readEntries(run.id)).toMatchObject([{ data: '{"decided":"ann"}' }])
    await store.cancel(run.id, '{}')
    await store.write([question(run, 'q2'), question(run, 'q3', { isShielded: true })])
    expect(await store.findRequest('q2')).toMatchObject({ status: 'withdrawn' })
    expect(await store.findRequest('q3')).toMatchObject({ status: 'open', isOver: false })
    await store.write([entry(run, '', { kind: '', review: { change: 'withdrawn', id: 'q3' } })])
    expect(await store.findRequest('q3')).toMatchObject({ status: 'withdrawn' })
  })
})

describe.each(scenes())('a change of a run in %s', (_name, open) => {
  test('park: the run waits until somebody decides', async () => {
    const { store } = await open()
    const { run } = await running(store, { timeLeftMs: 60_000 })
    await store.write([question(run, 'q')])
    expect(await store.park(parking(run, { open: ['q'] }))).toEqual({ outcome: 'parked', wakeAt: undefined })
    expect(await store.findRun(run.id)).toMatchObject({ status: 'waiting', worker: null, wakeAt: null })
    expect(await store.park(parking(run))).toEqual({ outcome: 'lost' })
    expect(await store.fetch(10)).toEqual([])
  })

  test('park: the deadline stands still without a sleep, and counts with one', async () => {
    const { store, pass } = await open()
    const { run } = await running(store, { timeLeftMs: 60_000 })
    await pass(10_000)
    await store.write([question(run, 'q')])
    await store.park(parking(run, { open: ['q'] }))
    await pass(100_000)
    await store.decide(decision('q', run.id))
    const again = await take(store)
    expect(Math.round((again.run.timeLeftMs ?? 0) / 1000)).toBe(50)
    const until = store.clock.now() + 300_000
    const parked = await store.park(parking(again.run, { sleepsUntil: until }))
    // It ends at its deadline, which is before the end of the sleep.
    expect(parked).toMatchObject({ outcome: 'parked' })
    expect(Math.round((((parked as { wakeAt?: number }).wakeAt ?? 0) - store.clock.now()) / 1000)).toBe(50)
    await pass(51_000)
    const last = (await store.fetch(10)).filter(({ ticket }) => ticket === again.run.ticket + 1)
    const { runs } = await store.claim(claiming(last))
    expect(runs).toMatchObject([{ run: { timeLeftMs: 0 } }])
    // A run that knows of it sleeps on, in what it undoes.
    const late = (runs[0] as { run: Parameters<typeof parking>[0] }).run
    const asleep = await store.park(parking(late, { sleepsUntil: until, isOutOfTime: true }))
    expect(asleep).toMatchObject({ outcome: 'parked', wakeAt: until })
  })

  test('park: a request that expires wakes the run, and a time that is past is now', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.write([question(run, 'q', { timeoutMs: 5000 })])
    const parked = await store.park(parking(run, { open: ['q'], sleepsUntil: store.clock.now() - 1000 }))
    expect(((parked as { wakeAt?: number }).wakeAt ?? 0) - store.clock.now()).toBeGreaterThan(-500)
    expect(await store.fetch(10)).toHaveLength(1)
  })

  test('park: news refuses it, and a claim of before is lost', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.write([question(run, 'q')])
    await store.decide(decision('q', run.id))
    const refused = await store.park(parking(run, { open: ['q'] }))
    expect(refused).toMatchObject({ outcome: 'refused', cancel: null, decided: [{ id: 'q' }] })
    expect(refused.outcome === 'refused' && JSON.parse(refused.decided[0]?.decision ?? '')).toEqual({ action: 'continue', by: 'ann' })
    await store.cancel(run.id, '{"reason":"no"}')
    expect(await store.park(parking(run))).toMatchObject({ outcome: 'refused', cancel: '{"reason":"no"}', decided: [] })
    expect(await store.park(parking({ ...run, epoch: 0 }))).toEqual({ outcome: 'lost' })
    expect(await store.park(parking(run, { isCancelled: true }))).toMatchObject({ outcome: 'parked' })
  })

  test('end: by the claim that counts, once, and its requests are withdrawn', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.write([question(run, 'q')])
    expect(await store.end({ ...run, epoch: 0 }, ending())).toBe(false)
    expect(await store.end(run, { ...ending(), artifact: { id: 'large', text: 'text' } })).toBe(true)
    expect(await store.end(run, ending())).toBe(true)
    expect(await store.end(run, ending('failed'))).toBe(false)
    const row = await store.findRun(run.id)
    expect(row).toMatchObject({ status: 'completed', result: '{"ok":true}', worker: null, why: null })
    expect(row?.endedAt).not.toBeNull()
    expect(await store.findRequest('q')).toMatchObject({ status: 'withdrawn' })
    // What was asked before the end may be written after it.
    await store.write([question(run, 'late')])
    expect(await store.findRequest('late')).toMatchObject({ status: 'withdrawn' })
    expect(await store.readArtifacts(run.id, ['large'])).toEqual(new Map([['large', 'text']]))
  })

  test('end: a blocked run has not ended and keeps its requests', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.write([question(run, 'q')])
    expect(await store.end(run, ending('blocked'))).toBe(true)
    expect(await store.findRun(run.id)).toMatchObject({ status: 'blocked', endedAt: null })
    expect(await store.findRequest('q')).toMatchObject({ status: 'open' })
  })

  test('put back: by the claim that counts, now or later', async () => {
    const { store, pass } = await open()
    const { run, job } = await running(store)
    expect(await store.putBack({ ...run, epoch: 0 })).toBe(false)
    expect(await store.findRun(run.id)).toMatchObject({ status: 'running' })
    expect(await store.putBack(run, { afterSeconds: 30 })).toBe(true)
    expect(await store.putBack(run, { afterSeconds: 30 })).toBe(false)
    await store.complete([job])
    expect(await store.fetch(10)).toEqual([])
    await pass(31_000)
    expect((await take(store)).run).toMatchObject({ id: run.id, epoch: 2, deaths: 1 })
  })

  test('give back: what the worker has is queued, and the worker is fenced off', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.giveBack([run.id], 'somebody else')
    expect(await store.findRun(run.id)).toMatchObject({ status: 'running' })
    await store.giveBack([run.id], 'w')
    expect(await store.findRun(run.id)).toMatchObject({ status: 'queued' })
    expect(await store.write([entry(run, 'pay/a')])).toEqual(new Map())
    expect(await store.end(run, ending())).toBe(false)
  })

  test('cancel: the first reason counts, and what does not move is queued', async () => {
    const { store } = await open()
    expect(await store.cancel('nobody', '{}')).toBeUndefined()
    const later = await started(store, { startAt: new Date(store.clock.now() + 600_000) })
    expect(await store.cancel(later, '{"reason":"first"}')).toBe('cancelled')
    expect(await store.cancel(later, '{"reason":"second"}')).toBe('cancelled')
    const { run } = await take(store)
    expect(run).toMatchObject({ id: later, ticket: 1, cancel: '{"reason":"first"}' })
    await store.end(run, ending('failed'))
    expect(await store.cancel(later, '{}')).toBe('ended')
    const parked = await waiting(store, 'q')
    await store.cancel(parked.id, '{}')
    expect(await store.findRun(parked.id)).toMatchObject({ status: 'queued', why: null })
    expect(await store.findRequest('q')).toMatchObject({ status: 'withdrawn', isOver: true })
  })

  test('resume: only what is blocked', async () => {
    const { store } = await open()
    const { run } = await running(store)
    expect(await store.resume(run.id)).toBe('running')
    expect(await store.resume('nobody')).toBeUndefined()
    await store.end(run, ending('blocked'))
    expect(await store.resumeBlocked({ code: 'other' })).toBe(0)
    expect(await store.resumeBlocked({ tool: 'other' })).toBe(0)
    expect(await store.resumeBlocked({ code: 'plan_changed', tool: 'pay' })).toBe(1)
    const again = await take(store)
    await store.end(again.run, ending('blocked'))
    expect(await store.resume(run.id)).toBe('resumed')
    expect((await take(store)).run).toMatchObject({ id: run.id, deaths: 1 })
  })

  test('retry compensation: the run goes on with what was chosen, and stays as it is where nothing may be chosen', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.write([entry(run, 'pay:a', DECISION)])
    await store.end(run, ending('failed'))
    const refused = (): never => {
      throw new Error('nothing to try')
    }
    await expect(store.retryCompensation(run.id, refused)).rejects.toThrow('nothing to try')
    expect(await store.findRun(run.id)).toMatchObject({ status: 'failed' })
    expect(await store.retryCompensation('nobody', refused)).toBe(false)
    const seen: unknown[] = []
    const choose = (status: string, decisions: readonly unknown[]): readonly { path: string; data: string }[] => {
      seen.push(status, ...decisions)
      return [{ path: 'pay:b', data: '"b"' }]
    }
    expect(await store.retryCompensation(run.id, choose)).toBe(true)
    expect(seen).toEqual(['failed', { path: 'pay:a', data: '"a"' }])
    expect((await store.readEntries(run.id)).map(({ path }) => path)).toEqual(['pay:a', 'pay:b'])
    expect(await store.findRun(run.id)).toMatchObject({ status: 'queued', result: null, endedAt: null })
    expect((await take(store)).run.id).toBe(run.id)
  })

  test('prune: what has ended goes, by age and by number, with all that belongs to it', async () => {
    const { store, pass } = await open()
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      const { run } = await running(store)
      await store.write([question(run, `q${count}`)])
      await store.end(run, ending())
      ids.push(run.id)
      await pass(60_000)
    }
    const openRun = await started(store)
    const all = { statuses: ['completed', 'failed'] as const, olderThanMs: undefined, keep: undefined }
    expect(await store.prune({ ...all, statuses: ['failed'], keep: 0 })).toBe(0)
    expect(await store.prune({ ...all, olderThanMs: 150_000 })).toBe(1)
    expect(await store.findRun(ids[0] ?? '')).toBeUndefined()
    expect(await store.findRequest('q0')).toBeUndefined()
    expect(await store.prune({ ...all, keep: 1 })).toBe(1)
    expect(await store.findRun(ids[2] ?? '')).toBeDefined()
    expect(await store.prune({ ...all, keep: 0 })).toBe(1)
    expect(await store.listRuns({ limit: 10 })).toMatchObject([{ id: openRun }])
  })

  test('lists: newest first, by status, tool and key, and on from a run', async () => {
    const { store, pass } = await open()
    const first = await started(store, { key: 'one' })
    await pass(1000)
    const second = await started(store, { tool: 'mail' })
    const ids = async (filter: object): Promise<unknown> => (await store.listRuns({ limit: 10, ...filter }))?.map(({ id }) => id)
    expect(await ids({ before: second })).toEqual([first])
    expect(await ids({ tool: 'mail' })).toEqual([second])
    expect(await ids({ key: 'one' })).toEqual([first])
    expect(await ids({ before: 'nobody' })).toBeUndefined()
    expect(await ids({ statuses: ['completed'] })).toEqual([])
    expect((await store.listRuns({ limit: 1 }))?.length).toBe(1)
    const opened = (await store.readOpenRuns(first, 10)).map(({ id }) => id)
    expect(opened).toContain(second)
    expect(opened).not.toContain(first)
    expect((await store.start(newRun({ key: 'one' }))).outcome).toBe('taken')
  })

  test('open runs by the beginning of their key, the greatest first and on from a key', async () => {
    const { store } = await open()
    const found = async (start: string, below?: string, most = 10) => (await store.readOpenKeys(start, below, most)).map(({ key }) => key)
    const { run } = await running(store, { key: 'c:1' })
    expect(await found('c:')).toEqual(['c:1'])
    await store.end(run, ending())
    expect(await found('c:')).toEqual([])
    const keys = ['a%:1', 'a%:2', 'a%:10', 'A%:1', 'aX:1', 'a%', 'b', 'ä%:1']
    const ids = new Map<string, string>()
    for (const key of keys) ids.set(key, await started(store, { key }))
    await started(store)
    expect(await found('a%:')).toEqual(['a%:2', 'a%:10', 'a%:1'])
    expect(await found('a%:', undefined, 2)).toEqual(['a%:2', 'a%:10'])
    expect(await found('a%:', 'a%:10')).toEqual(['a%:1'])
    expect(await found('nobody')).toEqual([])
    await store.cancel(ids.get('a%:2') ?? '', '{}')
    expect(await store.readOpenKeys('a%:', undefined, 1)).toEqual([{ id: ids.get('a%:2'), key: 'a%:2', isCancelled: true }])
  })
})
