import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'
import { searchTools } from './search-tools.ts'

const add = tool({
  name: 'add_numbers',
  description: 'Adds two numbers. It is exact.',
  effect: 'read',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
})
const shout = tool({ name: 'shout', description: 'Says a text\nlouder.', effect: 'read', execute: (text) => text.toUpperCase() })
const erase = tool({
  name: 'erase_customer',
  description: 'Erases a customer.',
  effect: 'irreversible',
  permissions: ['erase'],
  execute: () => 'erased',
})
const caller = { principal: { id: 'ada', permissions: [] } }
const boss = { principal: { id: 'eve', permissions: ['erase'] } }

describe('searchTools', () => {
  test('gives a line for each tool, then the schemas of those that are named, and calls them [S3]', async () => {
    const { search, call } = searchTools(await catalog([add, shout, erase]))
    const found = await search.call({ query: 'add two numbers' }, caller)
    expect(found.text.split('\n')[0]).toBe('add_numbers: Adds two numbers.')
    const read = await search.call({ names: ['add_numbers'] }, caller)
    expect(read.ok && read.value).toMatchObject({ specifications: [{ name: 'add_numbers', parameters: { required: ['a', 'b'] } }] })
    const sum = await call.call({ name: 'add_numbers', arguments: { a: 2, b: 3 } }, caller)
    expect(sum).toMatchObject({ ok: true, value: 5 })
    expect((await call.call({ name: 'shout', arguments: { input: 'hi' } }, caller)).text).toBe('HI')
    const wrong = await call.call({ name: 'add_numbers', arguments: { a: 'two' } }, caller)
    expect(wrong).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('a tool that the caller may not call is not found, not named and not called', async () => {
    const { search, call } = searchTools(await catalog([add, shout, erase]))
    for (const answer of [
      await search.call({ query: 'erase a customer' }, caller),
      await search.call({ names: ['erase_customer'] }, caller),
      await call.call({ name: 'erase_customer', arguments: { input: 'x' } }, caller),
      await call.call({ name: 'erase_custome', arguments: {} }, caller),
    ])
      expect(JSON.stringify(answer).replaceAll(/'erase_custome\w?'|"erase_custome\w?"/g, '')).not.toContain('erase')
    expect((await call.call({ name: 'erase_customer', arguments: { input: 'x' } }, boss)).text).toBe('erased')
  })

  test('a gate of a tool asks as it does when the tool is called itself', async () => {
    const asked: string[] = []
    const { call } = searchTools(await catalog([gate(shout)]))
    const review = {
      review: async ({ tool: name }: { readonly tool: string }) => {
        asked.push(name)
        return { action: 'reject' } as const
      },
    }
    const answer = await call.call({ name: 'shout', arguments: { input: 'hi' } }, { ...caller, review })
    expect(asked).toEqual(['shout'])
    expect(answer).toMatchObject({ ok: false, error: { class: 'rejected' } })
  })

  test('pages, and says when nothing fits or nothing was asked', async () => {
    const many = Array.from({ length: 25 }, (_, at) =>
      tool({ name: `find_order_${at}`, description: `Finds orders of shop ${at}.`, effect: 'read', execute: () => at }),
    )
    const { search } = searchTools(await catalog(many))
    const first = await search.call({ query: 'find orders' })
    const third = await search.call({ query: 'find orders', page: 3 })
    expect(first.text.split('\n')).toHaveLength(11)
    expect(third.text.split('\n')).toHaveLength(5)
    expect((await search.call({ query: 'zxcv' })).text).toContain('No tool fits')
    expect(await search.call({})).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })
})
