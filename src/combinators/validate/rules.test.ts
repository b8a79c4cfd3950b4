import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { check } from '../../plan/check.ts'
import { from } from '../../tool/given/reference.ts'
import { tool } from '../../tool/tool.ts'
import { among } from './among.ts'
import { counted, within } from './bounds.ts'
import { each } from './each.ts'
import { ordered } from './ordered.ts'
import type { Rule } from './rule.ts'
import { sums } from './sums.ts'
import { validate } from './validate.ts'

interface Value {
  readonly a?: unknown
  readonly b?: unknown
  readonly list?: readonly unknown[]
  readonly inner?: { readonly a: unknown }
}

/** The faults of a value, without a schema. */
async function faultsOf(rule: Rule<never, never>, value: Value, input: object = {}): Promise<string> {
  const gives = tool({ name: 'gives', description: 'd', inputSchema: z.looseObject({}), effect: 'read', execute: () => value })
  const result = await validate(gives, { rules: [rule as never] }).call(input as never)
  return result.ok ? '' : result.error.message.replace(/^Tool 'gives' gave an output that is not plausible: /, '')
}

const before = ordered<unknown>('a', 'b')

describe('ordered', () => {
  test.each([
    [1, 2, ''],
    [2, 2, ''],
    [3, 2, "'b' (2) is before 'a' (3)."],
    ['2026-01-01', '2026-01-02', ''],
    ['2026-01-02', '2026-01-01', `'b' ("2026-01-01") is before 'a' ("2026-01-02").`],
    ['2026-01-01T10:00:00Z', '2026-01-01T11:30+01:00', ''],
    ['2026-01-01T10:00:00Z', '2026-01-01T10:30+01:00', 'is before'],
    ['2026-01-01 10:00', '2026-01-01T10:01', ''],
    ['2026-01-01 10:00', '2026-01-01T10:01Z', 'cannot be compared: one is a time without an offset, the other a time with an offset'],
    ['09:30', '17:00', ''],
    ['17:00', '09:30', 'is before'],
    ['2026-02-30', '2026-03-02', `'a' is "2026-02-30", which is not a time`],
    ['2026-01-01', 5, 'one is a date, the other a number'],
    [new Date(5), new Date(4), 'is before'],
    [new Date(5), '2026-01-01T00:00Z', ''],
    ['soon', '2026-01-01', `'a' is "soon", which is not a time`],
    ['2026-01-01', '1/2/2026', `'b' is "1/2/2026", which is not a time`],
    [Number.NaN, 1, 'which is not a time'],
  ])('%j and %j: %s [V1]', async (a, b, says) => {
    const found = await faultsOf(before, { a, b })
    expect(found).toSatisfy((text: string) => (says === '' ? text === '' : text.includes(says)))
  })

  test('strictly refuses the same time twice', async () => {
    expect(await faultsOf(ordered<unknown>('a', 'b', { strictly: true }), { a: 1, b: 1 })).toBe("'b' (1) is not after 'a' (1).")
  })
})

describe('within and counted', () => {
  test.each([
    [0, ''],
    [10, ''],
    [-0.5, "'a' is -0.5, and must be at least 0."],
    [10.5, "'a' is 10.5, and must be at most 10."],
    [Infinity, 'at most 10'],
    ['5', `'a' is "5", which is not a number`],
  ])('a number %j [V1]', async (a, says) => {
    const found = await faultsOf(within<unknown>('a', { min: 0, max: 10 }), { a })
    expect(found).toSatisfy((text: string) => (says === '' ? text === '' : text.includes(says)))
  })

  test.each([
    [[], "'list' has 0 items, and must have at least 1."],
    [[1], ''],
    [[1, 2, 3], "'list' has 3 items, and must have at most 2."],
  ])('a list %j [V1]', async (list, says) => {
    expect(await faultsOf(counted<unknown>('list', { min: 1, max: 2 }), { list })).toBe(says)
  })

  test('a list that is none is a fault', async () => {
    expect(await faultsOf(counted<unknown>('a', { max: 2 }), { a: 'ab' })).toBe(`'a' is "ab", which is not a list.`)
  })

  test('a field of a record inside has the names of both', async () => {
    expect(await faultsOf(within<unknown>('inner.a', { max: 2 }), { inner: { a: 3 } })).toBe("'inner.a' is 3, and must be at most 2.")
  })
})

describe('among', () => {
  const ofInput = among<unknown, unknown>('a', from.input('known'))

  test.each([
    [ofInput, { a: 'x' }, { known: ['x', 'y'] }, ''],
    [ofInput, { a: 'z' }, { known: ['x', 'y'] }, `'a' is "z", which is not in 'known' of the input.`],
    [ofInput, { a: ['x', 'z'] }, { known: ['x', 'y'] }, `'a' has "z", which is not in 'known' of the input.`],
    [ofInput, { a: [undefined] }, { known: ['x'] }, "'a' has undefined, which is not in 'known' of the input."],
    [ofInput, { a: 'x' }, { known: 'x' }, `among('a') reads 'known' of the input, which is "x", not a list.`],
    [ofInput, { a: 'x' }, {}, 'which is undefined, not a list.'],
    [among<unknown, unknown>('a', from.value('list')), { a: { n: 1 }, list: [{ n: 1 }] }, {}, ''],
    [among<unknown, unknown>('a', from.value('list')), { a: 2, list: [1] }, {}, `'a' is 2, which is not in 'list' of the output.`],
    [among<unknown, unknown>('a', from.value('list'), { by: 'id' }), { a: 2, list: [{ id: 1 }, { id: 2 }] }, {}, ''],
    [among<unknown, unknown>('a', from.value('list'), { by: 'id' }), { a: 3, list: [{ id: 1 }] }, {}, 'is not in'],
    [
      among<unknown, unknown>('a', from.value('list'), { by: 'id' }),
      { a: 3, list: [{ i: 1 }] },
      {},
      `compares by 'id', which {"i":1} does not have.`,
    ],
    [among<unknown, unknown>('a', ['open', 'closed']), { a: 'ajar' }, {}, `'a' is "ajar", which is not in ["open","closed"].`],
  ])('%#: %s [V1]', async (rule, value, input, says) => {
    const found = await faultsOf(rule, value, input)
    expect(found).toSatisfy((text: string) => (says === '' ? text === '' : text.includes(says)))
  })
})

describe('sums', () => {
  test.each([
    [sums<unknown>('a', ['b', 'inner.a']), { a: 0.3, b: 0.1, inner: { a: 0.2 } }, ''],
    [sums<unknown>('a', ['b']), { a: 0.3, b: 0.31 }, "'a' is 0.3, and 'b' is 0.31."],
    [sums<unknown>('a', ['b'], { tolerance: 0.01 }), { a: 0.3, b: 0.31 }, ''],
    [sums<unknown>('a', 'list'), { a: 6, list: [1, 2, 3] }, ''],
    [sums<unknown>('a', 'list'), { a: 0, list: [] }, ''],
    [sums<unknown>('a', 'list'), { a: 7, list: [1, 2, 3] }, "'a' is 7, and the sum of 'list' is 6."],
    [sums<unknown>('a', 'list', { by: 'n' }), { a: 3, list: [{ n: 1 }, { n: 2 }] }, ''],
    [sums<unknown>('a', 'list', { by: 'n' }), { a: 3, list: [{ n: 1 }, {}] }, 'undefined is not a number'],
    [sums<unknown>('a', ['b']), { a: Number.NaN, b: 1 }, 'NaN is not a number'],
    [sums<unknown>('a', 'b'), { a: 3, b: 3 }, "'b' is 3, which is not a list."],
  ])('%#: %j [V1]', async (rule, value, says) => {
    const found = await faultsOf(rule, value)
    expect(found).toSatisfy((text: string) => (says === '' ? text === '' : text.includes(says)))
  })
})

describe('each', () => {
  const prices = each<unknown, unknown, 'list'>('list', [
    within<unknown>('price', { min: 0 }),
    within<unknown>('price', { max: 9, severity: 'warning' }),
  ])

  test('names the place of every fault [V1]', async () => {
    expect(await faultsOf(prices, { list: [{ price: 1 }, { price: -1 }, { price: -2 }] })).toBe(
      "'list[1].price' is -1, and must be at least 0; 'list[2].price' is -2, and must be at least 0.",
    )
    expect(await faultsOf(prices, { list: [{ price: 10 }] })).toBe('')
    expect(await faultsOf(prices, { list: [] })).toBe('')
  })

  test('does not skip a hole of a list', async () => {
    // oxlint-disable-next-line unicorn/no-new-array -- a list with holes
    const list: readonly unknown[] = new Array(3)
    expect(await faultsOf(prices, { list })).toBe("within('price') reads the field 'list[0].price', which the output does not have.")
    expect(await faultsOf(among<unknown, unknown>('list', ['x']), { list })).toContain("'list' has undefined, which is not in")
    expect(await faultsOf(sums<unknown>('a', 'list'), { a: 0, list })).toContain('undefined is not a number')
  })

  test('on a field that is no list, or items without the field, is an error', async () => {
    expect(await faultsOf(prices, { a: 1 })).toBe("each('list') reads the field 'list', which is undefined, not a list.")
    expect(await faultsOf(prices, { list: [{ cost: 1 }] })).toBe(
      "within('price') reads the field 'list[0].price', which the output does not have.",
    )
  })
})

describe('a field that the schema lets out', () => {
  const schema = z.object({
    start: z.string(),
    end: z.string().nullish(),
    items: z.array(z.object({ n: z.number().optional() })).optional(),
  })
  const gives = (value: z.input<typeof schema>) =>
    tool({ name: 'gives', description: 'd', effect: 'read', outputSchema: schema, execute: () => value })

  test('is not judged where it is absent or null [V1]', async () => {
    for (const end of [undefined, null]) {
      const rules = [
        ordered<z.output<typeof schema>>('start', 'end'),
        each<z.output<typeof schema>, unknown, 'items'>('items', [within('n', { min: 5 })]),
      ]
      expect((await validate(gives({ start: '2026-01-01', end, items: [{}] }), { rules }).call('x')).ok).toBe(true)
      expect((await validate(gives({ start: '2026-01-01', end }), { rules }).call('x')).ok).toBe(true)
      expect((await validate(gives({ start: '2026-01-01', end, items: [{ n: 1 }] }), { rules }).call('x')).ok).toBe(false)
    }
  })

  test('check finds misspelt fields of items, and lists that the input lacks [V1]', () => {
    const tools = gives({ start: '' })
    const rules = [each('items' as never, [within('m' as never, { min: 0 })]), among('start' as never, from.input('known') as never)]
    expect(
      check(validate(tools, { rules }))
        .filter(({ code }) => code === 'unknown_field')
        .map(({ code, field }) => [code, field]),
    ).toEqual([
      ['unknown_field', 'known'],
      ['unknown_field', 'items[].m'],
    ])
  })
})
