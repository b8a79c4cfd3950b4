import { describe, expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { compound } from '../compound.ts'
import { tool } from '../tool.ts'

const deaf = tool({ name: 'deaf', description: 'Ignores its signal.', effect: 'write', execute: () => new Promise<string>(() => {}) })
const nap = tool({
  name: 'nap',
  description: 'Sleeps for a while.',
  effect: 'read',
  execute: async (ms, { sleep }) => (await sleep(Number(ms)), `slept ${ms}`),
})

describe('a deadline', () => {
  test.each([
    ['a duration', '5s' as const, 5000],
    ['milliseconds', 250, 250],
    ['a date', new Date(1_700_000_002_000), 2000],
  ])('given as %s returns control from a tool that ignores its signal, with outcome unknown [T9]', async (_what, deadline, ms) => {
    const clock = fakeClock()
    let result: unknown
    void deaf.call('x', { clock, deadline }).then((value) => (result = value))
    await clock.advance(ms - 1)
    expect(result).toBeUndefined()
    await clock.advance(1)
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'deadline_exceeded',
        class: 'deadline',
        outcome: 'unknown',
        retryable: false,
        message: expect.stringContaining("'deaf'"),
      },
    })
  })

  test('is the caller’s, else the tool’s, else 60 seconds [T9]', async () => {
    const own = tool({ name: 'own', description: 'd', deadline: '2s', execute: (_input, { remainingMs }) => remainingMs })
    const clock = fakeClock()
    expect((await own.call('x', { clock, deadline: 500 })).text).toBe('500')
    expect((await own.call('x', { clock })).text).toBe('2000')
    const none = tool({ name: 'none', description: 'd', execute: (_input, { remainingMs }) => remainingMs })
    expect((await none.call('x', { clock })).text).toBe('60000')
  })

  test.each([['nonsense' as never], [-1], [Number.NaN], [new Date(Number.NaN)]])(
    'that cannot be read (%s) is a configuration error',
    async (deadline) => {
      await expect(deaf.call('x', { deadline })).rejects.toMatchObject({ code: 'invalid_option' })
    },
  )

  test('what a tool does after it cannot touch the result [T9]', async () => {
    const clock = fakeClock()
    let finish: (value: string) => void = () => {}
    const late = tool({ name: 'late', description: 'd', execute: () => new Promise<string>((resolve) => (finish = resolve)) })
    const recorder = recordEvents()
    const running = late.call('x', { clock, deadline: 100, on: recorder })
    const result = await clock.until(running)
    finish('too late')
    await settled()
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    expect(recorder.events.filter((event) => event.type === 'call.finished').length).toBe(1)
  })

  test('a late rejection is not an unhandled one', async () => {
    const clock = fakeClock()
    let fail: (error: Error) => void = () => {}
    const late = tool({ name: 'late', description: 'd', execute: () => new Promise<string>((_resolve, reject) => (fail = reject)) })
    const unhandled: unknown[] = []
    const watch = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', watch)
    await clock.until(late.call('x', { clock, deadline: 100 }))
    fail(new Error('too late'))
    await settled()
    process.off('unhandledRejection', watch)
    expect(unhandled).toEqual([])
  })

  test('of a child never outlives that of its parent, and may be shorter [T9]', async () => {
    const clock = fakeClock()
    const look = tool({ name: 'look', description: 'd', deadline: '30s', execute: (_input, { remainingMs }) => remainingMs })
    const outer = compound({
      name: 'outer',
      description: 'd',
      parts: { look },
      run: async (input, context) => {
        const own = await context.call('own', look, input)
        const shorter = await context.call('shorter', look, input, { deadline: 100 })
        const longer = await context.call('longer', look, input, { deadline: '5m' })
        return [own, shorter, longer].map((each) => each.text)
      },
    })
    expect(await outer.call('x', { clock, deadline: '10s' })).toMatchObject({ value: ['10000', '100', '10000'] })
  })

  test('stands still while a person is waited for, in the call and in those around it [T14]', async () => {
    const clock = fakeClock()
    const gated = gate(nap)
    const outer = compound({
      name: 'outer',
      description: 'd',
      parts: { gated },
      run: (input, context) => context.call('nap', gated, input),
    })
    let approve: () => void = () => {}
    const review = { review: () => new Promise<{ action: 'continue' }>((resolve) => (approve = () => resolve({ action: 'continue' }))) }
    let result: unknown
    void outer.call('900', { clock, deadline: '1s', review }).then((value) => (result = value))
    await clock.advance(3_600_000)
    expect(result).toBeUndefined()
    approve()
    await clock.advance(900)
    expect(result).toMatchObject({ ok: true, text: 'slept 900' })
  })

  test('stands still in every scope around, also where the part has a deadline of its own [T14]', async () => {
    const clock = fakeClock()
    const gated = gate(nap)
    const outer = compound({
      name: 'outer',
      description: 'd',
      parts: { gated, nap },
      run: async (_input, context) => {
        const first = await context.call('gated', gated, '100', { deadline: '500ms' })
        const second = await context.call('nap', nap, '800')
        return [first.text, second.text]
      },
    })
    let approve: () => void = () => {}
    const review = { review: () => new Promise<{ action: 'continue' }>((resolve) => (approve = () => resolve({ action: 'continue' }))) }
    let result: unknown
    void outer.call('x', { clock, deadline: '1s', review }).then((value) => (result = value))
    await clock.advance(3_600_000)
    approve()
    await clock.advance(900)
    expect(result).toMatchObject({ ok: true, value: ['slept 100', 'slept 800'] })
  })

  test('of the caller runs again once the person has answered [T14]', async () => {
    const clock = fakeClock()
    const gated = gate(nap)
    const outer = compound({
      name: 'outer',
      description: 'd',
      parts: { gated, nap },
      run: async (_input, context) => {
        await context.call('gated', gated, '100', { deadline: '500ms' })
        return context.call('nap', nap, '5000')
      },
    })
    const result = await clock.until(outer.call('x', { clock, deadline: '1s', review: { review: () => ({ action: 'continue' }) } }))
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
  })

  test('goes on after the wait: what is left is what was left before', async () => {
    const clock = fakeClock()
    const gated = gate(nap)
    const outer = compound({
      name: 'outer',
      description: 'd',
      parts: { gated },
      run: (input, context) => context.call('nap', gated, input, { deadline: '10s' }),
    })
    const review = {
      review: async (_request: unknown, wait: { clock: { timer: (ms: number, done: () => void) => unknown } }) => (
        await new Promise<void>((done) => wait.clock.timer(60_000, done)),
        { action: 'continue' as const }
      ),
    }
    const started = clock.now()
    expect(await clock.until(outer.call('5000', { clock, deadline: '1s', review }))).toMatchObject({ error: { code: 'deadline_exceeded' } })
    expect(clock.now() - started).toBe(61_000)
  })

  test('leaves no timer behind, and takes none while nothing is pending [T9]', async () => {
    const clock = fakeClock()
    await tool({ name: 'a', description: 'd', execute: (_input) => (expect(clock.pending()).toBe(0), 'sync') }).call('x', { clock })
    const running = Array.from({ length: 100 }, (_, index) => nap.call('50', { clock, deadline: 1000 + index }))
    await settled()
    expect(clock.pending()).toBe(101)
    await clock.until(Promise.all(running))
    expect(clock.pending()).toBe(0)
  })

  test('aborts the signal that a tool has read, with a reason, and never one of a call that ended well', async () => {
    const clock = fakeClock()
    const signals: AbortSignal[] = []
    const polite = tool({
      name: 'polite',
      description: 'd',
      execute: (ms, { signal, sleep }) => {
        signals.push(signal)
        return sleep(Number(ms))
      },
    })
    await clock.until(polite.call('10', { clock, deadline: 100 }))
    await clock.advance(1000)
    await clock.until(polite.call('1000', { clock, deadline: 100 }))
    expect(signals.map((signal) => signal.aborted)).toEqual([false, true])
    expect(signals[1]?.reason).toMatchObject({ name: 'TimeoutError' })
  })
})

describe('cancellation', () => {
  test('by the caller returns control, aborts running leaves and starts no more [T9]', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    const started: string[] = []
    const leaf = tool({
      name: 'leaf',
      description: 'd',
      execute: async (input, { sleep }) => {
        started.push(input)
        await sleep(1000)
        return input
      },
    })
    const steps = compound({
      name: 'steps',
      description: 'd',
      parts: { leaf },
      run: async (_input, context) => {
        const first = await context.call('one', leaf, 'one')
        const second = await context.call('two', leaf, 'two')
        return `${first.ok} ${second.ok ? '' : second.error.outcome}`
      },
    })
    const running = steps.call('x', { clock, signal: controller.signal })
    await clock.advance(500)
    controller.abort(new Error('the user left'))
    const result = await running
    expect(started).toEqual(['one'])
    expect(result).toMatchObject({ ok: true, value: 'false not_started' })
    expect(result.steps?.map((step) => (step.result.ok ? 'ok' : `${step.result.error.code} ${step.result.error.outcome}`))).toEqual([
      'cancelled unknown',
      'cancelled not_started',
    ])
    expect(clock.pending()).toBe(0)
  })

  test('reaches parts that have a deadline of their own', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    const outer = compound({
      name: 'outer',
      description: 'd',
      parts: { nap },
      run: (input, context) => context.call('nap', nap, input, { deadline: '30s' }),
    })
    const running = outer.call('20000', { clock, signal: controller.signal })
    await clock.advance(10)
    controller.abort()
    expect(await running).toMatchObject({ error: { code: 'cancelled' } })
    expect(clock.pending()).toBe(0)
  })

  test('while the policy is still thinking keeps the tool from starting', async () => {
    const controller = new AbortController()
    let ran = false
    const running = tool({ name: 'a', description: 'd', execute: () => (ran = true) }).call('x', {
      signal: controller.signal,
      policy: async () => {
        controller.abort()
        await settled()
        return 'allow' as const
      },
    })
    expect(await running).toMatchObject({ error: { code: 'cancelled', outcome: 'not_started' } })
    expect(ran).toBe(false)
  })

  test('before the call keeps the tool from starting', async () => {
    let ran = false
    const result = await tool({ name: 'a', description: 'd', execute: () => (ran = true) }).call('x', { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled', class: 'cancelled', outcome: 'not_started' } })
    expect(ran).toBe(false)
  })

  test('of one part leaves the others alone', async () => {
    const clock = fakeClock()
    const race = compound({
      name: 'race',
      description: 'd',
      parts: { nap },
      run: async (_input, context) => {
        const loser = new AbortController()
        const slow = context.call('slow', nap, '5000', { signal: loser.signal })
        const fast = await context.call('fast', nap, '10')
        loser.abort()
        return [fast.text, (await slow).text]
      },
    })
    expect(await clock.until(race.call('x', { clock }))).toMatchObject({ value: ['slept 10', expect.stringContaining('cancelled')] })
  })

  test('withdraws an open request to a person, and the tool does not run [T15]', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    let withdrawn = false
    const review = {
      review: (_request: unknown, { signal }: { signal: AbortSignal }) => (
        signal.addEventListener('abort', () => (withdrawn = true)),
        new Promise<never>(() => {})
      ),
    }
    const recorder = recordEvents()
    const running = gate(nap).call('1', { clock, review, signal: controller.signal, on: recorder })
    await settled()
    controller.abort()
    expect(await running).toMatchObject({ error: { code: 'cancelled', outcome: 'not_started' } })
    expect(withdrawn).toBe(true)
    expect(recorder.events.find((event) => event.type === 'review.decided')).toMatchObject({ action: 'withdraw' })
  })

  test('lets a compound see its parts fail and say what it has', async () => {
    const clock = fakeClock()
    const tidy = compound({
      name: 'tidy',
      description: 'd',
      parts: { deaf },
      run: async (input, context) => {
        const result = await context.call('deaf', deaf, input)
        return `cleaned up after ${result.ok ? 'nothing' : result.error.code}`
      },
    })
    expect(await clock.until(tidy.call('x', { clock, deadline: 100 }))).toMatchObject({
      ok: true,
      value: 'cleaned up after deadline_exceeded',
    })
  })

  test('lets go of a compound that waits for something outside the seam for ever', async () => {
    const clock = fakeClock()
    const stuck = compound({ name: 'stuck', description: 'd', parts: {}, run: () => new Promise<string>(() => {}) })
    expect(await clock.until(stuck.call('x', { clock, deadline: 100 }))).toMatchObject({
      ok: false,
      error: { code: 'deadline_exceeded', outcome: 'unknown' },
    })
  })

  test('ten thousand aborted calls leave no listener on the caller’s signal and no timer', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    let listening = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...given: Parameters<typeof add>) => (listening++, add(...given))
    signal.removeEventListener = (...given: Parameters<typeof remove>) => (listening--, remove(...given))
    const running = Array.from({ length: 10_000 }, () => deaf.call('x', { clock, signal }))
    controller.abort()
    const results = await Promise.all(running)
    expect(results.every((result) => !result.ok && result.error.code === 'cancelled')).toBe(true)
    expect(listening).toBe(0)
    expect(clock.pending()).toBe(0)
  })
})

test('a signal that is none is a mistake in the program, for a part as for a whole', async () => {
  const wrong = { signal: {} as AbortSignal }
  const whole = compound({ name: 'whole', description: 'd', parts: { nap }, run: (input, { call }) => call('nap', nap, input, wrong) })
  for (const calling of [nap.call('1', wrong), whole.call('1')])
    await expect(calling).rejects.toMatchObject({ code: 'invalid_option', message: expect.stringContaining('AbortSignal') })
})
