import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from './gate.ts'

const add = tool({
  name: 'add',
  description: 'Adds one.',
  inputSchema: z.object({ n: z.number() }),
  effect: 'read',
  tags: ['math'],
  execute: ({ n }) => ({ n: n + 1 }),
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
      error: { code: 'rejected', class: 'rejected', retryable: false, outcome: 'not_started' },
    })
    expect(result.text).toBe('Error: Rejected by reviewer, who says "wrong account": {"to":"bob","password":"••••••"}')
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
      error: { code: 'reviewer_unreachable' },
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

  test('is judged with its tool by a policy once, not once for each [T8]', async () => {
    const judged: string[] = []
    await gate(add, { approval: false }).call({ n: 1 }, { policy: ({ path }) => (judged.push(path), 'allow') })
    const review = recordingReview()
    await gate(add).call({ n: 1 }, { review, policy: ({ path }) => (judged.push(path), 'allow') })
    expect(judged).toEqual(['add/gated', 'add/gated'])
    expect(review.requests.length).toBe(1)
  })
})
