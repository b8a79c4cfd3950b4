import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DeadToolReport } from '../../test/fixtures/postgres/dead-tool-caller.ts'
import { type StartedPostgres, startPostgres } from '../../test/fixtures/postgres/start-postgres.ts'
import { breaker } from '../combinators/breaker/breaker.ts'
import { limit } from '../combinators/limit/limit.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { tool } from '../tool/tool.ts'
import { createRuntime, type Runtime } from './create-runtime.ts'

let server: StartedPostgres
let url: string
const opened: Runtime[] = []
const children = new Set<ChildProcess>()

beforeAll(async () => {
  server = await startPostgres({ tcp: true })
  const { host, port, user, password, database } = server.config
  url = `postgresql://${user}:${password}@${host}:${port}/${database}`
}, 60_000)

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

afterAll(() => server.stop())

let apps = 0

/** The exchange is up in this process, whatever the other one sees. */
function exchange() {
  return tool({ name: 'exchange', description: 'Tells a rate.', effect: 'read', execute: () => '1.08' })
}

function open(options: Parameters<typeof createRuntime>[0]): Runtime {
  const runtime = createRuntime({ worker: false, database: { url }, ...options })
  opened.push(runtime)
  return runtime
}

/** Keeps the warnings. */
function warningLog() {
  const warnings: string[] = []
  const ignore = (): void => {}
  const log = {
    trace: ignore,
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (_fields: object, text: string) => void warnings.push(text),
  }
  return { log, warnings }
}

describe('a runtime with a database', () => {
  test('hears within a second that another process has opened a breaker [F2]', async () => {
    const app = `shared-${++apps}`
    const guarded = breaker(exchange())
    const runtime = open({ tools: [guarded], app })
    const { boards } = await runtime.runs()
    expect((await runtime.call(guarded, '')).text).toBe('1.08')
    const heard = new Promise<number>((resolve) =>
      boards?.breakers.on((news) => void (news !== 'lost' && 'state' in news && news.state === 'open' && resolve(Date.now()))),
    )
    const child = fork(join(import.meta.dirname, '../../test/fixtures/postgres/dead-tool-caller.ts'), { execArgv: [] })
    children.add(child)
    await once(child, 'message')
    const reported = once(child, 'message') as Promise<[DeadToolReport]>
    child.send({ url, app })
    const [{ openedAt, reached }] = await reported
    expect((await heard) - openedAt).toBeLessThan(1000)
    expect(reached).toBeLessThanOrEqual(10)
    const refused = await runtime.call(guarded, '')
    expect(refused.ok ? '' : refused.error.code).toBe('circuit_open')
  }, 90_000)

  test('goes on without it, and shares again when it is back [F2] [F5]', async () => {
    const app = `shared-${++apps}`
    let isDown = true
    const flaky = tool({
      name: 'flaky',
      description: 'Fails at first.',
      effect: 'read',
      execute: () => {
        if (isDown) throw new ToolError('It is down.', { class: 'transient' })
        return 'up'
      },
    })
    const guarded = breaker(limit(flaky, { concurrency: 2 }), { minCalls: 2, coolDown: '1h' })
    const { log, warnings } = warningLog()
    const [here, there] = [open({ tools: [guarded], app, log }), open({ tools: [guarded], app, log })]
    await Promise.all([here, there].map((each) => each.runs()))
    await server.kill()
    for (let call = 0; call < 2; call++) expect((await here.call(guarded, '')).ok).toBe(false)
    const own = await here.call(guarded, '')
    expect(own.ok ? '' : own.error.code).toBe('circuit_open')
    isDown = false
    expect((await there.call(guarded, '')).text).toBe('up')
    await server.restart()
    // By the notice, or by what it reads when it listens again: whichever of the two is first to reach the server.
    const codeThere = async (): Promise<string> => {
      const result = await there.call(guarded, '')
      return result.ok ? 'ok' : result.error.code
    }
    await expect.poll(codeThere, { timeout: 40_000, interval: 50 }).toBe('circuit_open')
    expect(warnings.filter((each) => each.includes('Breakers are not shared')).length).toBeLessThanOrEqual(2)
  }, 60_000)

  test('gives its places in a limit back when it closes, and says nothing then or later [F5]', async () => {
    const app = `shared-${++apps}`
    const guarded = breaker(limit(exchange(), { concurrency: 2 }))
    const other = limit(tool({ name: 'other', description: 'Is called late.', effect: 'read', execute: () => 'late' }), { concurrency: 1 })
    const { log, warnings } = warningLog()
    const [first, second] = [open({ tools: [guarded, other], app, log, worker: {} }), open({ tools: [guarded, other], app, log })]
    await Promise.all([first, second].map((each) => each.runs()))
    await Promise.all([first.call(guarded, ''), first.call(guarded, '')])
    await first.close()
    const startedAt = Date.now()
    const answers = await Promise.all([second.call(guarded, ''), second.call(guarded, '')])
    expect(answers.map(({ text }) => text)).toEqual(['1.08', '1.08'])
    // The lease of a place is 30 s.
    expect(Date.now() - startedAt).toBeLessThan(5000)
    // A closed runtime goes on by itself.
    expect([(await first.call(guarded, '')).text, (await first.call(other, '')).text]).toEqual(['1.08', 'late'])
    await second.close()
    expect(warnings).toEqual([])
  }, 60_000)

  test('keeps breakers and limits of replaced tools apart from those of real ones', async () => {
    const guarded = breaker(exchange(), { minCalls: 1 })
    const runtime = open({ tools: [guarded], app: `shared-${++apps}` })
    const overrides = {
      exchange: () => {
        throw new ToolError('It is down.', { class: 'transient' })
      },
    }
    await runtime.call(guarded, '', { overrides })
    const replaced = await runtime.call(guarded, '', { overrides })
    expect(replaced.ok ? '' : replaced.error.code).toBe('circuit_open')
    expect((await runtime.call(guarded, '')).text).toBe('1.08')
  })
})

test('a runtime over memory shares nothing, and needs nothing', async () => {
  const guarded = breaker(limit(exchange(), { rate: { calls: 1, per: '1h' }, wait: false }))
  const runtime = open({ tools: [guarded], database: memoryRuns() })
  const codes = [await runtime.call(guarded, ''), await runtime.call(guarded, '')].map((each) => (each.ok ? 'ok' : each.error.code))
  expect(codes).toEqual(['ok', 'rate_limited'])
})
