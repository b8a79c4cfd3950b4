import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'

const make = (name: string, description: string, permissions: readonly string[] = []): AgentTool =>
  tool({ name, description, effect: 'read', permissions, inputSchema: z.object({ input: z.string() }), execute: () => 'done' })

const DESK = [
  make('issue_refund', 'Pays an order back to a customer.'),
  make('find_order', 'Finds the orders of a customer, newest first.'),
  make('translate_text', 'Translates a text into another language.'),
  make('send_email', 'Sends a mail to a person.'),
  make('weather_forecast', 'Tells the weather of the next days at a place.'),
  make('delete_customer', 'Deletes all that is known about a customer.', ['customers:delete']),
]
const names = (found: { readonly tools: readonly { readonly tool: AgentTool }[] }): string[] =>
  found.tools.map(({ tool: each }) => each.name)

describe('catalog', () => {
  test('finds a tool by its words, by its meaning and by each part of a request, and says why', async () => {
    const tools = await catalog(DESK)
    expect(names(await tools.select('refund the last order'))[0]).toBe('issue_refund')
    expect(names(await tools.select('will it rain in Paris tomorrow?'))[0]).toBe('weather_forecast')
    const both = await tools.select('Translate this contract to German and then mail it to my lawyer', { k: 2 })
    expect(names(both).toSorted()).toEqual(['send_email', 'translate_text'])
    expect(both.tools.every(({ reasons }) => reasons.length > 0)).toBe(true)
  })

  test('says that nothing fits, for nonsense, for emptiness and in an empty catalog', async () => {
    const tools = await catalog(DESK)
    for (const request of ['asdf qwer zxcv', '', '🎉', ' \n'])
      expect(await tools.select(request), request).toMatchObject({ tools: [], nothingFits: true })
    expect((await (await catalog([])).select('refund')).nothingFits).toBe(true)
  })

  test('never shows what the caller may not call, by search, count or reason', async () => {
    const permission = fc.constantFrom('a:x', 'a:y', 'b:x')
    const listed = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.uniqueArray(permission)), {
      maxLength: 12,
      selector: ([name]) => name,
    })
    await fc.assert(
      fc.asyncProperty(listed, fc.uniqueArray(permission), fc.boolean(), async (list, permissions, isNamed) => {
        const tools = await catalog(list.map(([name, needed]) => make(`find_${name}`, `Finds ${name} orders.`, needed)))
        const principal = isNamed ? { id: 'ada', permissions } : undefined
        const found = await tools.select('find orders', { k: 50, principal })
        const allowed = list.filter(([, needed]) => needed.every((each) => isNamed && permissions.includes(each)))
        expect(names(found).toSorted()).toEqual(allowed.map(([name]) => `find_${name}`).toSorted())
      }),
      { numRuns: 100 },
    )
  })

  test('keeps what the schemas cost within the tokens', async () => {
    const tools = await catalog(DESK)
    const all = await tools.select('customer order refund mail', { k: 6 })
    for (const tokens of [0, 40, 100, all.tokens]) {
      const found = await tools.select('customer order refund mail', { k: 6, tokens })
      expect(found.tokens).toBeLessThanOrEqual(tokens)
      expect(found.tokens).toBe(found.tools.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0))
    }
  })

  test('follows additions, removals and a server that changes its tools', async () => {
    const tools = await catalog(DESK.slice(0, 2))
    await tools.add([make('github_search', 'Searches repositories.')], { server: 'github' })
    await tools.replaceServer('github', [make('github_issue', 'Opens an issue in a repository.')])
    expect(tools.get('github_search')).toBeUndefined()
    expect(names(await tools.select('open an issue in the repository'))[0]).toBe('github_issue')
    expect(tools.remove('github_issue', 'nobody')).toBe(1)
    expect(names(await tools.select('open an issue in the repository'))).not.toContain('github_issue')
    await expect(tools.add([make('find_order', 'Another one.')])).rejects.toMatchObject({ code: 'duplicate_name' })
    expect(tools.size).toBe(2)
  })

  test('learns which tool served a request, keeps new tools in the race, and forgets a person [S4]', async () => {
    const tools = await catalog([make('alpha', 'Does the first thing.'), make('beta', 'Does the second thing.'), ...DESK])
    const asked = ['book me a table', 'a table for two tonight', 'reserve dinner at eight', 'table near the window please']
    await tools.learn(asked.map((text) => ({ text, tool: 'beta', served: true, principal: 'ada' })))
    await tools.learn([{ text: 'book a table for tomorrow', tool: 'alpha', served: false, principal: 'ada' }])
    await tools.refit()
    expect(names(await tools.select('could you book a table for tomorrow night?'))[0]).toBe('beta')
    expect(names(await tools.select('refund the last order'))[0]).toBe('issue_refund')
    expect(await tools.forget({ principal: 'ada' })).toBe(5)
    expect(tools.traces()).toEqual([])
    expect(names(await tools.select('could you book a table for tomorrow night?'))[0]).not.toBe('beta')
  })

  test('gives as many tools as are asked for, with traces too', async () => {
    const tools = await catalog(
      Array.from({ length: 90 }, (_, at) => make(`find_order_${at}`, `Finds the order number ${at}.`)),
      { threshold: 0 },
    )
    await tools.learn([{ text: 'find my order', tool: 'find_order_7', served: true }])
    expect((await tools.select('find an order', { k: 80 })).tools).toHaveLength(80)
  })

  test('filling a description with a word brings no more than a few of them', async () => {
    const honest = make('refund', 'Refunds an order.')
    const stuffed = make('other_thing', `Cooks soup. ${'refund order '.repeat(500)}`)
    const found = await (await catalog([honest, stuffed])).select('refund an order')
    expect(names(found)[0]).toBe('refund')
  })

  test('a list of the words of other tools brings a tool before none that is meant, in any field', async () => {
    const things = (
      'refund order customer invoice mail weather text parcel meeting photo contract salary report image video music price stock flight ' +
      'hotel restaurant recipe calendar note task account payment bank card map'
    ).split(' ')
    const name = things.join('_').slice(0, 60)
    const title = things.join(' ').slice(0, 99).trim()
    const description = things.join(' ')
    const lists = { name: { name }, title: { title }, tags: { tags: things }, description: { description } }
    const honest = things.map((thing) => make(`get_${thing}`, `Gets the ${thing} of a person, with its details and its history.`))
    for (const [field, list] of Object.entries({ ...lists, all: { name, title, description, tags: things } })) {
      const listed = tool({ name: 'soup', description: 'Cooks soup.', effect: 'read', execute: () => 'soup', ...list }) as AgentTool
      const tools = await catalog([...honest, listed])
      let found = 0
      for (const [at, thing] of things.entries()) {
        expect(names(await tools.select(`show the ${thing} of my friend`, { k: 1 })), field).toEqual([`get_${thing}`])
        const others = [3, 7].map((step) => things[(at + step) % things.length])
        const three = await tools.select(`get the ${thing}, the ${others[0]} and the ${others[1]}`, { k: 3 })
        if (names(three).includes(listed.name)) found++
      }
      // A description may say three things; a name, a title or tags that say thirty say little of each.
      const most = field === 'description' || field === 'all' ? 1 : 0.4
      expect(found / things.length, field).toBeLessThan(most)
    }
  })

  test('refuses wrong options and takes any text, also a very long one', async () => {
    const tools = await catalog(DESK)
    for (const wrong of [{ threshold: NaN }, { threshold: 2 }, { threshold: '0.5' }, { categoriesFrom: NaN }, { categoriesFrom: -1 }])
      await expect(catalog(DESK, wrong as never), JSON.stringify(wrong)).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(tools.select('x', { k: 0 })).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(tools.select('x', { top: 3 } as never)).rejects.toMatchObject({ code: 'invalid_option' })
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 30 }), async (text) => void (await tools.select(text))))
    expect(names(await tools.select(`refund an order ${'x'.repeat(100_000)}`))[0]).toBe('issue_refund')
  })
})
