import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { first } from '../combinators/parallel/join.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { cache } from '../combinators/cache/cache.ts'
import { backoff } from '../policies/backoff.ts'
import { createRuntime, type RuntimeOptions } from '../runtime/create-runtime.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { recordEvents } from '../testing/record-events.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { compound } from '../tool/compound.ts'
import { ToolError, type ToolErrorOptions } from '../tool/errors/tool-error.ts'
import { type Journal, memoryJournal } from '../tool/journal/journal.ts'
import type { Effect } from '../tool/metadata.ts'
import { callWithRetry } from '../tool/seam/call-with-retry.ts'
import { tool } from '../tool/tool.ts'
import type { StartOptions } from './start-run.ts'

interface Flaky {
  readonly look: AgentTool<unknown, string>
  /** The key that each attempt was given. */
  readonly keys: string[]
}

/** Fails so often, then succeeds. */
function flaky(failures: number, error: ToolErrorOptions & { readonly message?: string } = {}, effect: Effect = 'read'): Flaky {
  const keys: string[] = []
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effect,
    idempotent: effect === 'write',
    execute: (input: unknown, context) => {
      keys.push(context.idempotencyKey)
      context.usage({ tokens: 10 })
      if (keys.length <= failures)
        throw new ToolError(`failure ${keys.length}`, { code: 'service_unavailable', outcome: 'failed', ...error })
      return `seen at attempt ${keys.length}`
    },
  })
  return { look: look as AgentTool<unknown, string>, keys }
}

function scene(tools: readonly AgentTool<never>[], options: RuntimeOptions = {}) {
  const clock = fakeClock()
  const database = memoryRuns({ clock })
  const open = () => createRuntime({ tools, database, random: () => 0.5, ...options })
  return { clock, database, open }
}

async function ended(scened: ReturnType<typeof scene>, started: AgentTool<unknown, unknown>, options?: StartOptions, input: unknown = 'x') {
  const runtime = scened.open()
  const run = await runtime.start(started, input, options)
  const result = await scened.clock.until(run.result())
  const runs = await runtime.runs()
  return { result, record: await runs.show(run.id), runtime, run }
}

describe('a read in a durable run', () => {
  test('is tried again after a failure that may pass, under the same key, and the record tells the attempts', async () => {
    const { look, keys } = flaky(2)
    const { result, record, run } = await ended(scene([look]), look)
    expect(result).toMatchObject({ ok: true, value: 'seen at attempt 3', usage: { tokens: 30 } })
    expect(result.attempts?.map(({ number, error }) => [number, error?.message])).toEqual([
      [1, 'failure 1'],
      [2, 'failure 2'],
      [3, undefined],
    ])
    expect(new Set(keys).size).toBe(1)
    expect(record.steps).toHaveLength(1)
    expect(record.steps[0]?.attempts.map(({ number, error }) => [number, error?.code])).toEqual([
      [1, 'service_unavailable'],
      [2, 'service_unavailable'],
      [3, undefined],
    ])
    // 200 ms and half of it by chance, then twice that.
    const [one, two, three] = record.steps[0]?.attempts.map(({ startedAt }) => startedAt) ?? []
    expect([(two ?? 0) - (one ?? 0), (three ?? 0) - (two ?? 0)]).toEqual([300, 500])
    expect(record.usage.tokens).toBe(30)
    const told: string[] = []
    for await (const event of run.events()) if ('path' in event) told.push(`${event.type} ${event.path}`)
    expect(told).toEqual(['look', 'look@2', 'look@3'].flatMap((path) => [`step.started ${path}`, `step.finished ${path}`]))
  })

  test('fails with its last failure when all attempts are used', async () => {
    const { look, keys } = flaky(9)
    const { result } = await ended(scene([look]), look)
    expect(result).toMatchObject({ ok: false, error: { code: 'service_unavailable', message: 'failure 3' } })
    expect(keys).toHaveLength(3)
  })

  test.each<[string, ToolErrorOptions]>([
    ['its input is wrong', { code: 'invalid_input' }],
    ['the tool has a defect', { code: 'tool_crashed' }],
    ['a permission is missing', { code: 'permission_denied' }],
    ['a person rejected it', { code: 'rejected', retryable: true }],
    ['it was cancelled', { code: 'cancelled', retryable: true }],
    ['the time is over', { code: 'deadline_exceeded', retryable: true }],
  ])('is tried once if %s', async (_why, error) => {
    const { look, keys } = flaky(9, error)
    expect((await ended(scene([look]), look)).result.ok).toBe(false)
    expect(keys).toHaveLength(1)
  })

  test('waits as long as the service asks, within its time', async () => {
    const asked = flaky(1, { code: 'rate_limited', retryAfterMs: 30_000 })
    const { record } = await ended(scene([asked.look]), asked.look)
    expect((record.steps[0]?.attempts[1]?.startedAt ?? 0) - record.createdAt).toBe(30_000)
    const tooLong = flaky(1, { code: 'rate_limited', retryAfterMs: 61_000 })
    const { result } = await ended(scene([tooLong.look]), tooLong.look)
    expect([result.ok, tooLong.keys.length]).toEqual([false, 1])
  })

  test('is not retried by a call that is not durable', async () => {
    const { look, keys } = flaky(1)
    const { open } = scene([look])
    expect((await open().call(look, 'x')).ok).toBe(false)
    expect((await look.call('x', { journal: memoryJournal() })).ok).toBe(true)
    expect(keys).toHaveLength(2)
  })

  test('is retried as the runtime says, and as the starter says', async () => {
    const count = async (options: RuntimeOptions, own?: StartOptions): Promise<number> => {
      const { look, keys } = flaky(9)
      await ended(scene([look], options), look, own)
      return keys.length
    }
    expect(await count({ retryReads: false })).toBe(1)
    expect(await count({ retryReads: { attempts: 5 } })).toBe(5)
    expect(await count({ retryReads: false }, { retryReads: { attempts: 2 } })).toBe(2)
    expect(await count({}, { retryReads: false })).toBe(1)
  })

  test('is left to a caller that retries it', async () => {
    const { look, keys } = flaky(9)
    const cached = cache(look, { ttl: '1m' })
    const patient = compound({
      name: 'patient',
      description: 'd',
      parts: { look, cached },
      run: async (input: unknown, context) => {
        await callWithRetry(context, { label: 'bare', tool: look, input, backoff: backoff({ attempts: 2 }) })
        return callWithRetry(context, { label: 'layered', tool: cached, input, backoff: backoff({ attempts: 2 }) })
      },
    })
    await ended(scene([patient]), patient as AgentTool<unknown>)
    expect(keys).toHaveLength(4)
  })

  test('tells its observers of each attempt', async () => {
    const events = recordEvents()
    const { look } = flaky(2)
    await ended(scene([look], { on: events }), look)
    const retried = events.events.filter(({ type }) => type === 'call.retried')
    expect(retried.map((event) => ('attempt' in event ? [event.attempt, event.error.message] : []))).toEqual([
      [1, 'failure 1'],
      [2, 'failure 2'],
    ])
    expect(events.events.filter(({ type }) => type === 'call.finished')).toHaveLength(1)
  })
})

test('a tool that takes effect is not tried again, even if repeating does no harm', async () => {
  const { look, keys } = flaky(1, {}, 'write')
  expect((await ended(scene([look]), look)).result.ok).toBe(false)
  expect(keys).toHaveLength(1)
})

test('a process that ends between two attempts resets neither the count nor the wait', async () => {
  const { look, keys } = flaky(9, { retryAfterMs: 10_000 })
  const { clock, database, open } = scene([look])
  const run = await open().start(look, 'x')
  for (const attempts of [1, 2]) {
    await database.idle()
    expect(keys).toHaveLength(attempts)
    database.crash()
    const again = await open().run(run.id)
    await database.idle()
    await clock.advance(9_000)
    await database.idle()
    expect([keys.length, (await again.status()).status]).toEqual([attempts, 'waiting'])
    await clock.advance(1_000)
  }
  const last = await open().run(run.id)
  expect(await clock.until(last.result())).toMatchObject({ ok: false, error: { message: 'failure 3' } })
  expect(keys).toHaveLength(3)
})

test('a run that is cancelled while it waits for another attempt ends at once', async () => {
  const { look, keys } = flaky(9, { retryAfterMs: 30_000 })
  const { clock, database, open } = scene([look])
  const runtime = open()
  const run = await runtime.start(look, 'x')
  await database.idle()
  await run.cancel('no longer needed')
  expect(await run.result()).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  expect([keys.length, clock.now() - fakeClock().now()]).toEqual([1, 0])
})

test('a branch that waits for another attempt loses a race, and the run can be taken up afterwards', async () => {
  const { look } = flaky(9, { retryAfterMs: 30_000 })
  const quick = tool({ name: 'quick', description: 'd', effect: 'read', execute: (_input, { sleep }) => sleep(10).then(() => 'quick') })
  const race = parallel({ look, quick }, { name: 'race', join: first() })
  const raced = Promise.withResolvers<void>()
  const wait = tool({ name: 'wait', description: 'd', effect: 'read', execute: () => 'end' })
  const whole = compound({
    name: 'whole',
    description: 'd',
    parts: { race, wait },
    run: async (input: unknown, context) => {
      await context.call('race', race, input as never)
      raced.resolve()
      await context.sleep(5000)
      return context.call('wait', wait, '')
    },
  })
  const { clock, database, open } = scene([whole])
  const run = await open().start(whole as AgentTool<unknown>, 'x')
  await clock.until(raced.promise)
  database.crash()
  expect(await clock.until((await open().run(run.id)).result())).toMatchObject({ ok: true, value: 'end' })
  expect(clock.now() - fakeClock().now()).toBeLessThan(30_000)
})

describe('the record of attempts', () => {
  const retrying = (journal: Journal): Journal => ({ ...journal, retries: backoff() })

  test('gives the same result from every prefix, and never more attempts than are allowed', async () => {
    const clock = fakeClock()
    const after = tool({
      name: 'after',
      description: 'd',
      effect: 'write',
      idempotent: true,
      execute: (input: string) => `${input}, then done`,
    })
    const build = () => {
      const { look, keys } = flaky(2)
      return { whole: pipe(look, after), keys }
    }
    const live = memoryJournal()
    const options = { clock, idempotencyKey: 'run', random: () => 0.5 }
    const whole = await clock.until(build().whole.call('x', { ...options, journal: retrying(live) }))
    expect(whole.text).toBe('seen at attempt 3, then done')
    for (let length = 0; length <= live.entries.length; length++) {
      const past = live.entries.slice(0, length)
      const failed = past.filter(({ kind, path, ...entry }) => kind === 'call' && /look(:@2)?$/.test(path) && 'result' in entry).length
      const { look, keys } = flaky(2 - failed)
      const journal = memoryJournal(past)
      const again = await clock.until(pipe(look, after).call('x', { ...options, journal: { ...retrying(journal), past: journal.past } }))
      expect([length, again.ok, keys.length <= 3 - failed]).toEqual([length, true, true])
    }
  })

  test('holds for an input that an attempt has changed: the next one gets what the first one got', async () => {
    const clock = fakeClock()
    const seen: unknown[] = []
    const greedy = tool({
      name: 'greedy',
      description: 'd',
      effect: 'read',
      inputSchema: z.array(z.string()),
      execute: (input) => {
        seen.push([...input])
        input.pop()
        throw new ToolError('busy', { code: 'service_unavailable' })
      },
    })
    await clock.until(greedy.call(['a', 'b'], { clock, journal: retrying(memoryJournal()) }))
    expect(seen).toEqual(Array.from({ length: 3 }, () => ['a', 'b']))
  })

  test('of a version that did not retry is final', async () => {
    const { look, keys } = flaky(9)
    const before = memoryJournal()
    await look.call('x', { journal: before, idempotencyKey: 'run' })
    const again = await look.call('x', { journal: retrying(memoryJournal(before.entries)), idempotencyKey: 'run' })
    expect([keys.length, again.text]).toEqual([1, 'Error: failure 1'])
  })
})
