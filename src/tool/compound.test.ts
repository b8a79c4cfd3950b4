import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { recordEvents } from '../testing/record-events.ts'
import { compound } from './compound.ts'
import { tool } from './tool.ts'

const add = tool({
  name: 'add',
  description: 'Adds one.',
  inputSchema: z.object({ n: z.number() }),
  effect: 'read',
  tags: ['math'],
  execute: ({ n }) => ({ n: n + 1 }),
})
const fail = tool({
  name: 'fail',
  description: 'Fails.',
  effect: 'write',
  idempotent: 'keyed',
  execute: () => Promise.reject(new Error('no luck')),
})

describe('a compound', () => {
  const twice = compound({
    name: 'add_twice',
    description: 'Adds two.',
    inputSchema: z.object({ n: z.number() }),
    parts: { add },
    run: async (input, context, parts) => {
      const first = await context.call('add', parts.add, input)
      return first.ok ? context.call('add', parts.add, first.value) : first
    },
  })

  test('is a tool: it has a schema, a plan and a result with its steps', async () => {
    expect(twice.specification).toMatchObject({ name: 'add_twice', parameters: { type: 'object', required: ['n'] } })
    expect(twice.plan()).toMatchObject({ kind: 'compound', layer: false, parts: [{ label: 'add', tool: add }] })
    const result = await twice.call({ n: 1 })
    expect(result).toMatchObject({ ok: true, value: { n: 3 } })
    expect(result.steps?.map(({ label, path, tool: name, result: { text } }) => [label, path, name, text])).toEqual([
      ['add', 'add_twice/add', 'add', '{"n":2}'],
      ['add#2', 'add_twice/add#2', 'add', '{"n":3}'],
    ])
    expect(result.provenance.tool).toBe('add_twice@0.0.0')
  })

  test('that hands on a failed part fails with its error, and shows what was done before', async () => {
    const both = compound({
      name: 'both',
      description: 'd',
      parts: { add, fail },
      run: async (_input, context) => {
        await context.call('add', add, { n: 1 })
        return context.call('fail', fail, 'x')
      },
    })
    const result = await both.call('x')
    expect(result).toMatchObject({ ok: false, error: { message: 'no luck' }, provenance: { tool: 'both@0.0.0' } })
    expect(result.steps?.map((step) => step.result.ok)).toEqual([true, false])
  })

  test('derives effect, idempotency, permissions and tags from its parts; it may say more, not less [T1]', () => {
    const parts = { add, fail }
    const run = (): string => ''
    expect(compound({ name: 'a', description: 'd', parts, run })).toMatchObject({ effect: 'write', idempotent: 'keyed', tags: ['math'] })
    expect(compound({ name: 'a', description: 'd', parts, effect: 'read', run })).toMatchObject({ effect: 'write' })
    expect(compound({ name: 'a', description: 'd', parts, effect: 'irreversible', permissions: ['x'], run })).toMatchObject({
      effect: 'irreversible',
      permissions: ['x'],
    })
    expect(compound({ name: 'a', description: 'd', parts: {}, run })).toMatchObject({ effect: 'read', idempotent: true })
  })

  test('cannot call what it has not declared, and catching the error does not help', async () => {
    const sly = compound({
      name: 'sly',
      description: 'd',
      parts: {},
      run: (_input, context) => context.call('add', add, { n: 1 }).catch(() => 'hidden'),
    })
    await expect(sly.call('x')).rejects.toMatchObject({ code: 'undeclared_part', message: expect.stringContaining("'add'") })
  })

  test.each(['', 'a/b', 'a#2', 'a@2', 'a!1', 'a:b'])('refuses the label %j, which would break its paths', async (label) => {
    const odd = compound({ name: 'odd', description: 'd', parts: { add }, run: (_input, context) => context.call(label, add, { n: 1 }) })
    await expect(odd.call('x')).rejects.toMatchObject({ code: 'invalid_label' })
  })

  test('that ends before one of its parts cancels that part, and has ended when the part has', async () => {
    const clock = fakeClock()
    const nap = tool({ name: 'nap', description: 'd', effect: 'read', execute: async (ms, { sleep }) => (await sleep(Number(ms)), ms) })
    const hasty = compound({
      name: 'hasty',
      description: 'd',
      parts: { nap },
      run: async (_input, context) => {
        void context.call('slow', nap, '1000')
        return context.call('fast', nap, '10')
      },
    })
    const result = await clock.until(hasty.call('x', { clock }))
    expect(result).toMatchObject({ ok: true, text: '10' })
    expect(result.steps?.map(({ label, result: { ok } }) => [label, ok])).toEqual([
      ['slow', false],
      ['fast', true],
    ])
    expect(result.steps?.[0]?.result).toMatchObject({ error: { code: 'cancelled', outcome: 'unknown' } })
    expect(clock.now()).toBe(1_700_000_000_010)
  })

  test('keeps its steps in the order in which they began, whatever ends first', async () => {
    const clock = fakeClock()
    const nap = tool({ name: 'nap', description: 'd', effect: 'read', execute: async (ms, { sleep }) => (await sleep(Number(ms)), ms) })
    const all = compound({
      name: 'all',
      description: 'd',
      parts: { nap },
      run: async (_input, context) =>
        (await Promise.all(['30', '10', '20'].map((ms) => context.call(`nap${ms}`, nap, ms)))).map((each) => each.text),
    })
    const result = await clock.until(all.call('x', { clock }))
    expect(result.steps?.map((step) => step.label)).toEqual(['nap30', 'nap10', 'nap20'])
  })
})

describe('a gate', () => {
  const gated = gate(add, { approval: ({ n }) => n > 10, why: ({ n }) => `${n} is a lot`, risk: 'high' })

  test('keeps name, version, schema and metadata, and is a layer in the plan', () => {
    expect(gated.specification).toEqual(add.specification)
    expect(gated).toMatchObject({ name: 'add', version: '0.0.0', effect: 'read', tags: ['math'] })
    expect(gated.plan()).toMatchObject({ kind: 'gate', layer: true, parts: [{ tool: add }] })
  })

  test('reports as a layer, not as a second call [T12]', async () => {
    const recorder = recordEvents()
    await gated.call({ n: 1 }, { on: recorder })
    const calls = recorder.events.filter((event) => event.type === 'call.finished')
    expect(calls.map(({ call }) => [call.tool, call.layer])).toEqual([
      ['add', undefined],
      ['add', 'gate'],
    ])
  })

  test('asks only when its predicate says so, with the reason and the risk [T14]', async () => {
    const asked: unknown[] = []
    const review = {
      review: (request: { why: string; risk: string; input: unknown }) => (asked.push(request), { action: 'continue' as const }),
    }
    expect(await gated.call({ n: 1 }, { review })).toMatchObject({ value: { n: 2 } })
    expect(asked).toEqual([])
    expect(await gated.call({ n: 11 }, { review })).toMatchObject({ value: { n: 12 } })
    expect(asked).toMatchObject([{ why: '11 is a lot', risk: 'high', input: { n: 11 } }])
  })

  test('that is closed runs nothing, and says what was rejected [T14]', async () => {
    let ran = false
    const closed = gate(
      tool({ name: 'pay', description: 'd', inputSchema: z.object({ to: z.string(), password: z.string() }), execute: () => (ran = true) }),
    )
    const result = await closed.call(
      { to: 'bob', password: 'hunter2' },
      { review: { review: () => ({ action: 'reject', reason: 'wrong account' }) } },
    )
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'rejected', class: 'rejected', retryable: false, hint: 'The reviewer says: wrong account', outcome: 'not_started' },
    })
    expect(result.text).toBe('Error: Rejected by reviewer: {"to":"bob","password":"••••••"}')
    expect(ran).toBe(false)
  })

  test('lets invalid input fail before anybody is asked [T8]', async () => {
    expect(await gate(add).call({} as never)).toMatchObject({ error: { code: 'invalid_input' } })
  })

  test('runs the edited input of a reviewer, validated like any other, with masked fields kept [T14]', async () => {
    const seen: unknown[] = []
    const send = gate(
      tool({
        name: 'send',
        description: 'd',
        inputSchema: z.object({ to: z.string(), token: z.string(), copies: z.number().default(1) }),
        execute: (input) => void seen.push(input),
      }),
    )
    const edited = (decision: object) => send.call({ to: 'bob', token: 'tok-12345' }, { review: { review: () => decision as never } })
    expect((await edited({ action: 'edit', input: { to: 'eve', token: '••••••', copies: 2 } })).ok).toBe(true)
    expect((await edited({ action: 'edit', patch: { copies: 3 } })).ok).toBe(true)
    expect(seen).toEqual([
      { to: 'eve', token: 'tok-12345', copies: 2 },
      { to: 'bob', token: 'tok-12345', copies: 3 },
    ])
    expect(await edited({ action: 'edit', input: { to: 7 } })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(seen.length).toBe(2)
  })

  test('shows the reviewer the input with defaults, or as given where the schema transforms it', async () => {
    const shown: unknown[] = []
    const review = { review: (request: { input: unknown }) => (shown.push(request.input), { action: 'continue' as const }) }
    await gate(tool({ name: 'a', description: 'd', inputSchema: z.object({ n: z.number().default(7) }), execute: () => 1 })).call(
      {},
      { review },
    )
    const when = tool({
      name: 'b',
      description: 'd',
      inputSchema: z.object({ on: z.string().transform((text) => text.length) }),
      execute: ({ on }) => on,
    })
    expect(await gate(when).call({ on: 'monday' }, { review })).toMatchObject({ value: 6 })
    expect(shown).toEqual([{ n: 7 }, { on: 'monday' }])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('slack is down'))],
    ['answers nothing', () => undefined],
    ['answers nonsense', () => ({ action: 'sure' })],
    ['answers text', () => 'yes'],
    ['answers a question that was not asked', () => ({ action: 'answer', value: 1 })],
    ['edits without an edit', () => ({ action: 'edit' })],
  ])('stays closed when the reviewer %s [T14]', async (_what, review) => {
    expect(await gate(add).call({ n: 1 }, { review: { review: review as never } })).toMatchObject({
      ok: false,
      error: { code: 'rejected' },
    })
  })

  test('nests: both gates ask, and one rejection is enough', async () => {
    const two = gate(gate(add, { why: 'inner' }), { why: 'outer' })
    const asked: string[] = []
    const review = {
      review: ({ why }: { why: string }) => (asked.push(why), { action: why === 'inner' ? ('reject' as const) : ('continue' as const) }),
    }
    expect(await two.call({ n: 1 }, { review })).toMatchObject({ error: { code: 'rejected' } })
    expect(asked).toEqual(['outer', 'inner'])
  })
})

describe('requireApproval', () => {
  test('may be true, a predicate, or options; and in code, with nobody to ask, a tool goes on [T14]', async () => {
    const asked: string[] = []
    const review = { review: ({ why }: { why: string }) => (asked.push(why), { action: 'continue' as const }) }
    await tool({ name: 'a', description: 'd', requireApproval: true, execute: () => 1 }).call('x', { review })
    await tool({ name: 'b', description: 'd', requireApproval: (input) => input === 'y', execute: () => 1 }).call('x', { review })
    await tool({ name: 'c', description: 'd', requireApproval: { when: (input) => input === 'x', why: 'because' }, execute: () => 1 }).call(
      'x',
      { review },
    )
    expect(asked).toEqual(["Tool 'a' asks for approval before it runs.", 'because'])
    const inCode = tool({
      name: 'd',
      description: 'd',
      execute: async (_input, context) => (await context.review({ why: 'sure?' })).action,
    })
    expect(await inCode.call('x')).toMatchObject({ value: 'continue' })
    expect(await inCode.call('x', { review: { review: () => ({ action: 'reject' }) } })).toMatchObject({ value: 'reject' })
  })
})
