import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { tool } from '../../tool/tool.ts'
import { quorum } from './join.ts'
import { parallel } from './parallel.ts'

const upper = tool({ name: 'upper', description: 'd', effect: 'read', execute: (input) => input.toUpperCase() })

describe('an input of its own', () => {
  const search = tool({
    name: 'search',
    description: 'd',
    inputSchema: z.object({ query: z.string() }),
    effect: 'read',
    execute: ({ query }) => query.length,
  })

  test('reaches its branch alone [C3]', async () => {
    const whole = parallel({ search, upper }, { inputs: { upper: ({ query }) => `<${query}>` } })
    expect(await whole.call({ query: 'ada' })).toMatchObject({ value: { search: 3, upper: '<ADA>' } })
  })

  test('one that throws, waits or does not fit fails its branch, not the whole [C3]', async () => {
    const failing = (make: (input: { query: string }) => never) =>
      parallel(
        { search, upper, other: search },
        { name: 'whole', join: quorum({ count: 1 }), inputs: { upper: ({ query }) => query, other: make } },
      )
    const thrown = await failing(() => {
      throw new Error('no input')
    }).call({ query: 'ada' })
    expect(thrown).toMatchObject({ ok: true })
    const strict = parallel(
      { search, other: search },
      {
        name: 'whole',
        inputs: {
          other: () => {
            throw new Error('no input')
          },
        },
      },
    )
    const result = await strict.call({ query: 'ada' }, { clock: fakeClock(5000) })
    expect(result).toMatchObject({
      ok: false,
      error: { message: "1 of 2 branches failed: other (The input of branch 'other' failed: no input)" },
    })
    expect(result.steps).toMatchObject([
      { label: 'search', result: { ok: true } },
      {
        label: 'other',
        path: 'whole/other',
        tool: 'search',
        result: {
          ok: false,
          error: { code: 'adapter_failed', outcome: 'not_started' },
          provenance: { tool: 'search@0.0.0', timestamp: 5000 },
        },
      },
    ])
    const misfit = await parallel({ search, other: search }, { inputs: { other: () => ({ query: 3 }) as never } }).call({ query: 'ada' })
    expect(misfit).toMatchObject({ ok: false, error: { message: expect.stringContaining('other (Invalid input for tool') } })
    const waiting = await parallel({ search, other: search }, { inputs: { other: async () => ({ query: '' }) } as never }).call({
      query: 'ada',
    } as never)
    expect(waiting).toMatchObject({ ok: false, error: { message: expect.stringContaining('returned a promise') } })
  })

  test('is made of an input that was validated', async () => {
    const whole = parallel({ search, upper }, { name: 'whole', inputs: { upper: ({ query }) => query.trim() } })
    expect(await whole.call({ query: 5 } as never)).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
  })
})

describe('an input that a branch refuses', () => {
  const ran: string[] = []
  const typed = (name: string, inputSchema: z.ZodType<{ n: number }>) =>
    tool({ name, description: 'd', inputSchema, effect: 'write', execute: ({ n }) => (ran.push(`${name} ${n}`), n) })
  const small = typed('small', z.object({ n: z.number().max(10) }))
  const any = typed('any', z.object({ n: z.number() }))
  const even = typed('even', z.object({ n: z.number().refine(async (n) => n % 2 === 0) }))

  test('begins no branch at all [C3]', async () => {
    ran.length = 0
    const refused = await parallel({ any, small }, { name: 'whole' }).call({ n: 11 })
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
    expect(refused.text).toContain("'small'")
    expect(await parallel({ any, even }, { name: 'whole' }).call({ n: 11 })).toMatchObject({ error: { code: 'invalid_input' } })
    expect(ran).toEqual([])
    expect(await parallel({ any, even }, { name: 'whole' }).call({ n: 8 })).toMatchObject({ value: { any: 8, even: 8 } })
  })

  test('ends nothing where the join can do without the branch, and begins nothing where it cannot [C3]', async () => {
    ran.length = 0
    const one = await parallel({ any, small }, { name: 'whole', join: quorum({ count: 1 }) }).call({ n: 11 })
    expect(one).toMatchObject({ ok: true, value: { any: 11 } })
    const two = await parallel({ any, small, even }, { name: 'whole', join: quorum({ count: 2 }) }).call({ n: 11 })
    expect(two).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
    expect(ran).toEqual(['any 11'])
  })
})
