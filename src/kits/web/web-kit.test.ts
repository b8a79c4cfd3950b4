import { expect, test } from 'vitest'
import { resolve } from '../../tool/resolve/resolve.ts'
import { localSearch } from './search/local-search.ts'
import { webKit } from './web-kit.ts'

test('the kit holds the tools of the web, all of which only read; without an engine it does not search [T17]', async () => {
  const { tools } = await resolve(webKit({ search: localSearch([]) }))
  expect(tools.map(({ name, effect, idempotent }) => [name, effect, idempotent])).toEqual([
    ['web_search', 'read', true],
    ['web_scrape', 'read', true],
  ])
  expect(webKit().map(({ name }) => name)).toEqual(['web_scrape'])
})

test('what the kit is told about access reaches its tools [T17]', async () => {
  const kit = await resolve(webKit({ access: { denyHosts: ['example.com'] } }))
  expect((await kit.call('web_scrape', '{"url":"http://example.com/"}')).text).toContain('denied hosts')
})
