import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { compound } from '../compound.ts'
import { isConfigurationError } from '../errors/configuration-error.ts'
import { environmentSecrets } from '../secrets/secrets.ts'
import { service } from '../service.ts'
import { tool } from '../tool.ts'

const echo = tool({ name: 'echo', description: 'Says it again.', effect: 'read', execute: (input) => input })

describe('what is fatal', () => {
  const gated = tool({ name: 'pay', description: 'Pays.', requireApproval: true, execute: () => 'paid' })
  const swallowing = compound({
    name: 'swallow',
    description: 'Catches everything.',
    parts: { gated },
    run: (input, context) => context.call('pay', gated, input).catch(() => 'all is well'),
  })
  const outer = compound({
    name: 'outer',
    description: 'Around.',
    parts: { swallowing },
    run: async (input, context) => (await context.call('in', swallowing, input)).text,
  })

  test('a missing reviewer passes through every layer, even through one that catches it [T7] [T14]', async () => {
    await expect(outer.call('x')).rejects.toThrow("Tool 'pay' requires approval but no ReviewHandler is configured. Pass one as 'review'.")
    await expect(gate(outer, { approval: false }).call('x')).rejects.toSatisfy(isConfigurationError)
  })

  test('a reviewer who stops the run passes through every layer [T7] [T14]', async () => {
    await expect(outer.call('x', { review: recordingReview({ action: 'stop', reason: 'enough' }) })).rejects.toMatchObject({
      name: 'ExitEarly',
      code: 'exit_early',
      tool: 'pay',
      message: "A reviewer stopped the run at 'pay': enough",
    })
  })

  test('is told to listeners as an error of every call on the way, once each [T12]', async () => {
    const recorder = recordEvents()
    await expect(outer.call('x', { on: recorder })).rejects.toThrow('requires approval')
    const ends = recorder.events.filter((event) => event.type === 'call.finished')
    expect(ends.map(({ call, outcome, fatal }) => [call.tool, outcome, fatal])).toEqual([
      ['pay', 'error', true],
      ['swallow', 'error', true],
      ['outer', 'error', true],
    ])
  })
})

describe('services and secrets', () => {
  interface Book {
    readonly find: (id: string) => string
  }
  const find = tool({
    name: 'find',
    description: 'Finds.',
    effect: 'read',
    services: { book: service<Book>() },
    execute: (id, { services }) => services.book.find(id),
  })

  test('reach the tool through the context [T9]', async () => {
    expect(await find.call('7', { services: { book: { find: (id: string) => `order ${id}` } } })).toMatchObject({ value: 'order 7' })
  })

  test('a service that is missing, or is not what the tool needs, is a configuration error before it runs', async () => {
    await expect(find.call('7')).rejects.toMatchObject({ code: 'missing_service', message: expect.stringContaining("'book'") })
    const strict = tool({
      name: 'strict',
      description: 'd',
      services: {
        book: service<Book>({ check: (value): value is Book => typeof value === 'object' && value !== null && 'find' in value }),
      },
      execute: () => 1,
    })
    await expect(strict.call('', { services: { book: {} } })).rejects.toMatchObject({ code: 'missing_service' })
  })

  const login = tool({
    name: 'login',
    description: 'Logs in.',
    execute: async (_input, { secret }) => `logged in with ${await secret('API_KEY')}`,
  })

  test('a secret comes from the provider, and is masked in what listeners see but not in the result', async () => {
    const recorder = recordEvents()
    const result = await login.call('x', { secrets: environmentSecrets(['API_KEY'], { API_KEY: 'hunter2hunter2' }), on: recorder })
    expect(result).toMatchObject({ value: 'logged in with hunter2hunter2' })
    const [end] = recorder.events.filter((event) => event.type === 'call.finished')
    expect(end?.text).toBe('logged in with ••••••')
    expect(JSON.stringify([end?.call.output, end?.call.input])).not.toContain('hunter2')
  })

  test('a secret that is not on the list or not set fails the call; no provider is a configuration error', async () => {
    expect(await login.call('x', { secrets: environmentSecrets(['OTHER'], { API_KEY: 'k' }) })).toMatchObject({
      error: { code: 'access_denied', message: expect.stringContaining('API_KEY') },
    })
    expect(await login.call('x', { secrets: environmentSecrets(['API_KEY'], {}) })).toMatchObject({ error: { code: 'access_denied' } })
    await expect(login.call('x')).rejects.toMatchObject({ code: 'missing_secrets' })
  })
})

describe('progress and usage', () => {
  test('an async generator reports what it yields and gives what it returns', async () => {
    const count = tool({
      name: 'count',
      description: 'Counts.',
      async *execute() {
        yield 'one'
        yield { message: 'two', progress: 2, total: 3 }
        return 'three'
      },
    })
    const recorder = recordEvents()
    expect(await count.call('x', { on: recorder })).toMatchObject({ value: 'three' })
    expect(recorder.events.filter((event) => event.type === 'call.progressed')).toMatchObject([
      { message: 'one' },
      { message: 'two', progress: 2, total: 3 },
    ])
  })

  test('a generator that is not async does so too; a plain iterator is a value', async () => {
    const count = tool({
      name: 'count',
      description: 'Counts.',
      outputSchema: z.object({ three: z.number() }),
      *execute() {
        yield 'one'
        yield { message: 'two', progress: 2, total: 3 }
        return { three: 3 }
      },
    })
    const recorder = recordEvents()
    expect(await count.call('x', { on: recorder })).toMatchObject({ value: { three: 3 } })
    expect(recorder.events.filter((event) => event.type === 'call.progressed')).toMatchObject([{ message: 'one' }, { message: 'two' }])
    const failing = tool({
      name: 'failing',
      description: 'Fails.',
      *execute() {
        yield 'one'
        throw new Error('no more')
      },
    })
    expect(await failing.call('x')).toMatchObject({ ok: false, error: { message: 'no more' } })
    const letters = ['a', 'b'].values()
    const listed = await tool({ name: 'list', description: 'Lists.', execute: () => letters }).call('x')
    expect(listed.ok && listed.value === letters).toBe(true)
  })

  test('a generator is closed when its call is cut off', async () => {
    const clock = fakeClock()
    let closed = false
    const endless = tool({
      name: 'endless',
      description: 'Never ends.',
      async *execute(_input, { sleep }) {
        try {
          for (;;) {
            await sleep(1000)
            yield 'still here'
          }
        } finally {
          closed = true
        }
      },
    })
    const result = await clock.until(endless.call('x', { clock, deadline: '3500ms' }))
    expect(result).toMatchObject({ error: { code: 'deadline_exceeded' } })
    await settled()
    expect(closed).toBe(true)
  })

  test('usage adds up over the calls inside [T9]', async () => {
    const ask = tool({ name: 'ask', description: 'Asks.', execute: (_input, { usage }) => usage({ tokens: 10, costUsd: 0.5 }) })
    const twice = compound({
      name: 'twice',
      description: 'Twice.',
      parts: { ask },
      run: async (input, context) => {
        await context.call('ask', ask, input)
        await context.call('ask', ask, input)
        context.usage({ tokens: 1 })
      },
    })
    const result = await twice.call('x')
    expect(result.usage).toEqual({ tokens: 21, costUsd: 1 })
    expect(result.steps?.map((step) => step.result.usage)).toEqual([
      { tokens: 10, costUsd: 0.5 },
      { tokens: 10, costUsd: 0.5 },
    ])
  })
})

describe('the context', () => {
  test('carries what the caller gave, and every member may be destructured [T9]', async () => {
    const model = { generate: async () => ({ text: 'hi' }) }
    const written: string[] = []
    const log = { trace() {}, debug() {}, info() {}, warn: (_fields: object, message: string) => void written.push(message), error() {} }
    let seen: object = {}
    const look = tool({
      name: 'look',
      description: 'Looks.',
      execute: async (
        _input,
        {
          signal,
          principal,
          agent,
          task,
          session,
          model: m,
          tokenBudget,
          path,
          traceId,
          call,
          decide,
          ids,
          random,
          log: l,
          deadline,
          remainingMs,
          clock: c,
        },
      ) => {
        l.warn({}, 'told')
        const inner = await call('echo', echo, await decide('what', () => 'inner'))
        seen = {
          aborted: signal.aborted,
          principal,
          agent,
          task,
          session,
          m,
          tokenBudget,
          path,
          traceId,
          inner: inner.text,
          id: ids(),
          random: random(),
          written,
          remainingMs,
          left: deadline - c.now(),
        }
      },
    })
    const principal = { id: 'ada', permissions: [] }
    const clock = fakeClock()
    await look.call('x', {
      principal,
      agent: 'a',
      task: 't',
      session: 's',
      model,
      tokenBudget: 99,
      traceId: 'trace',
      ids: () => 'fixed',
      random: () => 0.5,
      log,
      clock,
      deadline: '2s',
    })
    expect(seen).toEqual({
      aborted: false,
      principal,
      agent: 'a',
      task: 't',
      session: 's',
      m: model,
      tokenBudget: 99,
      path: 'look',
      traceId: 'trace',
      inner: 'inner',
      id: 'fixed',
      random: 0.5,
      written: ['told'],
      remainingMs: 2000,
      left: 2000,
    })
  })

  test('mints no id and reads no clock for a call that nobody asks about [T9]', async () => {
    let ids = 0
    const base = fakeClock()
    let reads = 0
    const clock = { ...base, tick: () => (reads++, base.tick()), soon: () => {} }
    await echo.call('x', { ids: () => `${++ids}`, clock })
    expect({ ids, reads }).toEqual({ ids: 0, reads: 0 })
  })

  test('two concurrent calls of one tool never mix reviewers, deadlines, principals or listeners [T9]', async () => {
    const clocks = [fakeClock(), fakeClock()] as const
    const shared = compound({
      name: 'shared',
      description: 'Shared.',
      parts: {
        inner: gate(
          tool({
            name: 'inner',
            description: 'Inner.',
            execute: async (input, context) => {
              await context.sleep(10)
              return `${input} ${context.principal?.id} ${context.remainingMs}`
            },
          }),
        ),
      },
      run: (input, context, { inner }) => context.call('inner', inner, input),
    })
    const recorders = [recordEvents(), recordEvents()] as const
    const reviews = [recordingReview(), recordingReview({ action: 'edit', input: 'edited' })] as const
    const [a, b] = await Promise.all(
      ([0, 1] as const).map((n) =>
        clocks[n].until(
          shared.call(`input${n}`, {
            clock: clocks[n],
            deadline: (n + 1) * 1000,
            principal: { id: `caller${n}`, permissions: [] },
            review: reviews[n],
            on: recorders[n],
            agent: `agent${n}`,
          }),
        ),
      ),
    )
    expect(a?.text).toBe('input0 caller0 990')
    expect(b?.text).toBe('edited caller1 1990')
    for (const n of [0, 1] as const) {
      expect(reviews[n].requests.map((request) => request.caller)).toEqual([{ principal: `caller${n}`, agent: `agent${n}` }])
      expect(new Set(recorders[n].events.map(({ call }) => call.agent))).toEqual(new Set([`agent${n}`]))
      expect(new Set(recorders[n].events.map(({ call }) => call.traceId)).size).toBe(1)
    }
  })
})

describe('a plain tool that calls others', () => {
  test('is one step: its calls are traced under it, not listed in its result [T9]', async () => {
    const outer = tool({ name: 'outer', description: 'd', execute: async (input, { call }) => (await call('echo', echo, input)).text })
    const recorder = recordEvents()
    const result = await outer.call('x', { on: recorder })
    expect(result.steps).toBeUndefined()
    expect(recorder.summary()).toEqual(['call.started outer', 'call.started outer/echo', 'call.finished outer/echo', 'call.finished outer'])
    const [, inner] = recorder.events
    expect(inner?.call.parentId).toBe(recorder.events[0]?.call.invocationId)
  })
})

describe('overrides', () => {
  const deep = compound({ name: 'deep', description: 'Deep.', parts: { echo }, run: (input, context) => context.call('e', echo, input) })

  test('stand in for leaves by name, wherever they are, and for nothing else', async () => {
    expect(await deep.call('x', { overrides: { echo: (input: string) => `fake ${input}` } })).toMatchObject({ value: 'fake x' })
    await expect(deep.call('x', { overrides: { deep: () => 'never' } })).rejects.toMatchObject({ code: 'invalid_option' })
    expect(await deep.call('x', { overrides: { echo: tool({ name: 'other', description: 'd', execute: () => 'other' }) } })).toMatchObject({
      value: 'other',
    })
    await expect(deep.call('x', { overrides: { toString: () => 'never' } })).rejects.toMatchObject({ code: 'invalid_option' })
  })

  test('keep the schema and the approval of the tool they stand in for', async () => {
    const pay = tool({
      name: 'pay',
      description: 'd',
      inputSchema: z.object({ n: z.number() }),
      requireApproval: true,
      execute: () => 'real',
    })
    await expect(pay.call({ n: 1 }, { overrides: { pay: () => 'fake' } })).rejects.toMatchObject({ code: 'missing_review_handler' })
    expect(await pay.call({} as never, { overrides: { pay: () => 'fake' } })).toMatchObject({ error: { code: 'invalid_input' } })
  })
})
