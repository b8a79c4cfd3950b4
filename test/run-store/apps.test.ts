import { describe, expect, test } from 'vitest'
import type { NoticeKind } from '../../src/run/store/run-store.ts'
import { claiming, decision, ending, entry, newRun, question, running, scenes, started, take, waiting } from './scene.ts'

const LIMITS = { pay: { concurrency: 1 } }

describe.each(scenes())('two apps in %s', (_name, open) => {
  test('the same key gives each of them its own run, of a tool of the same name', async () => {
    const { store, ofApp } = await open()
    const other = await ofApp('keys')
    const mine = await started(store, { key: 'one' })
    const theirs = await started(other, { key: 'one', tool: 'pay' })
    expect(await store.start(newRun({ key: 'one' }))).toMatchObject({ outcome: 'taken', by: { id: mine } })
    expect(await other.start(newRun({ key: 'one' }))).toMatchObject({ outcome: 'taken', by: { id: theirs } })
    const claim = { tool: 'pay', inputHash: 'h', holder: 'me', leaseMs: 1000, keepMs: 1000, takesOver: false }
    expect(await store.idempotency.claim('k', claim)).toMatchObject({ state: 'mine' })
    expect(await other.idempotency.claim('k', { ...claim, inputHash: 'another' })).toMatchObject({ state: 'mine' })
  })

  test('neither fetches, finds, lists or reads what is the other one’s [O4]', async () => {
    const { store, ofApp } = await open()
    const other = await ofApp('readers')
    const run = await waiting(store, 'q')
    const queued = await started(store)
    await store.announce({ id: 'w', host: 'here', pid: 1, tools: ['pay'], limited: [] })
    expect(await other.fetch(10)).toEqual([])
    expect(await other.findRun(run.id)).toBeUndefined()
    expect(await other.readRun(run.id, 1000)).toBeUndefined()
    expect(await other.listRuns({ limit: 10 })).toEqual([])
    expect(await other.readOpenRuns('', 10)).toEqual([])
    expect(await other.readEntries(run.id)).toEqual([])
    expect(await other.readEvents(run.id, 0, 10)).toEqual([])
    expect(await other.readNews([run.id], ['q'])).toEqual({ runs: [], decided: [] })
    expect(await other.findRequest('q')).toBeUndefined()
    expect(await other.listRequests({ limit: 10 })).toEqual([])
    expect(await other.othersMayGoOn(queued, 'x')).toBe(false)
    expect(await store.fetch(10)).toMatchObject([{ run: queued }])
  })

  test('neither changes what is the other one’s, with its id, its jobs and its claim in hand', async () => {
    const { store, ofApp } = await open()
    const other = await ofApp('writers')
    const parked = await waiting(store, 'q')
    const { run, job } = await running(store)
    const before = [await store.readRun(parked.id, 1000), await store.readRun(run.id, 1000)]
    expect(await other.claim(claiming([job]))).toMatchObject({ runs: [] })
    expect(await other.touch([job])).toEqual(new Set())
    await other.complete([job])
    await other.leave([job])
    expect((await other.write([entry(run, 'stolen')])).size).toBe(0)
    expect(await other.end(run, ending())).toBe(false)
    await other.putBack(run)
    await other.giveBack([run.id], 'w')
    expect(await other.cancel(run.id, '{}')).toBeUndefined()
    expect(await other.resume(run.id)).toBeUndefined()
    expect(await other.retryCompensation(run.id, () => [])).toBe(false)
    expect(await other.decide(decision('q', parked.id))).toBe(false)
    expect(await other.assign('q', { name: 'ann', print: 'print' })).toBe(false)
    await other.withdraw('q')
    await other.recover(['plan_changed'])
    expect(await other.resumeBlocked({})).toBe(0)
    expect([await store.readRun(parked.id, 1000), await store.readRun(run.id, 1000)]).toEqual(before)
    expect(await store.touch([job])).toEqual(new Set([job.id]))
    await store.end(run, ending())
    expect(await other.prune({ statuses: ['completed'], olderThanMs: undefined, keep: 0 })).toBe(0)
    expect(await store.findRun(run.id)).toMatchObject({ status: 'completed' })
  })

  test('a request outside runs is in one inbox, and a limit counts the runs of one app', async () => {
    const { store, ofApp } = await open()
    const other = await ofApp('limits')
    await store.ask({ id: 'call', path: 'call', tool: 'pay', kind: 'approval', request: '{}', timeoutMs: undefined })
    expect(await other.listRequests({ limit: 10 })).toEqual([])
    await running(store)
    await started(other)
    expect((await take(other, { limits: LIMITS })).run).toMatchObject({ tool: 'pay' })
  })

  test('neither hears the notices of the other', async () => {
    const { store, ofApp } = await open()
    const other = await ofApp('ears')
    const heard: (NoticeKind | 'reconnected')[] = []
    const own = Promise.withResolvers<void>()
    other.on((kind) => heard.push(kind))
    other.on((kind) => (kind === 'requested' ? own.resolve() : undefined))
    const { run } = await running(store)
    await store.write([question(run, 'q')])
    await store.decide(decision('q', run.id))
    await other.ask({ id: 'own', path: 'call', tool: 'pay', kind: 'approval', request: '{}', timeoutMs: undefined })
    await own.promise
    expect(heard).toEqual(['requested'])
  })
})
