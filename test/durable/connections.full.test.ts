import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pipe } from '../../src/combinators/pipe/pipe.ts'
import { openRuns, type OpenedRuns, type RunsOptions } from '../../src/run/open-runs.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { type FaultyProxy, faultyProxy } from '../fixtures/postgres/faulty-proxy.ts'
import { type StartedPostgres, startPostgres } from '../fixtures/postgres/start-postgres.ts'
import { untilStatus } from '../fixtures/run/durable-runs.ts'
import { latch } from '../fixtures/run/latch.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'

let server: StartedPostgres
const opened: OpenedRuns[] = []
const proxies: FaultyProxy[] = []

beforeAll(async () => {
  server = await startPostgres({ tcp: true })
}, 60_000)
afterEach(async () => {
  await Promise.all(opened.splice(0).map((runs) => runs.close()))
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
}, 60_000)
afterAll(() => server.stop(), 60_000)

async function open(
  tools: readonly AgentTool<never>[],
  port = server.config.port,
  options: Partial<RunsOptions> = {},
): Promise<OpenedRuns> {
  const { user, password, host, database } = server.config
  const byName = new Map(tools.map((each) => [each.name, each as AgentTool]))
  const url = `postgres://${user}:${password}@${host}:${port}/${database}`
  const runs = await openRuns({ ...options, database: { url }, tools: async () => byName })
  opened.push(runs)
  return runs
}

async function openProxy(): Promise<FaultyProxy> {
  const proxy = await faultyProxy(server.config)
  proxies.push(proxy)
  return proxy
}

describe('every connection', () => {
  test('has bounds for statements, locks and transactions that stand still', async () => {
    const runs = await open([], undefined, { worker: false })
    const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    const values = await Promise.all(
      settings.map(async (name) => (await runs.store.pool.query<Record<string, string>>(`SHOW ${name}`)).rows[0]?.[name]),
    )
    expect(values).toEqual(['30s', '5s', '5s'])
  })

  test('that stands still in a transaction is ended, and what it held is free', { timeout: 30_000 }, async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const starter = await open([pay], undefined, { worker: false })
    const run = await starter.start(pay, 'ann')
    const stopped = await starter.store.pool.connect()
    await stopped.query('BEGIN')
    await stopped.query('SELECT FROM toolwright.run WHERE id = $1 FOR SHARE', [run.id])
    const worker = await open([pay])
    const others = await Promise.all(['bob', 'eve', 'kim'].map((who) => worker.start(pay, who)))
    const since = performance.now()
    for (const other of others) expect(await other.result()).toMatchObject({ ok: true })
    expect(performance.now() - since).toBeLessThan(3000)
    expect(await run.result()).toMatchObject({ ok: true })
    await expect(stopped.query('COMMIT')).rejects.toThrow(/idle-in-transaction|terminated|not queryable/)
    stopped.release(true)
  })
})

describe('connections that fall silent', () => {
  test('are given up, and the runs of their worker go on over others [G5]', { timeout: 60_000 }, async () => {
    const { noting, done } = notingTools()
    const held = latch()
    const settle = pipe(noting('pay', { idempotent: false, meanwhile: held.wait }), noting('mail'), noting('thank'))
    const proxy = await openProxy()
    const runs = await open([settle], proxy.port)
    const run = await runs.start(settle, 'ann')
    await held.begun
    const since = performance.now()
    proxy.silence()
    held.open()
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay>mail>thank' })
    expect(performance.now() - since).toBeLessThan(25_000)
    expect(done).toEqual(['pay ann', 'mail ann>pay', 'thank ann>pay>mail'])
  })

  test('do not keep a worker from being closed: it takes its drain and a few seconds', { timeout: 60_000 }, async () => {
    const { noting } = notingTools()
    const held = latch()
    const slow = noting('slow', { meanwhile: held.wait })
    const proxy = await openProxy()
    const runs = await open([slow], proxy.port, { worker: { drain: 1000 } })
    const run = await runs.start(slow, 'ann')
    await held.begun
    proxy.silenceAll()
    const since = performance.now()
    await runs.close()
    expect(performance.now() - since).toBeLessThan(10_000)
    await expect.poll(() => proxy.clients(), { timeout: 10_000 }).toBe(0)
    held.open()
    const healthy = await open([slow])
    await untilStatus(healthy, run.id, 'completed')
  })
})
