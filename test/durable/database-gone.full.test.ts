import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { gate } from '../../src/combinators/gate/gate.ts'
import { pipe } from '../../src/combinators/pipe/pipe.ts'
import { openRuns, type OpenedRuns } from '../../src/run/open-runs.ts'
import { createRuntime } from '../../src/runtime/create-runtime.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { type StartedPostgres, startPostgres } from '../fixtures/postgres/start-postgres.ts'
import { openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'

let server: StartedPostgres
let url: string
const opened: OpenedRuns[] = []

beforeAll(async () => {
  server = await startPostgres({ tcp: true })
  const { user, password, host, port, database } = server.config
  url = `postgres://${user}:${password}@${host}:${port}/${database}`
}, 60_000)
afterEach(async () => {
  await Promise.all(opened.splice(0).map((runs) => runs.close()))
}, 60_000)
afterAll(() => server.stop(), 60_000)

async function open(tools: readonly AgentTool<never>[], warn: (message: string) => void = () => {}): Promise<OpenedRuns> {
  const byName = new Map(tools.map((each) => [each.name, each as AgentTool]))
  const runs = await openRuns({ database: { url }, tools: async () => byName, warn })
  opened.push(runs)
  return runs
}

const GONE_MS = 10_000
const passing = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('a database that is gone for 10 seconds in the middle of runs', () => {
  test('is waited for: every run goes on where it was, and nothing is done twice or lost [G5]', { timeout: 90_000 }, async () => {
    const { noting, done } = notingTools()
    const reached = Promise.withResolvers<void>()
    const back = Promise.withResolvers<void>()
    const hold = async (input: string): Promise<void> => {
      if (input !== 'ann>pay') return
      reached.resolve()
      await back.promise
    }
    const warnings: string[] = []
    const settle = pipe(noting('pay'), noting('mail', { meanwhile: hold }), noting('thank'))
    const waits = gate(noting('waits'))
    const runs = await open([settle, waits], (message) => warnings.push(message))
    const parked = await runs.start(waits, 'bob')
    const request = await openRequest(runs, parked.id)
    await untilStatus(runs, parked.id, 'waiting')
    const run = await runs.start(settle, 'ann')
    const following = (async () => {
      const types: string[] = []
      for await (const event of run.events()) types.push(event.type)
      return types
    })()
    const waiting = run.result()
    await reached.promise
    await server.kill()
    // The step ends while there is nothing to record it in.
    back.resolve()
    await expect(runs.start(settle, 'eve')).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(runs.inbox.list()).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(run.status()).rejects.toMatchObject({ code: 'store_unavailable' })
    await passing(GONE_MS)
    await server.restart()
    expect(await waiting).toMatchObject({ ok: true, value: 'ann>pay>mail>thank' })
    expect((await following).filter((type) => type === 'step.finished')).toHaveLength(3)
    await runs.inbox.approve(request)
    expect(await parked.result()).toMatchObject({ ok: true, value: 'bob>waits' })
    expect(done).toEqual(['pay ann', 'mail ann>pay', 'thank ann>pay>mail', 'waits bob'])
    expect(warnings.join('\n')).toContain('The database does not take what is written; trying again')
    expect(warnings.join('\n')).toContain('The database answers again.')
    expect(warnings.join('\n')).not.toContain(server.config.password)
    const { rows } = await runs.store.pool.query<{ status: string }>('SELECT DISTINCT status FROM toolwright.run')
    expect(rows).toEqual([{ status: 'completed' }])
  })

  test('does not take a step from the worker that is at it, even one that must not be repeated', { timeout: 90_000 }, async () => {
    const { noting, done } = notingTools()
    const reached = Promise.withResolvers<void>()
    const back = Promise.withResolvers<void>()
    const once = noting('once', {
      idempotent: false,
      deadline: '60s',
      meanwhile: async () => {
        reached.resolve()
        await back.promise
      },
    })
    const runs = await open([once])
    const run = await runs.start(once, 'ann')
    await reached.promise
    await server.kill()
    await passing(GONE_MS + 1000)
    await server.restart()
    await passing(6000)
    back.resolve()
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>once' })
    expect(done).toEqual(['once ann'])
  })
})

describe('wrong credentials', () => {
  test.each([
    ['password', (given: string) => given.replace(/:[^:@/]+@/, ':wrong-password@')],
    ['user', (given: string) => given.replace('//postgres:', '//nobody_here:')],
    ['database', (given: string) => `${given}_elsewhere`],
  ])('such as another %s are said to be wrong, and no password is shown', async (_title, wrong) => {
    const { noting, done } = notingTools()
    const pay = noting('pay')
    const given = wrong(url)
    const runtime = createRuntime({ tools: [pay], database: { url: given } })
    const error: unknown = await runtime.start(pay, 'ann').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'store_credentials' })
    const shown = `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`
    expect(shown).not.toContain('wrong-password')
    expect(shown).not.toContain(server.config.password)
    await runtime.close()
    expect(done).toEqual([])
  })
})
