import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { durableRuns, openRequest, untilStatus } from '../../test/fixtures/run/durable-runs.ts'
import { latch } from '../../test/fixtures/run/latch.ts'
import { notingTools } from '../../test/fixtures/run/noting-tools.ts'
import { gate } from '../combinators/gate/gate.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { compound } from '../tool/compound.ts'
import { tool } from '../tool/tool.ts'
import type { RunEvent } from './view/run-events.ts'

const database = durableRuns()

describe('a start', () => {
  test('resolves at once with a run that comes to its end, and gives the same run for the same key [G4]', async () => {
    const { noting, done } = notingTools()
    const settle = pipe(noting('pay'), noting('mail'))
    const runs = await database.open([settle])
    const run = await runs.start(settle, 'ann', { key: 'order-1' })
    const again = await runs.start(settle, 'ann', { key: 'order-1' })
    expect(again.id).toBe(run.id)
    const result = await run.result()
    expect(result).toMatchObject({ ok: true, value: 'ann>pay>mail' })
    expect((await runs.start(settle, 'ann', { key: 'order-1' })).id).toBe(run.id)
    expect(done).toEqual(['pay ann', 'mail ann>pay'])
  })

  test('with another input, or of another tool, under a key is refused, and runs nothing', async () => {
    const { noting, done } = notingTools()
    const [pay, mail] = [noting('pay'), noting('mail')]
    const runs = await database.open([pay, mail], { worker: false })
    await runs.start(pay, 'ann', { key: 'order-2' })
    await expect(runs.start(pay, 'bob', { key: 'order-2' })).rejects.toMatchObject({
      code: 'key_conflict',
      message: expect.stringContaining('another input'),
    })
    await expect(runs.start(mail, 'ann', { key: 'order-2' })).rejects.toMatchObject({
      code: 'key_conflict',
      message: expect.stringContaining("the tool 'pay'"),
    })
    expect(done).toEqual([])
  })

  test('of a tool that is not registered is refused, also when another one has its name', async () => {
    const { noting } = notingTools()
    const runs = await database.open([noting('pay')], { worker: false })
    await expect(runs.start(noting('mail'), 'ann')).rejects.toMatchObject({ code: 'unregistered_tool' })
    await expect(runs.start(noting('pay'), 'ann')).rejects.toMatchObject({
      code: 'unregistered_tool',
      message: expect.stringContaining('another one'),
    })
  })

  test.each([[''], ['x'.repeat(513)], ['a\0b']])('refuses the key %j', async (key) => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const runs = await database.open([pay], { worker: false })
    await expect(runs.start(pay, 'ann', { key })).rejects.toMatchObject({ code: 'invalid_option' })
  })

  test('with an option that does not exist is refused, and nothing of it is kept', async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const runs = await database.open([pay], { worker: false })
    const odd = { kee: 'refund-7', secrets: { API: 'sk-live' } } as object
    await expect(runs.start(pay, 'ann', odd)).rejects.toMatchObject({ code: 'invalid_option', message: expect.stringContaining("'key'") })
    expect((await runs.store.pool.query('SELECT 1 FROM toolwright.run')).rowCount).toBe(0)
  })

  test('with an input that does not fit begins no run, and leaves the key free', async () => {
    const add = tool({
      name: 'add',
      description: 'Adds one.',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const,
      effect: 'read',
      execute: ({ n }) => n + 1,
    })
    const runs = await database.open([add])
    await expect(runs.start(add, { n: '5' } as never, { key: 'k' })).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await (await runs.start(add, { n: 5 }, { key: 'k' })).result()).toMatchObject({ value: 6 })
  })

  test('of an input that cannot be kept fails before anything is recorded', async () => {
    const odd = tool({
      name: 'odd',
      description: 'Takes anything.',
      effect: 'read',
      inputSchema: z.object({ f: z.any() }),
      execute: () => 1,
    })
    const runs = await database.open([odd], { worker: false })
    await expect(runs.start(odd, { f: () => 1 })).rejects.toMatchObject({ code: 'not_serializable' })
    const { rowCount } = await runs.store.pool.query("SELECT 1 FROM toolwright.run WHERE tool = 'odd'")
    expect(rowCount).toBe(0)
  })

  test('of many at once with one key gives one run', async () => {
    const { noting, done } = notingTools()
    const pay = noting('pay')
    const runs = await database.open([pay])
    const all = await Promise.all(Array.from({ length: 20 }, () => runs.start(pay, 'ann', { key: 'order-many' })))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    await all[0]?.result()
    expect(done).toEqual(['pay ann'])
  })

  test('of more at once than there are connections, in a process that has done nothing yet, records them all', async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const starter = await database.open([pay], { worker: false })
    const started = await Promise.all(Array.from({ length: 40 }, (_, index) => starter.start(pay, `n${index}`)))
    expect(new Set(started.map(({ id }) => id)).size).toBe(40)
  })
})

describe('a run', () => {
  test('says where it stands, and what it came to, from any process that has the database', async () => {
    const { noting } = notingTools()
    const pay = noting('pay', { version: '1.2.0' })
    const starter = await database.open([pay], { worker: false })
    const { id } = await starter.start(pay, 'ann', { key: 'order-3' })
    expect(await (await starter.get(id)).status()).toMatchObject({ id, key: 'order-3', tool: 'pay', version: '1.2.0', status: 'queued' })
    await database.open([pay])
    expect(await (await starter.get(id)).result()).toMatchObject({ ok: true, value: 'ann>pay', text: 'ann>pay' })
    const info = await (await starter.get(id)).status()
    expect(info).toMatchObject({ status: 'completed', endedAt: expect.any(Number), startedAt: expect.any(Number) })
    expect(info.why).toBeUndefined()
  })

  test('that fails says why, and keeps the error but for its cause', async () => {
    const broken = tool({
      name: 'broken',
      description: 'Fails.',
      effect: 'write',
      execute: () => {
        throw new Error('no paper')
      },
    })
    const runs = await database.open([broken])
    const run = await runs.start(broken, 'x')
    expect(await run.result()).toMatchObject({ ok: false, error: { message: 'no paper', code: 'tool_failed' } })
    expect(await run.status()).toMatchObject({ status: 'failed', why: { code: 'tool_failed', message: 'no paper' } })
  })

  test('that is not known is said not to be', async () => {
    const runs = await database.open([], { worker: false })
    await expect(runs.get('no-such-run')).rejects.toMatchObject({ code: 'unknown_run' })
  })

  test('is waited for only as long as the waiter wants', async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const runs = await database.open([pay], { worker: false })
    const run = await runs.start(pay, 'ann')
    const controller = new AbortController()
    const waiting = run.result({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(await run.status()).toMatchObject({ status: 'queued' })
  })

  test('gives each step a key that stays the same over segments, and another to every other step [G4] [I4]', async () => {
    const { noting, keys } = notingTools()
    const held = latch()
    let isFirst = true
    const stuck = noting('stuck', {
      meanwhile: async () => {
        if (!isFirst) return
        isFirst = false
        await held.wait()
      },
    })
    const settle = pipe(noting('pay'), gate(stuck))
    const first = await database.open([settle], { worker: { drain: 10 } })
    const { id } = await first.start(settle, 'ann')
    await first.inbox.approve(await openRequest(first, id))
    await held.begun
    await first.close()
    const second = await database.open([settle])
    expect(await (await second.get(id)).result()).toMatchObject({ ok: true, value: 'ann>pay>stuck' })
    expect(keys).toHaveLength(3)
    expect(keys[1]).toBe(keys[2])
    expect(keys[0]).not.toBe(keys[1])
    const { rows } = await second.store.pool.query<{ key: string }>(
      'SELECT key FROM toolwright.entry WHERE run = $1 AND kind = $2 ORDER BY begun_no',
      [id, 'call'],
    )
    expect(rows.map(({ key }) => key)).toEqual(keys.slice(0, 2))
  })

  test('checks permissions when it is taken up again, by what its starter was and what the tool wants now [I7]', async () => {
    const { noting, done } = notingTools()
    const of = (permissions: readonly string[]) => pipe(noting('look', { effect: 'read' }), gate(noting('pay', { permissions })))
    const before = of(['pay:small'])
    const first = await database.open([before])
    const { id } = await first.start(before, 'ann', { principal: { id: 'clerk', permissions: ['pay:small'] } })
    const request = await openRequest(first, id)
    await untilStatus(first, id, 'waiting')
    await first.close()
    const second = await database.open([of(['pay:large'])])
    await second.inbox.approve(request)
    expect(await (await second.get(id)).result()).toMatchObject({ ok: false, error: { code: 'permission_denied' } })
    expect(done).toEqual(['look ann'])
  })

  test('keeps an output of 5 MB, and hands it to the next step and to whoever asks', async () => {
    const text = 'x'.repeat(5_000_000)
    const large = tool({ name: 'large', description: 'Gives much.', effect: 'read', execute: () => ({ text, at: new Date(0) }) })
    const measure = tool({
      name: 'measure',
      description: 'Measures.',
      effect: 'read',
      inputSchema: z.object({ text: z.string(), at: z.date() }),
      execute: ({ text: given, at }) => ({ length: given.length, at, text: given }),
    })
    const both = compound({
      name: 'both',
      description: 'Makes and measures.',
      parts: { large, measure },
      run: async (input, context) => {
        const made = await context.call('make', large, input)
        return made.ok ? context.call('measure', measure, made.value) : made
      },
    })
    const gated = gate(both)
    const runs = await database.open([gated])
    const run = await runs.start(gated, 'x')
    await runs.inbox.approve(await openRequest(runs, run.id))
    const result = await run.result()
    expect(result.ok && (result.value as { length: number; at: Date; text: string })).toEqual({ length: 5_000_000, at: new Date(0), text })
    const { rows } = await runs.store.pool.query<{ bytes: number }>('SELECT bytes FROM toolwright.artifact WHERE run = $1', [run.id])
    expect(rows.length).toBeGreaterThanOrEqual(2)
    expect(rows.every(({ bytes }) => bytes > 5_000_000)).toBe(true)
  })
})

describe('a cancel', () => {
  test('ends a run that is queued before it begins', async () => {
    const { noting, done } = notingTools()
    const pay = noting('pay')
    const starter = await database.open([pay], { worker: false })
    const run = await starter.start(pay, 'ann')
    expect(await run.cancel('not wanted')).toBe(true)
    await database.open([pay])
    expect(await run.result()).toMatchObject({ ok: false, error: { class: 'cancelled' } })
    expect(await run.status()).toMatchObject({ status: 'cancelled' })
    expect(done).toEqual([])
    expect(await run.cancel()).toBe(false)
  })

  test('ends a run that waits for a person, and withdraws the request', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'))
    const runs = await database.open([pay])
    const run = await runs.start(pay, 'ann')
    const request = await openRequest(runs, run.id)
    await untilStatus(runs, run.id, 'waiting')
    await run.cancel('not wanted')
    expect(await run.result()).toMatchObject({ ok: false, error: { class: 'cancelled' } })
    expect(await run.status()).toMatchObject({ status: 'cancelled' })
    expect(await runs.inbox.get(request)).toMatchObject({ status: 'withdrawn' })
    await expect(runs.inbox.approve(request)).rejects.toMatchObject({ code: 'withdrawn' })
    expect(done).toEqual([])
  })

  test('reaches a step that is under way, in another process than the one that cancels', async () => {
    const begun = Promise.withResolvers<void>()
    const slow = tool({
      name: 'slow',
      description: 'Waits for its signal.',
      effect: 'write',
      execute: (_input, { signal }) => {
        begun.resolve()
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    await database.open([slow])
    const other = await database.open([slow], { worker: false })
    const run = await other.start(slow, 'x')
    await begun.promise
    await run.cancel('too slow')
    expect(await run.result()).toMatchObject({ ok: false, error: { class: 'cancelled', outcome: 'unknown' } })
    expect(await run.status()).toMatchObject({ status: 'cancelled' })
  })
})

describe('events', () => {
  test('come from the beginning and as they happen, until the run has ended, and go on after any of them', async () => {
    const { noting } = notingTools()
    const held = latch()
    const settle = pipe(
      noting('pay', { meanwhile: (_input, { progress }) => progress({ message: 'half', progress: 1, total: 2 }) }),
      gate(noting('mail', { meanwhile: held.wait })),
    )
    const runs = await database.open([settle])
    const run = await runs.start(settle, 'ann')
    const seen: RunEvent[] = []
    const following = (async () => {
      for await (const event of run.events()) seen.push(event)
    })()
    await runs.inbox.approve(await openRequest(runs, run.id), 'ada')
    await held.begun
    // Told while the run goes on.
    await expect.poll(() => seen.map(({ type }) => type)).toContain('review.decided')
    held.open()
    await following
    const told = seen.map((event) => (event.type === 'status' ? event.status : event.type))
    expect(told[0]).toBe('queued')
    expect(told.at(-1)).toBe('completed')
    expect(seen.filter(({ type }) => type === 'step.finished')).toMatchObject([
      { path: 'pay_then_mail/pay', tool: 'pay', ok: true },
      { path: 'pay_then_mail/mail/gated', tool: 'mail', ok: true },
    ])
    expect(seen.find(({ type }) => type === 'progress')).toMatchObject({
      path: 'pay_then_mail/pay',
      message: 'half',
      progress: 1,
      total: 2,
    })
    expect(seen.find(({ type }) => type === 'review.decided')).toMatchObject({ decision: { action: 'continue', by: 'ada' } })
    expect(seen.map(({ no }) => no)).toEqual(seen.map(({ no }) => no).toSorted((a, b) => a - b))
    for (const [index, { no }] of seen.entries()) {
      const rest: RunEvent[] = []
      for await (const event of run.events({ after: no })) rest.push(event)
      expect(rest).toEqual(seen.slice(index + 1))
    }
  })

  test('of more than a page are all told', async () => {
    const { noting } = notingTools()
    const each = noting('each', { effect: 'read' })
    const many = compound({
      name: 'many',
      description: 'Many steps.',
      parts: { each },
      run: async (input, context) => {
        await Promise.all(Array.from({ length: 300 }, () => context.call('each', each, input)))
        return 'done'
      },
    })
    const runs = await database.open([many])
    const run = await runs.start(many, 'x')
    await run.result()
    const finished: RunEvent[] = []
    for await (const event of run.events()) if (event.type === 'step.finished') finished.push(event)
    expect(finished).toHaveLength(300)
  })
})
