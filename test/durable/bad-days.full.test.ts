import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { gate } from '../../src/combinators/gate/gate.ts'
import { pipe } from '../../src/combinators/pipe/pipe.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { tool } from '../../src/tool/tool.ts'
import { durableRuns, openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'
import { oddTools } from '../fixtures/run/odd-tools.ts'

const database = durableRuns()
const folder = mkdtempSync(join(tmpdir(), 'bad-days-'))
const children = new Set<ChildProcess>()

afterEach(killAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function killAll(): Promise<void> {
  for (const child of children) {
    children.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

async function startWorker(file: string, clockShiftMs = 0): Promise<ChildProcess> {
  const fixtures = join(import.meta.dirname, '../fixtures/run')
  const execArgv = clockShiftMs === 0 ? [] : ['--import', join(fixtures, 'shifted-clock.ts')]
  const env = { ...process.env, CLOCK_SHIFT_MS: String(clockShiftMs) }
  const child = fork(join(fixtures, 'odd-worker.ts'), [database.home, file], { execArgv, env })
  children.add(child)
  await Promise.race([once(child, 'message'), once(child, 'exit')])
  return child
}

describe('an output', () => {
  test('of 50 MB is kept whole, and given to whoever asks', { timeout: 120_000 }, async () => {
    const length = 50 * 1024 * 1024
    const large = tool({ name: 'large', description: 'Gives much.', effect: 'read', execute: () => 'é'.padEnd(length, 'x') })
    const runs = await database.open([large])
    const run = await runs.start(large, '')
    const result = await run.result()
    expect(result.ok && String(result.value).length).toBe(length)
    expect(await run.status()).toMatchObject({ status: 'completed' })
  })

  const cycle: { self?: unknown; readonly list: unknown[] } = { list: [] }
  cycle.self = cycle
  test.each<[string, unknown, string]>([
    ['a function', { send: () => 1 }, '$.send'],
    ['a cycle', cycle, '$.self'],
    ['a deep cycle', { list: [cycle] }, '$.list[0].self'],
    ['an instance of a class', new URL('https://example.com'), 'URL'],
  ])(
    'that is %s fails its step with the place where it stands, and says that the effect may have happened',
    async (_title, value, place) => {
      const { noting, done } = notingTools()
      const odd = tool({ name: 'odd', description: 'Gives what cannot be kept.', effect: 'write', execute: () => value }) as AgentTool<
        string,
        string
      >
      const settle = pipe(noting('before'), odd, noting('after'))
      const runs = await database.open([settle])
      const run = await runs.start(settle, 'ann')
      const result = await run.result()
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'not_serializable', outcome: 'unknown', message: expect.stringContaining(place) },
      })
      expect(await run.status()).toMatchObject({ status: 'failed', why: { code: 'not_serializable' } })
      expect(done).toEqual(['before ann'])
    },
  )
})

describe('a run whose tool no longer exists', () => {
  test('is blocked with a word that says so, and goes on where it was when a worker with the tool starts', async () => {
    const { noting, done } = notingTools()
    const settle = pipe(noting('pay'), gate(noting('mail')))
    const first = await database.open([settle])
    const { id } = await first.start(settle, 'ann')
    const request = await openRequest(first, id)
    await untilStatus(first, id, 'waiting')
    await first.close()
    const without = await database.open([noting('other')])
    await without.inbox.approve(request)
    await untilStatus(without, id, 'blocked')
    const run = await without.get(id)
    expect((await run.status()).why).toMatchObject({
      code: 'unknown_tool',
      message: "No worker knows the tool 'pay_then_mail'. The run goes on as soon as one that knows it is started.",
    })
    await without.close()
    const back = await database.open([settle])
    await untilStatus(back, id, 'completed')
    expect(done).toEqual(['pay ann', 'mail ann>pay'])
  })

  test('for some workers is left to those who know it, however often the others take it first', async () => {
    const { noting, done } = notingTools()
    const pay = noting('pay')
    const starter = await database.open([pay], { worker: false })
    const run = await starter.start(pay, 'ann')
    const { pool } = starter.store
    // A worker that knows the tool and is busy.
    await pool.query("INSERT INTO toolwright.worker (id, host, pid, tools) VALUES ('busy', 'here', 1, '{pay}')")
    await pool.query('UPDATE toolwright.run SET deaths = 20')
    const without = await database.open([])
    await expect
      .poll(async () => (await pool.query<{ ticket: number }>('SELECT ticket FROM toolwright.run')).rows[0]?.ticket, { timeout: 10_000 })
      .toBeGreaterThan(0)
    await without.close()
    await database.open([pay])
    expect(await run.result()).toMatchObject({ ok: true })
    expect(done).toEqual(['pay ann'])
  })
})

test(
  'a run that brings its worker down each time is blocked in the end, and nothing of it is done twice [G5]',
  { timeout: 90_000 },
  async () => {
    const file = join(folder, 'dying')
    const tools = oddTools(file)
    const runs = await database.open([...tools.values()], { worker: false })
    const dies = tools.get('dies') as AgentTool<string>
    const run = await runs.start(dies, 'x')
    const { pool } = runs.store
    // As if it had happened so often before; the last times are real.
    await pool.query('UPDATE toolwright.run SET deaths = 17, entries_seen = 1')
    for (let crashes = 0; crashes < 3; crashes++) {
      const child = await startWorker(file)
      if (child.signalCode === null) await once(child, 'exit')
      expect(child.signalCode).toBe('SIGKILL')
      await pool.query("UPDATE toolwright_queue.job SET state = 'retry', heartbeat_on = NULL WHERE state = 'active'")
    }
    await startWorker(file)
    await untilStatus(runs, run.id, 'blocked')
    expect((await run.status()).why).toMatchObject({
      code: 'run_keeps_dying',
      message: expect.stringContaining('taken up 21 times in a row'),
    })
    await expect(run.result()).rejects.toMatchObject({ code: 'run_keeps_dying' })
    expect(readFileSync(file, 'utf8')).toBe('alive\n')
    expect(await run.cancel('given up')).toBe(true)
    await untilStatus(runs, run.id, 'cancelled')
  },
)

test('a run that brings its worker down does not take those beside it along: it alone is blocked [G5]', { timeout: 120_000 }, async () => {
  const file = join(folder, 'beside')
  const tools = oddTools(file)
  const runs = await database.open([...tools.values()], { worker: false })
  const { pool } = runs.store
  const dying = await runs.start(tools.get('dies') as AgentTool<string>, 'x')
  const beside = await Promise.all(['1', '2', '3'].map((input) => runs.start(tools.get('slow') as AgentTool<string>, input)))
  // As if all of them had been there so often when a worker ended.
  await pool.query('UPDATE toolwright.run SET deaths = 14, entries_seen = 1')
  let crashes = 0
  for (; crashes < 20 && (await dying.status()).status !== 'blocked'; crashes++) {
    const child = await startWorker(file)
    while (child.signalCode === null && (await dying.status()).status !== 'blocked') await new Promise((resolve) => setTimeout(resolve, 50))
    await pool.query(
      "UPDATE toolwright_queue.job SET state = 'retry', heartbeat_on = NULL, start_after = now() WHERE state = 'active' OR state = 'created'",
    )
  }
  expect((await dying.status()).why).toMatchObject({ code: 'run_keeps_dying' })
  for (const { id } of beside) await untilStatus(runs, id, 'completed')
  for (const { id } of beside) expect((await runs.show(id)).history.map(({ status }) => status)).not.toContain('blocked')
})

describe('a worker whose clock is wrong', () => {
  const HOURS = 3_600_000
  test.each<[string, number]>([
    ['hours ahead', 5 * HOURS],
    ['hours behind', -5 * HOURS],
  ])('by %s sleeps as long as it should, and lets requests wait as long as they should', { timeout: 60_000 }, async (_title, shift) => {
    const file = join(folder, `clock-${shift}`)
    const tools = oddTools(file)
    const here = await database.open([...tools.values()])
    const since = performance.now()
    const [nap, asks] = [tools.get('nap') as AgentTool<string>, tools.get('asks') as AgentTool<string>]
    // Begun with the right clock, gone on with the wrong one.
    const begun = [await here.start(nap, 'x'), await here.start(asks, 'asked')]
    for (const { id } of begun) await untilStatus(here, id, 'waiting')
    await here.close()
    const there = await database.open([...tools.values()], { worker: false })
    await startWorker(file, shift)
    const started = [await there.start(nap, 'x'), await there.start(asks, 'asked')]
    for (const { id } of [...begun, ...started]) expect(await (await there.get(id)).result()).toMatchObject({ ok: true })
    expect(performance.now() - since).toBeGreaterThan(1900)
    const { rows } = await there.store.pool.query<{ ms: number }>(
      'SELECT 1000 * extract(epoch FROM ended_at - created_at)::float8 AS ms FROM toolwright.run',
    )
    expect(rows).toHaveLength(4)
    for (const { ms } of rows) expect(ms).toBeGreaterThan(1900)
  })
})
