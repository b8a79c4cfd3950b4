import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import type { CallOptions } from '../../tool/context.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import type { Metadata } from '../../tool/metadata.ts'
import { failure, success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { cache } from './cache.ts'

/** Says how often it has been called. */
function counting(metadata: Metadata = {}): AgentTool<string, string> {
  let calls = 0
  return tool({ name: 'look', description: 'Looks.', effect: 'read', ...metadata, execute: (text) => `${text} ${++calls}` })
}

/** Calls with the same clock, one after the other, and gives the texts. */
async function texts(cached: AgentTool<string, string>, calls: readonly (readonly [string, CallOptions?])[]): Promise<readonly string[]> {
  const clock = fakeClock()
  const given: string[] = []
  for (const [input, options] of calls) given.push((await cached.call(input, { clock, ...options })).text)
  return given
}

const ann = { id: 'ann', permissions: ['read', 'write'] }

describe('a cache', () => {
  test('gives a kept result for the same input, and asks again for another [C4]', async () => {
    expect(await texts(cache(counting(), { ttl: '1m' }), [['a'], ['a'], ['b'], ['a'], ['b']])).toEqual(['a 1', 'a 1', 'b 2', 'a 1', 'b 2'])
  })

  test('knows an input by what it says, whatever the order of its fields', async () => {
    let calls = 0
    const Input = z.object({ a: z.number(), b: z.number() })
    const add = cache(
      tool({ name: 'add', description: 'd', inputSchema: Input, effect: 'read', execute: ({ a, b }) => (calls++, a + b) }),
      { ttl: '1m' },
    )
    expect([await add.execute({ a: 1, b: 2 }), await add.execute({ b: 2, a: 1 }), calls]).toEqual([3, 3, 1])
  })

  test('is a layer: it keeps name, version, schema, effect and figures, and says for how long it keeps', () => {
    const look = counting({ version: '1.2.0', permissions: ['read'], estimates: { latencyMs: 5 }, tags: ['t'] })
    const cached = cache(look, { ttl: '1m' })
    const { name, version, description, effect, permissions, estimates, tags, specification } = look
    expect(cached).toMatchObject({ name, version, description, effect, permissions, estimates, tags, specification })
    expect(cached.plan()).toMatchObject({ kind: 'cache', layer: true, detail: 'for 60000 ms', parts: [{ tool: look, takes: 'input' }] })
  })

  test('never gives a result that is as old as its ttl, counted from when the call began [C4]', async () => {
    const clock = fakeClock()
    let calls = 0
    const slow = tool({ name: 'slow', description: 'd', effect: 'read', execute: async (_text, { sleep }) => (await sleep(40), ++calls) })
    const cached = cache(slow, { ttl: 100 })
    const call = () => clock.until(cached.call('x', { clock }))
    expect(await call()).toMatchObject({ value: 1 })
    await clock.advance(59)
    expect(await call()).toMatchObject({ value: 1 })
    await clock.advance(1)
    expect(await call()).toMatchObject({ value: 2 })
  })

  test('does not believe the ticks of another clock', async () => {
    const cached = cache(counting(), { ttl: '1m' })
    expect((await cached.call('a', { clock: fakeClock(1000) })).text).toBe('a 1')
    expect((await cached.call('a', { clock: fakeClock(1000) })).text).toBe('a 2')
  })

  test('keeps so many and no more: what was asked for longest ago goes first [C4]', async () => {
    const cached = cache(counting(), { ttl: '1m', maxEntries: 2 })
    expect(await texts(cached, [['a'], ['b'], ['a'], ['c'], ['a'], ['b']])).toEqual(['a 1', 'b 2', 'a 1', 'c 3', 'a 1', 'b 4'])
  })

  test('never keeps a failure, thrown or returned', async () => {
    let calls = 0
    const flaky = tool({
      name: 'flaky',
      description: 'd',
      effect: 'read',
      execute: () => {
        calls++
        if (calls === 1) throw new Error('busy')
        return calls === 2 ? failure('busy') : 'done'
      },
    })
    const cached = cache(flaky, { ttl: '1m' })
    const clock = fakeClock()
    const oks = []
    for (let n = 0; n < 4; n++) oks.push((await cached.call('x', { clock })).ok)
    expect([oks, calls]).toEqual([[false, false, true, true], 3])
  })

  test('shows a kept result for what it is: the provenance of the first call, an issue, and a call of its own in the trace [C4]', async () => {
    const clock = fakeClock()
    const recorder = recordEvents()
    const chatty = tool({
      name: 'chatty',
      description: 'd',
      effect: 'read',
      execute: () =>
        success(
          { n: 1 },
          { text: 'one', confidence: 0.5, content: [{ type: 'text', text: 'c' }], issues: [{ severity: 'warning', message: 'own' }] },
        ),
    })
    const cached = cache(chatty, { ttl: '1m' })
    const first = await cached.call('x', { clock, on: recorder })
    await clock.advance(5000)
    const again = await cached.call('x', { clock, on: recorder })
    expect(again.provenance).toEqual(first.provenance)
    expect(again).toMatchObject({
      ok: true,
      value: { n: 1 },
      text: 'one',
      confidence: 0.5,
      content: [{ type: 'text', text: 'c' }],
      issues: [
        { severity: 'warning', message: 'own' },
        { severity: 'info', message: 'Kept from a call that ended at 2023-11-14T22:13:20.000Z.' },
      ],
    })
    expect(first.issues).toHaveLength(1)
    expect(recorder.summary()).toEqual([
      ...['call.started chatty', 'call.started chatty/fresh', 'call.finished chatty/fresh', 'call.finished chatty'],
      ...['call.started chatty', 'call.started chatty/kept', 'call.finished chatty/kept', 'call.finished chatty'],
    ])
    expect(recorder.events.filter((event) => event.type === 'call.finished' && event.counts).map(({ call }) => call.path)).toEqual([
      'chatty/fresh',
      'chatty/kept',
    ])
  })

  test('gives everybody a value of their own: who changes it changes nobody else’s', async () => {
    const rows = tool({ name: 'rows', description: 'd', effect: 'read', execute: () => ({ list: [1], at: new Date(5) }) })
    const cached = cache(rows, { ttl: '1m' })
    const clock = fakeClock()
    for (let n = 0; n < 3; n++) {
      const result = await cached.call('x', { clock })
      if (!result.ok) throw new Error(result.text)
      expect(result.value).toEqual({ list: [1], at: new Date(5) })
      result.value.list.push(2)
      result.value.at.setTime(0)
    }
  })

  test('does not keep what data cannot hold, neither of the input nor of the output', async () => {
    let calls = 0
    const odd = tool({
      name: 'odd',
      description: 'd',
      inputSchema: z.object({ at: z.any() }),
      effect: 'read',
      execute: ({ at }) => (++calls, typeof at === 'function' ? calls : { calls, format: () => '' }),
    })
    const cached = cache(odd, { ttl: '1m' })
    const clock = fakeClock()
    const format = (): string => ''
    for (const at of [format, format, 1, 1]) expect((await cached.call({ at }, { clock })).ok).toBe(true)
    expect(calls).toBe(4)
  })

  test('goes by a key of one’s own, which sees a valid input and the context', async () => {
    let calls = 0
    const Input = z.object({ city: z.string().toLowerCase(), note: z.string().optional() })
    const weather = tool({
      name: 'weather',
      description: 'd',
      inputSchema: Input,
      effect: 'read',
      execute: ({ city }) => `${city} ${++calls}`,
    })
    const cached = cache(weather, { ttl: '1m', key: ({ city }, { session }) => [city, session] })
    const clock = fakeClock()
    const call = async (input: object, session?: string) => (await cached.call(input as never, { clock, session })).text
    expect(await call({ city: 'Rome', note: 'a' })).toBe('rome 1')
    expect(await call({ city: 'ROME', note: 'b' })).toBe('rome 1')
    expect(await call({ city: 'Rome' }, 's')).toBe('rome 2')
    expect(await call({ city: 7, note: 'a' })).toContain('Invalid input')
    expect(await call({})).toContain('Invalid input')
    expect(calls).toBe(2)
  })

  test('a key that throws or waits is a failure that names it', async () => {
    const key = (): never => {
      throw new Error('odd')
    }
    expect(await cache(counting(), { ttl: 1, key }).call('a')).toMatchObject({
      ok: false,
      error: { code: 'adapter_failed', message: "'key' of the cache of 'look' failed: odd" },
    })
    expect(await cache(counting(), { ttl: 1, key: () => Promise.resolve(1) }).call('a')).toMatchObject({
      error: { code: 'adapter_failed' },
    })
  })

  test('does not keep what a stand-in said', async () => {
    const cached = cache(counting(), { ttl: '1m' })
    const overrides = { look: () => 'fake' }
    expect(await texts(cached, [['a', { overrides }], ['a'], ['a', { overrides }], ['a']])).toEqual(['fake', 'a 1', 'fake', 'a 1'])
  })

  test('does not share a call that is under way: each has its own caller, who may give up', async () => {
    const clock = fakeClock()
    let calls = 0
    const slow = tool({ name: 'slow', description: 'd', effect: 'read', execute: async (_text, { sleep }) => (await sleep(10), ++calls) })
    const cached = cache(slow, { ttl: '1m' })
    const controller = new AbortController()
    const first = cached.call('x', { clock, signal: controller.signal })
    const second = cached.call('x', { clock })
    controller.abort()
    expect(await first).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(await clock.until(second)).toMatchObject({ ok: true })
  })

  test('a slow call does not replace what a later one has given', async () => {
    const clock = fakeClock()
    let calls = 0
    const slow = tool({
      name: 'slow',
      description: 'd',
      effect: 'read',
      execute: async (_text, { sleep }) => {
        const call = ++calls
        await sleep(call === 1 ? 50 : 1)
        return call
      },
    })
    const cached = cache(slow, { ttl: 100 })
    const first = cached.call('x', { clock })
    await clock.advance(10)
    await clock.until(cached.call('x', { clock }))
    await clock.until(first)
    await clock.advance(59)
    expect(await cached.call('x', { clock })).toMatchObject({ value: 2 })
  })
})

describe('who may have a kept result', () => {
  test('is the same principal with the same permissions, and nobody else [C4]', async () => {
    const cached = cache(counting(), { ttl: '1m' })
    const same = { id: 'ann', permissions: ['write', 'read'] }
    const fewer = { id: 'ann', permissions: ['read'] }
    const bob = { id: 'bob', permissions: ['read', 'write'] }
    expect(
      await texts(cached, [
        ['a', { principal: ann }],
        ['a', { principal: same }],
        ['a', { principal: fewer }],
        ['a', { principal: bob }],
        ['a'],
        ['a', { principal: ann }],
      ]),
    ).toEqual(['a 1', 'a 1', 'a 2', 'a 3', 'a 4', 'a 1'])
  })

  test('is who sees the world through the same services and secrets', async () => {
    const cached = cache(counting(), { ttl: '1m' })
    const db = { tenant: 1 }
    const secrets = { get: () => 'x' }
    expect(
      await texts(cached, [
        ['a', { services: { db } }],
        ['a', { services: { db } }],
        ['a', { services: { db: { tenant: 1 } } }],
        ['a', { services: { db }, secrets }],
        ['a', { services: { db }, secrets }],
      ]),
    ).toEqual(['a 1', 'a 1', 'a 2', 'a 3', 'a 3'])
  })

  test('is asked for the permissions of the tool, with a kept result as without', async () => {
    const cached = cache(counting({ permissions: ['read'] }), { ttl: '1m', key: () => 'all' })
    const given = await texts(cached, [
      ['a', { principal: ann }],
      ['a', { principal: ann }],
      ['a', { principal: { id: 'ann', permissions: [] } }],
    ])
    expect(given).toEqual(['a 1', 'a 1', expect.stringContaining('needs the permission read')])
  })

  test('is judged by the policy of each call: what it denies is not given from the store', async () => {
    const cached = cache(counting(), { ttl: '1m' })
    const seen: unknown[] = []
    const policy = ({ tool: name, input, path }: { tool: string; input: unknown; path: string }) => {
      seen.push([name, input, path])
      return { deny: 'not today' }
    }
    expect(await texts(cached, [['a'], ['a', { policy }], ['a']])).toEqual(['a 1', "Error: Policy denies tool 'look': not today", 'a 1'])
    expect(seen).toEqual([['look', 'a', 'look/kept']])
  })

  test('waits for a person where the policy wants one', async () => {
    const cached = cache(counting(), { ttl: '1m' })
    const policy = () => 'require_approval' as const
    const reject = recordingReview({ action: 'reject' })
    const edit = recordingReview({ action: 'edit', input: 'b' }, { action: 'continue' })
    const approve = recordingReview()
    expect(
      await texts(cached, [
        ['a'],
        ['a', { policy, review: reject }],
        ['a', { policy, review: approve }],
        ['a', { policy, review: edit }],
        ['a'],
      ]),
    ).toEqual(['a 1', 'Error: Rejected by reviewer: a', 'a 1', 'b 2', 'a 1'])
    expect([reject.requests.length, approve.requests.length, edit.requests.length]).toEqual([1, 1, 2])
  })

  test('waits for the person who stands before the tool, every time [T14]', async () => {
    const review = recordingReview()
    const gated = cache(gate(counting()), { ttl: '1m' })
    expect(
      await texts(gated, [
        ['a', { review }],
        ['a', { review }],
      ]),
    ).toEqual(['a 1', 'a 1'])
    expect(review.requests.map(({ path }) => path)).toEqual(['look/fresh:approval', 'look/kept:approval'])
    expect(await texts(gated, [['b', { review: recordingReview({ action: 'reject' }) }]])).toEqual(['Error: Rejected by reviewer: b'])
  })
})

describe('a cache refuses', () => {
  const expected = (code: string) => expect.objectContaining({ code })

  test('a tool that changes something, unless it is told otherwise [C4]', async () => {
    expect(() => cache(counting({ effect: 'write' }), { ttl: 1 })).toThrow(expected('invalid_definition'))
    expect(() => cache(tool({ name: 'x', description: 'd', execute: () => 1 }), { ttl: 1 })).toThrow(/effect 'irreversible'/)
    expect(await texts(cache(counting({ effect: 'write' }), { ttl: '1m', anyEffect: true }), [['a'], ['a']])).toEqual(['a 1', 'a 1'])
  })

  test('a tool with a person deeper inside, who would be gone around', () => {
    const gated = gate(counting())
    const around = compound({
      name: 'around',
      description: 'd',
      parts: { gated },
      run: (text, context) => context.call('gated', gated, text),
    })
    expect(() => cache(around, { ttl: 1 })).toThrow(/Tool 'look' inside 'around' needs an approval/)
    expect(() => cache(gate(gated), { ttl: 1 })).toThrow(expected('invalid_definition'))
    expect(() => cache(gate(cache(counting(), { ttl: 1 })), { ttl: 1 })).not.toThrow()
  })

  test.each([{ ttl: 0 }, { ttl: -1 }, { ttl: 'soon' as never }, { ttl: 1, maxEntries: 0 }, { ttl: 1, maxEntries: 1.5 }])(
    'the options %j',
    (options) => {
      expect(() => cache(counting(), options)).toThrow(expected('invalid_option'))
    },
  )
})

describe('a recorded call through a cache', () => {
  test('records what it found, so that a replay does not depend on what is kept by then', async () => {
    const clock = fakeClock()
    const cached = cache(counting(), { ttl: 100 })
    await cached.call('a', { clock })
    const journal = memoryJournal()
    const hit = await cached.call('a', { clock, journal })
    expect(journal.entries.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['decision look/cache.kept'])
    await clock.advance(1000)
    const again = await cached.call('a', { clock, journal: memoryJournal(journal.entries) })
    expect([hit.text, again.text]).toEqual(['a 1', 'a 1'])
    expect(again.provenance).toEqual(hit.provenance)
    expect((await cached.call('a', { clock })).text).toBe('a 2')
  })

  test('that found nothing asks nobody again in a replay, and what the record gives is not kept as new', async () => {
    const clock = fakeClock()
    const look = counting()
    const journal = memoryJournal()
    await cache(look, { ttl: 100 }).call('a', { clock, journal })
    expect(journal.entries.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'decision look/cache.kept',
      'call look/fresh',
      'call look/fresh',
    ])
    const other = cache(look, { ttl: 100 })
    expect((await other.call('a', { clock, journal: memoryJournal(journal.entries) })).text).toBe('a 1')
    expect((await other.call('a', { clock })).text).toBe('a 2')
  })
})
