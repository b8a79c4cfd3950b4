import { afterEach, describe, expect, test } from 'vitest'
import { fillHome } from '../../test/fixtures/prepared.ts'
import { latch } from '../../test/fixtures/run/latch.ts'
import { notingTools } from '../../test/fixtures/run/noting-tools.ts'
import { temporaryHome } from '../../test/fixtures/store/temporary-home.ts'
import { gate } from '../combinators/gate/gate.ts'
import type { Inbox } from '../review/inbox.ts'
import type { RunHandle } from '../run/run-handle.ts'
import type { Runs } from '../run/runs.ts'
import { runtimeClosed } from '../tool/errors/runtime-closed.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import type { RunDatabase } from '../run/store/run-store.ts'
import { createRuntime, type Runtime, type RuntimeOptions } from './create-runtime.ts'
import { durable } from './durable.ts'

const home = temporaryHome()
fillHome(home)

const DATABASES: Readonly<Record<string, () => { readonly home: string } | RunDatabase>> = {
  PostgreSQL: () => ({ home }),
  memory: () => memoryRuns(),
}

const { noting } = notingTools()
const pay = noting('pay')
const asks = gate(noting('asks'))

let opened: Runtime[] = []
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()))
  opened = []
})

function open(database: RuntimeOptions['database'], options: RuntimeOptions = {}): Runtime {
  const runtime = createRuntime({ tools: [pay, asks], database, app: 'closed', ...options })
  opened.push(runtime)
  return runtime
}

/** Its message names no driver. */
const CLOSED = { code: 'runtime_closed', message: runtimeClosed().message }
const request = { id: 'r', tool: 'asks', path: 'asks', kind: 'approval', input: 'x' } as never
const wait = { signal: new AbortController().signal } as never

/** Every method, with arguments that would do in an open runtime. A new one is a mistake of types here until it has a row. */
const OF_RUN: { readonly [K in Exclude<keyof RunHandle, 'id' | 'isNew'>]: (run: RunHandle) => unknown } = {
  status: (run) => run.status(),
  until: (run) => run.until(() => false),
  result: (run) => run.result(),
  cancel: (run) => run.cancel('enough'),
  events: (run) => run.events()[Symbol.asyncIterator]().next(),
  resume: (run) => run.resume(),
  settle: (run) => run.settle('pay', { happened: false }),
  retryCompensation: (run) => run.retryCompensation(),
}

const OF_RUNS: { readonly [K in Exclude<keyof Runs, 'inbox' | 'boards' | 'idempotency' | 'close'>]: (runs: Runs) => unknown } = {
  start: (runs) => runs.start(pay, 'ann'),
  get: (runs) => runs.get('any'),
  inboxOn: (runs) => runs.inboxOn('langchain').list(),
  fingerprints: (runs) => runs.fingerprints('text'),
  openKeys: (runs) => runs.openKeys(''),
  takeBack: (runs) => runs.takeBack('any'),
  isTakenBack: (runs) => runs.isTakenBack('any'),
  list: (runs) => runs.list(),
  show: (runs) => runs.show('any'),
  export: (runs) => runs.export('any'),
  rehearse: (runs) => runs.rehearse(),
  recorded: (runs) => runs.recorded(),
  prune: (runs) => runs.prune({ olderThan: '1d' }),
  resume: (runs) => runs.resume(),
}

const OF_KEYS: { readonly [K in keyof Required<Runs['idempotency']>]: (runs: Runs) => unknown } = {
  claim: ({ idempotency }) =>
    idempotency.claim('k', { tool: 't', inputHash: 'h', holder: 'me', leaseMs: 1000, keepMs: 1000, takesOver: false }),
  renew: ({ idempotency }) => idempotency.renew('k', 1, 1000),
  settle: ({ idempotency }) => idempotency.settle('k', 1, undefined),
  changed: async ({ idempotency }) =>
    idempotency.changed === undefined ? idempotency.renew('k', 1, 0) : idempotency.changed('k', 10, new AbortController().signal),
}

const OF_INBOX: { readonly [K in Exclude<keyof Inbox, 'handler'> | 'review']: (inbox: Inbox) => unknown } = {
  review: (inbox) => inbox.handler.review(request, wait),
  list: (inbox) => inbox.list(),
  get: (inbox) => inbox.get('any'),
  approve: (inbox) => inbox.approve('any'),
  edit: (inbox) => inbox.edit('any', { input: 'bob' }),
  answer: (inbox) => inbox.answer('any', 1),
  reject: (inbox) => inbox.reject('any'),
  stop: (inbox) => inbox.stop('any'),
  expire: (inbox) => inbox.expire('any'),
  assign: (inbox) => inbox.assign('any', 'ada'),
  on: (inbox) => inbox.on('requested', () => {}),
}

const ask = async <T>(method: (of: T) => unknown, of: T): Promise<unknown> => method(of)

describe.each(Object.entries(DATABASES))('of a closed runtime with runs in %s', (_name, database) => {
  test('every method of a run, of the runs and of their inbox says that it is closed [G4]', async () => {
    const runtime = open(database())
    const run = await runtime.start(pay, 'ann')
    await run.result()
    const runs = await runtime.runs()
    await Promise.all([runtime.close(), runtime.close()])
    for (const [name, method] of Object.entries(OF_RUN)) await expect(ask(method, run), name).rejects.toMatchObject(CLOSED)
    for (const [name, method] of Object.entries({ ...OF_RUNS, ...OF_KEYS }))
      await expect(ask(method, runs), name).rejects.toMatchObject(CLOSED)
    for (const inbox of [runs.inbox, runtime.inbox])
      for (const [name, method] of Object.entries(OF_INBOX)) await expect(ask(method, inbox), name).rejects.toMatchObject(CLOSED)
    const { boards } = runs
    const asked = boards === undefined ? [] : [boards.sweep(), boards.breakers.read(['k'])]
    for (const each of asked) await expect(each).rejects.toMatchObject(CLOSED)
    await expect(runs.close()).resolves.toBeUndefined()
  }, 60_000)

  test('who still waits is told so, and events end [G4]', async () => {
    const runtime = open(database())
    const run = await runtime.start(asks, 'ann')
    await run.until(({ status }) => status === 'waiting')
    const seen: string[] = []
    const follow = async (): Promise<string> => {
      for await (const { type } of run.events()) seen.push(type)
      return 'ended'
    }
    const slow = run.events()[Symbol.asyncIterator]()
    await slow.next()
    const followed = follow()
    const waiting = [run.result(), run.until(() => false), runtime.inbox.handler.review(request, wait)]
    const ends = Promise.allSettled(waiting)
    await expect.poll(() => seen).toContain('review.requested')
    await expect.poll(async () => (await runtime.inbox.list()).length).toBe(2)
    await runtime.close()
    expect(await followed).toBe('ended')
    for (let next = await slow.next(); next.done !== true; next = await slow.next());
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: CLOSED })
  }, 60_000)

  test('a run that ends in the drain time is told to those who wait for it', async () => {
    const held = latch()
    const slow = noting('slow', { meanwhile: held.wait })
    const runtime = open(database(), { tools: [slow] })
    const run = await runtime.start(slow, 'ann')
    await run.until(({ status }) => status === 'running')
    const result = run.result()
    const closing = runtime.close()
    held.open()
    expect(await result).toMatchObject({ ok: true, value: 'ann>slow' })
    await closing
  }, 60_000)

  test('a call that waits for its run gives the receipt: to call again would be another run', async () => {
    const held = latch()
    const slow = noting('slow', { meanwhile: held.wait })
    const runtime = open(database(), { tools: [slow], worker: false })
    const call = durable(slow, runtime).call('ann')
    await expect.poll(async () => (await (await runtime.runs()).list({ tool: 'slow', status: 'queued' })).length).toBe(1)
    await runtime.close()
    expect(await call).toMatchObject({ ok: false, error: { code: 'run_pending' } })
  }, 60_000)
})

test('the request of a call that waits is withdrawn when its runtime closes', async () => {
  const database = memoryRuns()
  const [first, second] = [open(database), open(database)]
  const waiting = first.inbox.handler.review(request, wait)
  const end = expect(waiting).rejects.toMatchObject(CLOSED)
  await expect.poll(async () => (await second.inbox.list()).length).toBe(1)
  await first.close()
  await end
  expect(await second.inbox.list()).toEqual([])
})
