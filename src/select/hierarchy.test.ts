import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'
import { searchTools } from './search-tools.ts'

const SUBJECTS = ['invoice', 'weather', 'song', 'flight', 'recipe', 'patient']
const VERBS = ['find', 'create', 'delete', 'rename', 'share', 'copy', 'archive', 'print', 'sort', 'count', 'send', 'merge']
const make = (name: string, more: { readonly permissions?: readonly string[]; readonly tags?: readonly string[] } = {}) =>
  tool({ name, description: `Can ${name.replaceAll('_', ' ')}s for a person.`, effect: 'read', ...more, execute: () => name })
const library = SUBJECTS.flatMap((subject) => VERBS.map((verb) => make(`${verb}_${subject}`)))

describe('the categories of a catalog [S5]', () => {
  test('are servers and tags, with counts and with what a category costs beside all', async () => {
    const tools = await catalog([make('alone'), make('tagged', { tags: ['office', 'new'] })])
    await tools.add([make('github_search'), make('github_open')], { server: 'github' })
    const { categories, ...all } = await tools.tree()
    expect(categories.map(({ name, tools: count }) => [name, count])).toEqual([
      ['github', 2],
      ['office', 1],
      ['other', 1],
    ])
    expect(all).toEqual({ tools: 4, schemaTokens: categories.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0) })
    const { cards, ...github } = (await tools.browse('github')) ?? { cards: [] }
    expect(cards.map(({ card }) => card)).toEqual([
      'github_open: Can github opens for a person.',
      'github_search: Can github searchs for a person.',
    ])
    expect(github).toEqual(categories[0])
    expect(await tools.browse('gitlab')).toBeUndefined()
  })

  test('are made of what tools are about where nothing else tells, and named by it', async () => {
    const tools = await catalog(library)
    const { categories, schemaTokens } = await tools.tree()
    expect(categories.length).toBeGreaterThanOrEqual(2)
    expect(categories.reduce((sum, each) => sum + each.tools, 0)).toBe(library.length)
    for (const each of categories) expect(each.schemaTokens).toBeLessThan(schemaTokens)
    const names = categories.map(({ name }) => name).join(' ')
    expect(SUBJECTS.filter((subject) => names.includes(subject)).length).toBeGreaterThanOrEqual(2)
  })

  test('a large server is divided, by its tags or by what its tools are about; each tool is in one part', async () => {
    const tools = await catalog(library, { server: 'big' })
    const [big] = (await tools.tree()).categories
    expect(big?.categories.length).toBeGreaterThanOrEqual(2)
    expect(big?.categories.every(({ name }) => name.startsWith('big/'))).toBe(true)
    const parts = await Promise.all((big?.categories ?? []).map(({ name }) => tools.browse(name)))
    expect(parts.flatMap((part) => part?.cards.map(({ name }) => name)).toSorted()).toEqual(library.map(({ name }) => name).toSorted())
    const tagged = await catalog(
      library.map(({ name }) => make(name, { tags: [name.split('_')[1] as string] })),
      { server: 'big' },
    )
    expect((await tagged.tree()).categories[0]?.categories.map(({ name }) => name)).toEqual(
      SUBJECTS.toSorted().map((each) => `big/${each}`),
    )
  })

  test('tools that a caller may not see change no category, no name and no count, also of clusters', async () => {
    const hidden = fc.uniqueArray(fc.nat(library.length - 1), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(hidden, async (secret) => {
        const all = library.map(({ name }, at) => make(name, secret.includes(at) ? { permissions: ['x'] } : {}))
        const whole = await catalog(all.toReversed())
        const part = await catalog(all.filter(({ permissions }) => permissions.length === 0))
        const tree = await whole.tree()
        expect(tree).toEqual(await part.tree())
        for (const { name } of tree.categories) expect(await whole.browse(name)).toEqual(await part.browse(name))
      }),
      { numRuns: 60 },
    )
  })

  test('raise a tool whose category has others among the first, and never hide one of another category', async () => {
    const rest = library.map(({ name }) => make(name))
    const one = make('find_order', { tags: ['shop'] })
    const two = make('find_orders', { tags: ['other_shop'] })
    const build = async (categoriesFrom?: number) => {
      const tools = await catalog([...rest, one, two, make('pay_order', { tags: ['other_shop'] })], { categoriesFrom })
      return (await tools.select('find an order')).tools.map(({ tool: { name }, score }) => ({ name, score }))
    }
    const scoreIn = (found: Awaited<ReturnType<typeof build>>, name: string) => found.find((each) => each.name === name)?.score ?? 0
    const [with_, without] = [await build(), await build(1000)]
    const gain = (name: string): number => scoreIn(with_, name) - scoreIn(without, name)
    expect(gain('find_orders')).toBeGreaterThan(gain('find_order'))
    expect(with_.map(({ name }) => name)).toContain('find_order')
  })

  test('a model looks around by search_tools: the categories, the tools of one, and a hint for a wrong name', async () => {
    const tools = await catalog([make('alone')])
    await tools.add(
      library.slice(0, 45).map(({ name }) => make(name)),
      { server: 'library' },
    )
    const { search } = searchTools(tools)
    expect((await search.call({ category: '*' })).text).toBe('library: 45 tools\nother: 1 tool')
    const first = await search.call({ category: 'library' })
    expect(first.text.split('\n')).toHaveLength(41)
    expect((await search.call({ category: 'library', page: 2 })).text.split('\n')).toHaveLength(5)
    expect((await search.call({ category: 'libary' })).text).toContain("Did you mean 'library'?")
  })

  test('10,000 tools without servers or tags take at most two seconds of the processor to be divided', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => make(`${VERBS[at % 12]}_${SUBJECTS[at % 6]}_${at}`))
    const tools = await catalog(many)
    const start = process.cpuUsage()
    const { categories } = await tools.tree()
    const { user, system } = process.cpuUsage(start)
    expect(categories.length).toBeGreaterThan(3)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})
