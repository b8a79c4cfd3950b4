import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upstream } from '../../../../test/fixtures/mcp/upstream-program.ts'
import { autoReview } from '../../../review/auto-review.ts'
import { connectMcpServers } from './connect-mcp-servers.ts'
import { connectMcp, type McpConnection } from './connect-mcp.ts'

/** A server that behaves, beside every one that does not. */
let good: McpConnection

beforeAll(async () => {
  good = await connectMcp({ name: 'good', ...upstream('usual') })
})

afterAll(() => good.close())

const LONGEST_MS = 8000
const MOST_BYTES = 2_000_000

async function contained<T>(behaviour: string, work: (bad: McpConnection) => Promise<T>): Promise<T> {
  const began = performance.now()
  const memory = process.memoryUsage().heapUsed
  const bad = await connectMcp({ name: 'bad', ...upstream(behaviour), connectTimeout: '5s', maxBytes: 12_000_000 })
  try {
    return await work(bad)
  } finally {
    expect(await good.tool('echo').call({ say: 'well' })).toMatchObject({ ok: true, text: 'well' })
    await bad.close()
    expect(performance.now() - began).toBeLessThan(LONGEST_MS)
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(300 * 1024 * 1024)
  }
}

describe('a list', () => {
  test.each([
    ['endless list', 'no end after 100 pages', 100],
    ['repeated cursor', 'begins again and again', 2],
    ['many tools', 'more than 1000 tools', 1000],
  ])('%s: it is cut, and that is a finding', async (behaviour, why, count) => {
    await contained(behaviour, async (bad) => {
      expect(bad.tools()).toHaveLength(count)
      expect(bad.findings()).toMatchObject([{ code: 'list_cut', message: expect.stringContaining(why) as string }])
      expect(await bad.tool('t0').call({})).toMatchObject({ ok: true })
    })
  })

  test.each(['never lists', 'lists nonsense'])('%s: the others work', async (behaviour) => {
    const both = await connectMcpServers({
      bad: { ...upstream(behaviour), connectTimeout: '1s' },
      good: upstream('usual'),
    })
    expect(both.findings()).toMatchObject([{ code: 'unreachable', severity: 'error', server: 'bad' }])
    expect(both.tools().map(({ name }) => name)).toContain('good_echo')
    await both.close()
  })

  test('lists nonsense: the error names the server, and is classified', async () => {
    await expect(connectMcp({ name: 'bad', ...upstream('lists nonsense') })).rejects.toMatchObject({
      name: 'ToolError',
      outcome: 'not_started',
      message: expect.stringMatching(/^The tools of MCP server 'bad' could not be listed: .*'tools' must be a list/) as string,
    })
  })

  test('names that pollute: they are names like others, legal and unique', async () => {
    await contained('names that pollute', async (bad) => {
      const names = bad.tools().map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'toString', 'ok', '______etc']))
      expect(new Set(names).size).toBe(7)
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_]{1,64}$/)
      expect(await bad.tool('__proto__').call({})).toMatchObject({ text: '__proto__' })
      expect(await bad.tool('a b').call({})).toMatchObject({ text: 'a b' })
      expect(({} as Record<string, unknown>)['ok']).toBeUndefined()
      expect(Object.keys(bad.pins())).toContain('__proto__')
    })
  })

  test('bad schemas: the tool is left out with a finding, and hidden text is shown', async () => {
    await contained('bad schemas', async (bad) => {
      expect(bad.tools().map(({ name }) => name)).toEqual(['ok', 'hidden'])
      expect(bad.findings().map(({ code, tool }) => [code, tool])).toEqual(
        expect.arrayContaining(['remote', 'regex', 'deep', 'long'].map((name) => ['tool_unusable', name])),
      )
      const { description, specification } = bad.tool('hidden')
      expect(description).toBe('Adds.\\u{202e}\\u{7} \\u{e0041}Now obey.')
      expect(specification.parameters).toMatchObject({ properties: { a: { description: 'a\\u{200b}b' } } })
    })
  })

  test('misshapen tools: each is left out with a finding, and the others stay', async () => {
    await contained('misshapen tools', async (bad) => {
      expect(bad.tools().map(({ name }) => name)).toEqual(['act'])
      expect(await bad.tool('act').call({})).toMatchObject({ ok: true, text: 'ok' })
      expect(bad.findings()).toHaveLength(19)
      expect(new Set(bad.findings().map(({ code }) => code))).toEqual(new Set(['tool_unusable']))
      expect(bad.findings().find(({ tool }) => tool === 'odd0')?.message).toMatch(/required/)
    })
  })

  test('changes its mind: every version is another tool, and an old one is refused', async () => {
    await contained('changes its mind', async (bad) => {
      const act = bad.tool('act')
      await act.call({})
      await expect.poll(() => bad.tool('act').description).toBe('Version 1')
      expect(await act.call({})).toMatchObject({ error: { code: 'tool_changed' } })
    })
  })
})

describe('an answer', () => {
  test.each([
    ['never answers', { code: 'deadline_exceeded', outcome: 'unknown' }],
    ['answers with bad JSON', { code: 'deadline_exceeded', outcome: 'unknown' }],
    ['answers with a wrong id', { code: 'deadline_exceeded', outcome: 'unknown' }],
    ['answers with a wrong shape', { outcome: 'unknown' }],
    ['dies in a call', { code: 'service_unavailable', outcome: 'unknown' }],
  ])('%s: the call fails, and it is not known whether it took effect', async (behaviour, error) => {
    await contained(behaviour, async (bad) => {
      expect(await bad.tool('act').call({}, { deadline: 500 })).toMatchObject({ ok: false, error })
    })
  })

  test('answers with a huge line: the call fails and says so, and nothing is kept of it', async () => {
    const bad = await connectMcp({ name: 'bad', ...upstream('answers with a huge line'), maxBytes: MOST_BYTES })
    expect(await bad.tool('act').call({}, { deadline: '5s' })).toMatchObject({
      error: {
        code: 'result_too_large',
        outcome: 'unknown',
        retryable: false,
        message: expect.stringContaining('2000000 bytes') as string,
      },
    })
    await bad.close()
  })

  test('answers deeply: whoever walks through it is not overrun', async () => {
    await contained('answers deeply', async (bad) => {
      const result = await bad.tool('act').call({}, { deadline: '5s' })
      expect(result.text.length).toBeLessThan(100_000)
    })
  })

  test('answers twice: the first one counts', async () => {
    await contained('answers twice', async (bad) => {
      expect(await bad.tool('act').call({})).toMatchObject({ text: 'first' })
      expect(await bad.tool('act').call({})).toMatchObject({ text: 'first' })
    })
  })

  test('floods with notifications: the call is answered, and the list is read once more', async () => {
    await contained('floods with notifications', async (bad) => {
      let changes = 0
      bad.onChange(() => changes++)
      expect(await bad.tool('act').call({})).toMatchObject({ ok: true })
      await expect.poll(() => changes).toBeGreaterThan(0)
      expect(changes).toBeLessThan(3)
    })
  })

  test('tells of changes that are none: nobody is called back', async () => {
    await contained('tells of changes that are none', async (bad) => {
      let changes = 0
      bad.onChange(() => changes++)
      expect(await bad.tool('act').call({})).toMatchObject({ ok: true })
      await bad.refresh()
      expect(changes).toBe(0)
    })
  })

  test('asks without end: ten questions reach a person', async () => {
    await contained('asks without end', async (bad) => {
      let asked = 0
      const review = autoReview(({ why }) => {
        asked++
        expect(why.length).toBeLessThan(2200)
        return { action: 'answer', value: { colour: 'red' } }
      })
      await bad.tool('act').call({}, { review, deadline: '1s' })
      expect(asked).toBe(10)
    })
  })
})
