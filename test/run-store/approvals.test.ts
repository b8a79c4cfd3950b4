import { describe, expect, test } from 'vitest'
import { claiming, decision, ending, entry, newRun, parking, question, running, scenes, started, take, waiting } from './scene.ts'

const request = (
  id: string,
  more: object = {},
): { id: string; path: string; tool: string; kind: string; request: string; timeoutMs: undefined } => ({
  ...{ id, path: `call/${id}`, tool: 'pay', kind: 'approval', request: '{}', timeoutMs: undefined },
  ...more,
})

describe.each(scenes())('a request in %s', (_name, open) => {
  test('the first decision counts, is recorded in the run and wakes it', async () => {
    const { store } = await open()
    const run = await waiting(store, 'q')
    expect(await store.decide(decision('q', run.id, 'ann'))).toBe(true)
    expect(await store.decide(decision('q', run.id, 'bob'))).toBe(false)
    expect(await store.findRequest('q')).toMatchObject({ status: 'decided', decision: '{"action":"continue","by":"ann"}' })
    expect(await store.readEntries(run.id)).toMatchObject([{ kind: 'review', data: '{"decided":"ann"}' }])
    expect((await take(store)).run).toMatchObject({ id: run.id, epoch: 2, ticket: 2 })
    const news = await store.readNews([run.id, 'nobody'], ['q'])
    expect(news.runs).toEqual([{ id: run.id, epoch: 2, cancel: null }])
    expect(news.decided).toMatchObject([{ id: 'q', run: run.id }])
  })

  test('a decision of an unknown, a withdrawn or an over request does not count', async () => {
    const { store } = await open()
    const { run } = await running(store)
    expect(await store.decide(decision('nobody', run.id))).toBe(false)
    await store.write([question(run, 'q'), question(run, 'undoing', { path: 'pay/undo.a', isShielded: true })])
    await store.cancel(run.id, '{}')
    expect(await store.decide(decision('q', run.id))).toBe(false)
    expect(await store.decide({ ...decision('undoing', run.id), path: 'pay/undo.a' })).toBe(true)
    await store.end(run, ending('failed'))
    expect(await store.findRun(run.id)).toMatchObject({ status: 'failed' })
  })

  test('a call outside runs asks, is listed, assigned, decided and withdrawn', async () => {
    const { store, pass } = await open()
    await store.ask(request('one'))
    await store.ask(request('one', { tool: 'other' }))
    await pass(1000)
    await store.ask(request('two', { tool: 'mail' }))
    const ids = async (filter: object): Promise<unknown> => (await store.listRequests({ limit: 10, ...filter })).map(({ id }) => id)
    expect(await ids({})).toEqual(['one', 'two'])
    expect(await ids({ limit: 1 })).toEqual(['one'])
    expect(await ids({ tool: 'pay' })).toEqual(['one'])
    expect(await ids({ run: 'nobody' })).toEqual([])
    expect(await store.assign('one', { name: 'ann', print: 'print of ann' })).toBe(true)
    expect(await store.assign('nobody', undefined)).toBe(false)
    expect(await ids({ assigneePrints: ['print of ann', 'another'] })).toEqual(['one'])
    expect(await store.findRequest('one')).toMatchObject({ run: null, assignee: 'ann', isOver: false })
    expect(await store.decide(decision('one', null))).toBe(true)
    await store.withdraw('one')
    await store.withdraw('two')
    expect(await store.findRequest('one')).toMatchObject({ status: 'decided' })
    expect(await store.findRequest('two')).toMatchObject({ status: 'withdrawn' })
    expect(await store.assign('two', undefined)).toBe(false)
    await pass(10_000)
    await store.prune({ statuses: ['completed'], olderThanMs: 5000, keep: undefined })
    expect(await store.findRequest('one')).toBeUndefined()
  })

  test('votes are recorded one after the other, told in the run, and leave it open', async () => {
    const { store } = await open()
    const run = await waiting(store, 'q')
    const vote = (ballotNo: number, by: string) =>
      store.vote({ request: 'q', run: run.id, ballot: JSON.stringify({ by }), ballotNo, event: JSON.stringify({ by }) })
    expect(await vote(0, 'ann')).toBe(true)
    expect(await vote(0, 'bob')).toBe(false)
    expect(await vote(1, 'bob')).toBe(true)
    expect(await store.findRequest('q')).toMatchObject({ status: 'open', ballot: '{"by":"bob"}', ballotNo: 2 })
    const told = (await store.readEvents(run.id, 0, 100)).filter(({ type }) => type === 'review.voted')
    expect(told.map(({ data }) => data)).toEqual(['{"by":"ann"}', '{"by":"bob"}'])
    expect(await store.findRun(run.id)).toMatchObject({ status: 'waiting' })
    expect(await store.decide(decision('q', run.id))).toBe(false)
    expect(await store.decide({ ...decision('q', run.id), ballotNo: 2 })).toBe(true)
    expect(await vote(2, 'cyd')).toBe(false)
  })

  test('a vote on a withdrawn, an over or an unknown request does not count; one outside runs does', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.write([question(run, 'q')])
    const vote = { ballot: '{}', ballotNo: 0, event: '{}' }
    expect(await store.vote({ ...vote, request: 'nobody', run: run.id })).toBe(false)
    await store.cancel(run.id, '{}')
    expect(await store.vote({ ...vote, request: 'q', run: run.id })).toBe(false)
    await store.ask(request('outside'))
    expect(await store.vote({ ...vote, request: 'outside', run: null })).toBe(true)
    await store.withdraw('outside')
    expect(await store.vote({ ...vote, ballotNo: 1, request: 'outside', run: null })).toBe(false)
  })

  test('it expires by the time of the store', async () => {
    const { store } = await open()
    const { run } = await running(store)
    await store.write([question(run, 'q', { timeoutMs: 5000 })])
    const found = await store.findRequest('q')
    expect((found?.expiresAt ?? 0) - (found?.requestedAt ?? 0)).toBe(5000)
    expect(found?.readAt).toBeGreaterThanOrEqual(found?.requestedAt ?? Infinity)
  })
})

const ROUNDS = 15

describe.each(scenes())('two at the same time in %s', (_name, open) => {
  test('decide and decide: one counts', async () => {
    const { store, other } = await open()
    const second = await other()
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await waiting(store, `q${round}`)
      const counted = await Promise.all([store.decide(decision(`q${round}`, id, 'ann')), second.decide(decision(`q${round}`, id, 'bob'))])
      expect(counted.filter(Boolean)).toHaveLength(1)
      const by = counted[0] ? 'ann' : 'bob'
      expect(await store.readEntries(id)).toMatchObject([{ data: `{"decided":"${by}"}` }])
      const { run, job } = await take(store)
      await store.end(run, ending())
      await store.complete([job])
    }
  })

  test('vote and vote: one of two that read the same ballot counts', async () => {
    const { store, other } = await open()
    const second = await other()
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await waiting(store, `v${round}`)
      const vote = { request: `v${round}`, run: id, ballotNo: 0, event: '{}' }
      const counted = await Promise.all([store.vote({ ...vote, ballot: '"ann"' }), second.vote({ ...vote, ballot: '"bob"' })])
      expect(counted.filter(Boolean)).toHaveLength(1)
      expect(await store.findRequest(`v${round}`)).toMatchObject({ ballot: counted[0] ? '"ann"' : '"bob"', ballotNo: 1 })
    }
  })

  test('park and decide: the run hears of the decision, or is queued by it', async () => {
    const { store, other } = await open()
    const second = await other()
    for (let round = 0; round < ROUNDS; round++) {
      const { run, job } = await running(store)
      const id = `q${round}`
      await store.write([question(run, id)])
      const [parked, counts] = await Promise.all([store.park(parking(run, { open: [id] })), second.decide(decision(id, run.id))])
      expect(counts).toBe(true)
      await store.complete([job])
      const status = (await store.findRun(run.id))?.status
      const jobs = await store.fetch(10)
      const seen = { outcome: parked.outcome, status, queued: jobs.map((each) => each.run) }
      const heard = { outcome: 'refused', status: 'running', queued: [] }
      expect(seen).toEqual(parked.outcome === 'parked' ? { outcome: 'parked', status: 'queued', queued: [run.id] } : heard)
      await store.claim(claiming(jobs))
      await store.end({ ...run, epoch: jobs.length + 1 }, ending())
      await store.complete(jobs)
    }
  })

  test('claim and write: what is written counts before the claim, or not at all', async () => {
    const { store, other } = await open()
    const second = await other()
    for (let round = 0; round < ROUNDS; round++) {
      const { run, job } = await running(store)
      const [written, claims] = await Promise.all([store.write([entry(run, 'pay/a')]), second.claim(claiming([job], { worker: 'v' }))])
      const taken = claims.locked.length > 0 ? await second.claim(claiming([job], { worker: 'v' })) : claims
      expect(taken.runs).toMatchObject([{ run: { epoch: 2 } }])
      expect(await store.readEntries(run.id)).toHaveLength(written.size)
      expect(await store.write([entry(run, 'pay/b')])).toEqual(new Map())
      await store.end({ ...run, epoch: 2 }, ending())
      await store.complete([job])
    }
  })

  test('end and cancel: the run has ended, and was cancelled before or is told that it had ended', async () => {
    const { store, other } = await open()
    const second = await other()
    for (let round = 0; round < ROUNDS; round++) {
      const { run, job } = await running(store)
      const [isMine, cancelled] = await Promise.all([store.end(run, ending()), second.cancel(run.id, '{}')])
      expect(isMine).toBe(true)
      expect(['cancelled', 'ended']).toContain(cancelled)
      expect(await store.findRun(run.id)).toMatchObject({ status: 'completed' })
      await store.complete([job])
      expect(await store.fetch(10)).toEqual([])
    }
  })

  test('prune and start: a key gives the run that has it, or a new one', async () => {
    const { store, other } = await open()
    const second = await other()
    for (let round = 0; round < ROUNDS; round++) {
      await started(store, { key: `k${round}` })
      const { run, job } = await take(store)
      await store.end(run, ending())
      await store.complete([job])
      const next = newRun({ key: `k${round}` })
      const pruning = { statuses: ['completed'] as const, olderThanMs: undefined, keep: 0 }
      const [start, removed] = await Promise.all([store.start(next), second.prune(pruning)])
      expect(removed).toBe(1)
      expect(await store.findRun(run.id)).toBeUndefined()
      const jobs = await store.fetch(10)
      const isNew = start.outcome === 'started'
      expect([undefined, run.id]).toContain(start.outcome === 'taken' ? start.by?.id : undefined)
      expect((await store.findRun(next.id))?.status).toBe(isNew ? 'queued' : undefined)
      expect(jobs.map((each) => each.run)).toEqual(isNew ? [next.id] : [])
      await store.claim(claiming(jobs))
      await store.end({ ...run, id: next.id }, ending())
      await store.complete(jobs)
      await store.prune(pruning)
    }
  })

  test('start and start with one key: one run', async () => {
    const { store, other } = await open()
    const second = await other()
    for (let round = 0; round < ROUNDS; round++) {
      const key = `k${round}`
      const both = await Promise.all([store.start(newRun({ key })), second.start(newRun({ key }))])
      expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['started', 'taken'])
    }
  })
})
