import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { saga } from '../combinators/saga/saga.ts'
import { fakeClock, settled } from '../testing/fake-clock.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { compound } from '../tool/compound.ts'
import { isExitEarly } from '../tool/errors/exit-early.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { memoryJournal } from '../tool/journal/journal.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { tool } from '../tool/tool.ts'
import { createRuntime } from './create-runtime.ts'
import { durable } from './durable.ts'
import { runStatus } from './run-status.ts'

const ada = { principal: { id: 'ada', permissions: [] }, session: 'chat-1' }

function desk() {
  const paid: number[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ amount: z.number(), card: z.string().meta({ format: 'password' }).optional() }),
    outputSchema: z.object({ paid: z.number() }),
    effect: 'write',
    execute: ({ amount }) => (paid.push(amount), { paid: amount }),
  })
  const careful = gate(pay, { approval: ({ amount }) => amount > 100, why: ({ amount }) => `${amount} is much.` })
  return { paid, pay, careful }
}

function pendingOf(result: ToolResult) {
  return result.ok ? undefined : result.error.pending
}

describe('a durable tool', () => {
  test('has name, schemas, effect and result of the tool, and the call is a run', async () => {
    const { careful, paid } = desk()
    const runtime = createRuntime({ tools: [careful], database: memoryRuns() })
    const made = durable(careful, runtime)
    expect(made).toMatchObject({ name: 'pay', version: careful.version, effect: 'write', description: 'Pays.' })
    expect(made.specification).toEqual(careful.specification)
    expect(await made.call({ amount: 7 }, ada)).toMatchObject({ ok: true, value: { paid: 7 }, text: '{"paid":7}' })
    expect(paid).toEqual([7])
    expect(await (await runtime.runs()).list()).toMatchObject([{ tool: 'pay', status: 'completed' }])
    await runtime.close()
  })

  test('gives a receipt when a person is needed, and the run goes on when they have decided', async () => {
    const { careful, paid } = desk()
    const runtime = createRuntime({ tools: [careful], database: memoryRuns() })
    const made = durable(careful, runtime)
    const result = await made.call({ amount: 250, card: '4000 1234 5678 9010' }, ada)
    const pending = pendingOf(result)
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'approval_pending', outcome: 'unknown', retryable: false, pending: { tool: 'pay', waitsFor: 'person' } },
    })
    const [request] = pending?.requests ?? []
    expect(request).toMatchObject({ kind: 'approval', tool: 'pay', why: '250 is much.', command: `npx toolwright approve ${request?.id}` })
    expect(result.ok ? '' : `${result.text} ${result.error.hint}`).toBe(
      `Error: 'pay' waits for a person to decide, as run ${pending?.run}. pay: 250 is much. Do not call 'pay' again. ` +
        `Ask 'run_status' with {"run":"${pending?.run}"} later: it gives the result. It goes on by itself when they have decided, ` +
        `in the inbox or with: npx toolwright approve ${request?.id}`,
    )
    expect(JSON.stringify(result)).not.toContain('4000')
    const status = runStatus(runtime)
    const asked = { run: pending?.run ?? '' }
    expect((await status.call(asked, ada)).text).toContain('waits for a person')
    await runtime.inbox.approve(request?.id ?? '', 'bob')
    expect(await status.call({ ...asked, wait: 5 }, ada)).toMatchObject({
      ok: true,
      text: '{"paid":250}',
      value: { status: 'completed', tool: 'pay', value: { paid: 250 } },
    })
    expect(paid).toEqual([250])
    await runtime.close()
  })

  test('gives the receipt of the open run to an equal call of the same caller, and a new run after its end', async () => {
    const { careful, paid } = desk()
    const runtime = createRuntime({ tools: [careful], database: memoryRuns() })
    const made = durable(careful, runtime)
    const runOf = async (options: object, amount = 200) => pendingOf(await made.call({ amount }, options))?.run
    const first = await runOf(ada)
    expect(await runOf(ada)).toBe(first)
    expect(await runOf(ada, 201)).not.toBe(first)
    expect(await runOf({ ...ada, session: 'chat-2' })).not.toBe(first)
    const [nobody, nobodyAgain] = [await runOf({}), await runOf({})]
    expect(nobody).not.toBe(nobodyAgain)
    const [item] = await runtime.inbox.list({ run: first })
    await runtime.inbox.approve(item?.request.id ?? '')
    await (await runtime.run(first ?? '')).result()
    expect(await runOf(ada)).not.toBe(first)
    expect(paid).toEqual([200])
    await runtime.close()
  })

  test('is called twice by two equal calls beside each other', async () => {
    const { pay, paid } = desk()
    const runtime = createRuntime({ tools: [pay], database: memoryRuns() })
    const made = durable(pay, runtime)
    await Promise.all([made.call({ amount: 5 }, ada), made.call({ amount: 5 }, ada)])
    expect(paid).toEqual([5, 5])
    await runtime.close()
  })

  test('is begun once by two processes that are called at the same time', async () => {
    const { careful } = desk()
    const database = memoryRuns()
    const [one, two] = [createRuntime({ tools: [careful], database }), createRuntime({ tools: [careful], database })]
    const [first, second] = await Promise.all([one, two].map((runtime) => durable(careful, runtime).call({ amount: 200 }, ada)))
    expect(first?.ok === false && second?.ok === false && first.error.pending?.run === second.error.pending?.run).toBe(true)
    expect(await one.inbox.list()).toHaveLength(1)
    await Promise.all([one.close(), two.close()])
  })

  test('must be one of the runtime', async () => {
    const { careful, pay } = desk()
    const runtime = createRuntime({ tools: [careful], database: memoryRuns() })
    await expect(durable(pay, runtime).call({ amount: 1 }, ada)).rejects.toThrow('another one than the registered tool')
    expect(() => durable(pay, {} as never)).toThrow("The second argument of durable for 'pay' must be a runtime")
    await runtime.close()
  })

  test('refuses an input that does not fit, and starts nothing', async () => {
    const { pay } = desk()
    const runtime = createRuntime({ tools: [pay], database: memoryRuns() })
    expect(await durable(pay, runtime).call({ amount: 'much' as never }, ada)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', outcome: 'not_started' },
    })
    expect(await (await runtime.runs()).list()).toEqual([])
    await runtime.close()
  })

  test('is a part of the record inside a recorded run, and no second run', async () => {
    const { careful, paid } = desk()
    const inner = createRuntime({ tools: [careful], database: memoryRuns() })
    const whole = compound({
      name: 'whole',
      description: 'Pays by a part.',
      parts: { made: durable(careful, inner) },
      run: (amount, context, { made }) => context.call('made', made, { amount: Number(amount) }),
    })
    const outer = createRuntime({ tools: [whole], database: memoryRuns() })
    const run = await outer.start(whole, '300')
    await run.until(({ status }) => status === 'waiting')
    const [item] = await outer.inbox.list()
    expect(item?.request.tool).toBe('pay')
    await outer.inbox.approve(item?.request.id ?? '')
    expect(await run.result()).toMatchObject({ ok: true, value: { paid: 300 } })
    const journal = memoryJournal()
    expect(await whole.call('9', { journal })).toMatchObject({ ok: true })
    expect(paid).toEqual([300, 9])
    expect(await (await inner.runs()).list()).toEqual([])
    expect(await whole.call('8')).toMatchObject({ ok: true })
    expect(await (await inner.runs()).list()).toHaveLength(1)
    await Promise.all([inner.close(), outer.close()])
  })

  test('gives a receipt when the patience is over, and when the run sleeps', async () => {
    const clock = fakeClock()
    const database = memoryRuns({ clock })
    let release = (): void => {}
    const slow = tool({
      name: 'slow',
      description: 'Takes its time.',
      effect: 'write',
      execute: () => new Promise<string>((resolve) => (release = () => resolve('done'))),
    })
    const sleepy = compound({
      name: 'sleepy',
      description: 'Sleeps.',
      parts: {},
      run: async (_input, { sleep }) => (await sleep('3d'), 'awake'),
    })
    const runtime = createRuntime({ tools: [slow, sleepy], database, clock })
    const calling = durable(slow, runtime, { patience: '20s' }).call('go', { ...ada, clock })
    await settled()
    await clock.advance(19_000)
    await clock.advance(2000)
    expect(await calling).toMatchObject({ ok: false, error: { code: 'run_pending', class: 'deadline', pending: { waitsFor: 'work' } } })
    const asleep = await durable(sleepy, runtime, { patience: '20s' }).call('go', { ...ada, clock })
    expect(asleep).toMatchObject({ ok: false, error: { code: 'run_pending', pending: { waitsFor: 'time' } } })
    expect(asleep.text).toContain("'sleepy' sleeps until ")
    release()
    await database.idle()
    expect((await runStatus(runtime).call({ run: pendingOf(await calling)?.run ?? '' }, { ...ada, clock })).text).toBe('done')
    await runtime.close()
  })
})

test('a database that is away after the start gives a receipt: the call must not be repeated', async () => {
  const { careful } = desk()
  const runtime = createRuntime({ tools: [careful], database: memoryRuns() })
  const show = () => Promise.reject(new ToolError('The database went away.', { code: 'store_unavailable', outcome: 'unknown' }))
  const runs = async () => ({ ...(await runtime.runs()), show })
  const result = await durable(careful, { ...runtime, runs }).call({ amount: 200 }, ada)
  const [run] = await (await runtime.runs()).list()
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'run_pending', retryable: false, outcome: 'unknown', pending: { run: run?.id } },
  })
  await runtime.close()
})

test.each(['policy', 'overrides', 'secrets'] as const)('%s that would not reach the run is refused, and nothing runs', async (name) => {
  const { pay, paid } = desk()
  const runtime = createRuntime({ tools: [pay], database: memoryRuns() })
  const given = { policy: () => ({ deny: 'Nobody may pay.' }), overrides: { pay: () => 'fake' }, secrets: () => 'x' }
  const made = durable(pay, runtime)
  await expect(made.call({ amount: 1 }, { ...ada, [name]: given[name] })).rejects.toThrow(`'${name}' of the call would not reach 'pay'`)
  expect(paid).toEqual([])
  await runtime.close()
})

test('a receipt shows no secret of the run, in a reason either', async () => {
  const find = tool({
    name: 'find',
    description: 'd',
    effect: 'read',
    outputSchema: z.object({ word: z.string().meta({ sensitive: true }) }),
    execute: () => ({ word: 'swordfish-blue' }),
  })
  const open = gate(
    tool({ name: 'open', description: 'd', effect: 'write', inputSchema: z.object({ word: z.string() }), execute: () => 'open' }),
    { why: ({ word }) => `Opens with ${word}.` },
  )
  const both = pipe.named({ name: 'both', description: 'd' })(find, open)
  const runtime = createRuntime({ tools: [both], database: memoryRuns() })
  const result = await durable(both, runtime).call('x', ada)
  expect(result.text).toContain('Opens with ••••••.')
  expect(JSON.stringify(result)).not.toContain('swordfish-blue')
  const told = await runStatus(runtime).call({ run: pendingOf(result)?.run ?? '' }, ada)
  expect(JSON.stringify([told, told.text])).not.toContain('swordfish-blue')
  await runtime.close()
})

test('a run that no worker can go on with is told as blocked', async () => {
  const { pay } = desk()
  const other = tool({ name: 'other', description: 'd', effect: 'write', execute: (text) => text })
  const database = memoryRuns()
  const front = createRuntime({ tools: [pay], database, worker: false })
  const worker = createRuntime({ tools: [other], database })
  await worker.runs()
  const result = await durable(pay, front).call({ amount: 1 }, ada)
  expect(pendingOf(result)).toMatchObject({ waitsFor: 'blocked', problem: expect.stringContaining("No worker knows the tool 'pay'") })
  expect(result.text).toContain("'pay' cannot go on at the moment")
  await Promise.all([front.close(), worker.close()])
})

test('nobody decides in time: run_status tells it', async () => {
  const clock = fakeClock()
  const database = memoryRuns({ clock })
  const { pay } = desk()
  const careful = gate(pay, { timeout: '1h' })
  const runtime = createRuntime({ tools: [careful], database, clock })
  const run = pendingOf(await durable(careful, runtime).call({ amount: 1 }, { ...ada, clock }))?.run ?? ''
  await clock.advance(7_200_000)
  await database.idle()
  const told = await runStatus(runtime).call({ run }, { ...ada, clock })
  expect(told).toMatchObject({ ok: true, value: { status: 'failed', error: { code: 'review_timed_out' } } })
  expect(told.text).toContain('Nobody decided in time')
  await runtime.close()
})

test('cancelling the call cancels the run, which undoes what it did', async () => {
  const log: string[] = []
  const note = (name: string) => tool({ name, description: 'Notes.', effect: 'write', execute: (text) => (log.push(name), text) })
  let reached = (): void => {}
  const isReached = new Promise<void>((resolve) => (reached = resolve))
  const hangs = tool({
    name: 'hangs',
    description: 'Waits.',
    effect: 'read',
    execute: (_text, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        reached()
      }),
  })
  const trip = saga({ name: 'trip', description: 'Books.' })
    .step('book', note('book'), { compensate: { with: note('cancel'), class: 'reversible', input: ({ stepInput }) => stepInput } })
    .step('wait', hangs, { input: ({ input }) => input })
    .build()
  const runtime = createRuntime({ tools: [trip], database: memoryRuns() })
  const controller = new AbortController()
  const calling = durable(trip, runtime).call('x', { ...ada, signal: controller.signal })
  await isReached
  controller.abort()
  expect(await calling).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  expect(await (await runtime.runs()).list()).toMatchObject([{ status: 'cancelled' }])
  expect(log).toEqual(['book', 'cancel'])
  await runtime.close()
})

test('a reviewer who stops the run ends the call as in memory', async () => {
  const { careful } = desk()
  const review = { review: () => ({ action: 'stop', reason: 'enough' }) as const }
  const runtime = createRuntime({ tools: [careful], database: memoryRuns(), review })
  const thrown: unknown = await durable(careful, runtime)
    .call({ amount: 500 }, ada)
    .catch((error: unknown) => error)
  expect(isExitEarly(thrown)).toBe(true)
  expect(String(thrown)).toContain('enough')
  await runtime.close()
})

test('a run that no worker has taken up is told as queued', async () => {
  const { pay } = desk()
  const clock = fakeClock()
  const database = memoryRuns({ clock })
  const front = createRuntime({ tools: [pay], database, worker: false, clock })
  const result = await clock.until(durable(pay, front, { patience: '1s' }).call({ amount: 1 }, { ...ada, clock }))
  expect(pendingOf(result)).toMatchObject({ waitsFor: 'worker', requests: [] })
  expect(result.text).toContain("'pay' is queued until a worker takes it up, as run ")
  await front.close()
})

test('a receipt names a step so that a shell takes it as one word', async () => {
  const { pay } = desk()
  const lost = tool({
    name: 'lost',
    description: 'd',
    effect: 'write',
    execute: () => {
      throw new ToolError('No answer.', { code: 'service_unavailable', outcome: 'unknown' })
    },
  })
  const whole = compound({
    name: 'whole',
    description: 'd',
    parts: { lost, pay },
    run: (_input, context, parts) => context.call("it's; rm x", parts.lost, 'x'),
  })
  const runtime = createRuntime({ tools: [whole], database: memoryRuns(), unknownOutcome: 'ask' })
  const pending = pendingOf(await durable(whole, runtime).call('x', ada))
  expect(pending?.requests.map(({ command }) => command)).toEqual([
    `npx toolwright settle ${pending?.run} 'whole/it'\\''s; rm x' --happened '<json>' (or --not-happened)`,
  ])
  await runtime.close()
})

describe('run_status', () => {
  test('with wait tells a new question at once, and waits on while only the known one is open', async () => {
    const clock = fakeClock()
    const database = memoryRuns({ clock })
    const { pay } = desk()
    const step = (name: string) => gate(tool({ name, description: 'd', effect: 'write', execute: (text) => text }))
    const both = pipe.named({ name: 'both', description: 'd' })(step('small'), step('large'))
    const runtime = createRuntime({ tools: [both, pay], database, clock })
    const options = { ...ada, clock }
    const run = pendingOf(await durable(both, runtime).call('x', options))?.run ?? ''
    let isTold = false
    const telling = runStatus(runtime)
      .call({ run, wait: 25 }, options)
      .finally(() => (isTold = true))
    await database.idle()
    await settled()
    expect(isTold).toBe(false)
    const [first] = await runtime.inbox.list()
    await runtime.inbox.approve(first?.request.id ?? '', 'bob')
    // No time passes: only the question can end the waiting.
    expect(await telling).toMatchObject({ value: { status: 'pending', waitsFor: 'person', requests: [{ tool: 'large' }] } })
    const again = runStatus(runtime).call({ run, wait: 25 }, options)
    await settled()
    await clock.advance(25_000)
    expect(await again).toMatchObject({ value: { status: 'pending', requests: [{ tool: 'large' }] } })
    const last = runStatus(runtime).call({ run, wait: 25 }, options)
    await settled()
    const [second] = await runtime.inbox.list()
    await runtime.inbox.approve(second?.request.id ?? '', 'bob')
    expect(await last).toMatchObject({ text: 'x', value: { status: 'completed', value: 'x' } })
    await runtime.close()
  })

  test('knows no run of another principal or session, nor one that was started otherwise', async () => {
    const { careful } = desk()
    const runtime = createRuntime({ tools: [careful], database: memoryRuns() })
    const status = runStatus(runtime)
    const run = pendingOf(await durable(careful, runtime).call({ amount: 200 }, ada))?.run ?? ''
    const own = await runtime.start(careful, { amount: 300 }, ada)
    const answer = async (id: string, options: object) => (await status.call({ run: id }, options)).text.replaceAll(id, 'ID')
    const unknown = await answer(crypto.randomUUID(), ada)
    expect(await answer(run, { ...ada, session: 'chat-2' })).toContain("There is no run 'ID' of yours.")
    expect(await answer(run, { ...ada, principal: { id: 'eve', permissions: [] } })).toContain("There is no run 'ID' of yours.")
    expect(await answer(run, { ...ada, principal: { ...ada.principal, tenant: 'other' } })).toContain("There is no run 'ID' of yours.")
    expect(await answer(run, {})).toContain("There is no run 'ID' of yours.")
    expect(await answer(own.id, ada)).toContain("There is no run 'ID' of yours.")
    expect(unknown).toContain('There is no run')
    expect(await answer(run, ada)).toContain('waits for a person')
    await runtime.close()
  })
})
