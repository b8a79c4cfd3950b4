import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../testing/fake-clock.ts'
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

describe('requireApproval', () => {
  test('may be true, a predicate, or options; and in code, with nobody to ask, a tool that reads goes on [T14]', async () => {
    const asked: string[] = []
    const review = { review: ({ why }: { why: string }) => (asked.push(why), { action: 'continue' as const }) }
    await tool({ name: 'a', description: 'd', requireApproval: true, execute: () => 1 }).call('x', { review })
    await tool({ name: 'b', description: 'd', requireApproval: (input) => input === 'y', execute: () => 1 }).call('x', { review })
    await tool({ name: 'c', description: 'd', requireApproval: { when: (input) => input === 'x', why: 'because' }, execute: () => 1 }).call(
      'x',
      { review },
    )
    expect(asked).toEqual(["Tool 'a' asks for approval before it runs.", 'because'])
    const inCode = (effect: 'read' | 'write', onReject: 'throw' | 'return' = 'throw') =>
      tool({
        name: 'd',
        description: 'd',
        effect,
        execute: async (_input, context) => (await context.review({ why: 'sure?', onReject })).action,
      })
    expect(await inCode('read').call('x')).toMatchObject({ value: 'continue' })
    await expect(inCode('write').call('x')).rejects.toMatchObject({ code: 'missing_review_handler' })
    expect(await inCode('write').call('x', { unattended: 'approve' })).toMatchObject({ value: 'continue' })
    const reject = { review: { review: () => ({ action: 'reject' as const, reason: 'no' }) } }
    expect(await inCode('write').call('x', reject)).toMatchObject({
      text: 'Error: Rejected by reviewer, who says "no": x',
      error: { code: 'rejected', class: 'rejected', outcome: 'failed' },
    })
    expect(await inCode('write', 'return').call('x', reject)).toMatchObject({ value: 'reject' })
  })
})
