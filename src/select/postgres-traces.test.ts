import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StartedPostgres, startPostgres } from '../../test/fixtures/postgres/start-postgres.ts'
import { tool } from '../tool/tool.ts'
import { catalog, type Catalog } from './catalog.ts'
import { postgresTraces } from './postgres-traces.ts'
import type { TraceStore } from './trace-store.ts'

let server: StartedPostgres
const pools: pg.Pool[] = []

/** As another process has it. */
function newStore(app: string): TraceStore & { readonly pool: pg.Pool } {
  const pool = new pg.Pool({ ...server.config, max: 4 })
  pool.on('error', () => {})
  pools.push(pool)
  return { ...postgresTraces(pool, { app }), pool }
}

beforeAll(async () => {
  server = await startPostgres()
}, 60_000)

afterAll(async () => {
  for (const pool of pools) await pool.end()
  await server.stop()
})

const TOOLS = ['alpha', 'beta'].map((name) => tool({ name, description: `Is called ${name}.`, effect: 'read', execute: () => name }))
const open = (store: TraceStore): Promise<Catalog> => catalog(TOOLS, { store })
const texts = (tools: Catalog): string[] =>
  tools
    .traces()
    .map(({ text }) => text)
    .toSorted()
const trace = (text: string, principal = 'ada') => ({ text, tool: 'beta', served: true, principal })

describe('traces in a database [S4]', () => {
  test('what one process learns, the others learn too, whatever characters it has, and other apps do not', async () => {
    const one = await open(newStore('one:test'))
    await one.learn([trace('book a table \u0000 \ud800 for two'), trace('reserve dinner')])
    const two = await open(newStore('one:test'))
    expect(texts(two)).toEqual(texts(one))
    expect((await two.select('a table for two')).tools[0]?.tool.name).toBe('beta')
    expect(texts(await open(newStore('other:test')))).toEqual([])
  })

  test('processes that learn at once lose nothing and count nothing twice, while others read', async () => {
    const stores = [1, 2, 3].map(() => newStore('many:test'))
    const writers = await Promise.all(stores.map(open))
    const reader = await open(newStore('many:test'))
    const isOver = Promise.all(
      writers.map(async (each, writer) => {
        for (let round = 0; round < 10; round++)
          await each.learn([trace(`request number${writer} round${round}`), trace(`wish number${writer} round${round}`)])
      }),
    )
    for (let reads = 0; reads < 10; reads++) await reader.sync()
    await isOver
    await reader.sync()
    for (const each of writers) await each.sync()
    expect(texts(reader)).toHaveLength(60)
    for (const each of writers) expect(texts(each)).toEqual(texts(reader))
    expect((await stores[0]?.since(undefined))?.traces).toHaveLength(60)
  })

  test('a trace whose writing failed, or seemed to fail, is written later, and once', async () => {
    const inner = newStore('shaky:test')
    let failures: ('before' | 'after')[] = ['before', 'after', 'before']
    const shaky: TraceStore = {
      ...inner,
      add: async (traces) => {
        const failure = failures.shift()
        if (failure === 'before') throw new Error('The connection is gone.')
        await inner.add(traces)
        if (failure === 'after') throw new Error('The answer did not come.')
      },
    }
    const tools = await open(shaky)
    await expect(tools.learn([trace('first wish')])).rejects.toThrow('gone')
    await expect(tools.learn([trace('second wish')])).rejects.toThrow('did not come')
    failures = []
    await tools.sync()
    expect((await inner.since(undefined)).traces.map(({ text }) => text)).toEqual(['first wish', 'second wish'])
    expect(texts(tools)).toEqual(['first wish', 'second wish'])
  })

  test('what is forgotten is gone in every process, by principal and by tool', async () => {
    const one = await open(newStore('forget:test'))
    const two = await open(newStore('forget:test'))
    await one.learn([trace('wish of ada'), trace('wish of bob', 'bob')])
    await two.sync()
    expect(texts(two)).toHaveLength(2)
    expect(await one.forget({ principal: 'ada' })).toBe(1)
    await two.learn([trace('later wish', 'eve')])
    await two.sync()
    await one.sync()
    expect(texts(two)).toEqual(['later wish', 'wish of bob'])
    expect(texts(one)).toEqual(texts(two))
    expect(await two.forget({ tool: 'beta' })).toBe(2)
    expect(texts(await open(newStore('forget:test')))).toEqual([])
  })

  test('a tool keeps its newest 200 traces, and a row that is no trace is left out', async () => {
    const store = newStore('bound:test')
    const many = Array.from({ length: 450 }, (_, at) => ({ ...trace(`wish number${at}`), at, id: `t${at}` }))
    await store.add(many.slice(0, 250))
    await store.add(many.slice(250))
    const { traces } = await store.since(undefined)
    expect([traces.length, traces[0]?.text, traces.at(-1)?.text]).toEqual([200, 'wish number250', 'wish number449'])
    const [row] = (
      await store.pool.query<{ schema: string }>(
        "select table_schema as schema from information_schema.tables where table_name = 'selection_trace' and table_schema like '%bound%'",
      )
    ).rows
    await store.pool.query(`update "${row?.schema}".selection_trace set trace = 'broken' where id = 't449'`)
    expect((await store.since(undefined)).traces).toHaveLength(199)
    expect((await store.since('nonsense')).traces).toHaveLength(199)
  })
})
