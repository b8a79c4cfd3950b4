import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { on, once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LearningNews } from '../../test/fixtures/postgres/learning-process.ts'
import { type StartedPostgres, startPostgres } from '../../test/fixtures/postgres/start-postgres.ts'
import { digest } from '../tool/journal/hash.ts'
import { tool } from '../tool/tool.ts'
import { catalog, type Catalog } from './catalog.ts'
import { type PostgresTraces, postgresTraces, type PostgresTracesOptions } from './postgres-traces.ts'
import type { TraceStore } from './trace-store.ts'

let server: StartedPostgres
const pools: pg.Pool[] = []
const children = new Set<ChildProcess>()

/** As another process has it. */
function newStore(app: string, encryption?: PostgresTracesOptions['encryption']): PostgresTraces & { readonly pool: pg.Pool } {
  const pool = new pg.Pool({ ...server.config, max: 4 })
  pool.on('error', () => {})
  pools.push(pool)
  return { ...postgresTraces(pool, { app, encryption }), pool }
}

beforeAll(async () => {
  server = await startPostgres()
}, 60_000)

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
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

  test('so do real processes that start and learn at once, also where one of them is killed', async () => {
    const app = 'processes:test'
    const [ada, bob, killed] = await Promise.all(['ada', 'bob', 'killed'].map((writer) => startLearning({ app, writer, rounds: 80 })))
    if (ada === undefined || bob === undefined || killed === undefined) throw new Error('No process.')
    const written = await killed.until(20)
    await killed.kill()
    await Promise.all([ada.until(80), bob.until(80)])
    const [one, two] = [await ada.texts(), await bob.texts()]
    expect(one.toSorted()).toEqual(two.toSorted())
    expect(new Set(one).size).toBe(one.length)
    const by = (writer: string): number => one.filter((text) => text.includes(`of ${writer} `)).length
    expect([by('ada'), by('bob')]).toEqual([80, 80])
    // All that the store had taken, and what was on its way.
    expect(by('killed')).toBeGreaterThanOrEqual(written)
    const reader = await open(newStore(app))
    expect(texts(reader)).toEqual(one.toSorted())
  }, 60_000)

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
    await store.pool.query(`update ${await table(store.pool, 'bound')} set trace = 'broken' where id = 't449'`)
    expect((await store.since(undefined)).traces).toHaveLength(199)
    expect((await store.since('nonsense')).traces).toHaveLength(199)
  })

  describe('with an encryption key', () => {
    const key = randomBytes(32)
    const former = randomBytes(32)

    /** All that the database holds of an app, as text. */
    const held = async ({ pool }: { readonly pool: pg.Pool }, app: string): Promise<string> => {
      const { rows } = await pool.query<{ text: string }>(
        `select string_agg(tool || ' ' || coalesce(principal, '') || ' ' || convert_from(trace, 'UTF8'), ' ') as text from ${await table(pool, app)}`,
      )
      return rows[0]?.text ?? ''
    }

    test('the database holds no word of a request and nothing that tells whose it is; processes with the key share it', async () => {
      const store = newStore('sealed:test', { key })
      const one = await open(store)
      // Shorter names may be in a sealed text by chance.
      await one.learn([trace('book a table for two', 'ada_lovelace'), trace('reserve dinner', 'bob')])
      const two = await open(newStore('sealed:test', { key }))
      expect(texts(two)).toEqual(['book a table for two', 'reserve dinner'])
      const text = await held(store, 'sealed')
      for (const told of ['table', 'dinner', 'beta', 'ada_lovelace', digest('ada_lovelace'), digest('beta')])
        expect(text).not.toContain(told)
      expect(await two.forget({ principal: 'ada_lovelace' })).toBe(1)
      await one.sync()
      expect(texts(one)).toEqual(['reserve dinner'])
    })

    test('a process without the key neither reads nor writes there, and says so', async () => {
      await (await open(newStore('keyless:test', { key }))).learn([trace('first wish')])
      const store = newStore('keyless:test')
      await expect(open(store)).rejects.toMatchObject({ code: 'missing_encryption_key' })
      await expect(store.add([{ ...trace('second wish'), at: 1, id: 'x' }])).rejects.toMatchObject({ code: 'missing_encryption_key' })
      await expect(open(newStore('keyless:test', { key: former }))).rejects.toMatchObject({ code: 'missing_encryption_key' })
    })

    test('after a change of keys all is read, and forgotten', async () => {
      await (await open(newStore('changed:test', { key: former }))).learn([trace('old wish')])
      const tools = await open(newStore('changed:test', { key, formerKeys: [former] }))
      await tools.learn([trace('new wish')])
      expect(texts(tools)).toEqual(['new wish', 'old wish'])
      expect(await tools.forget({ principal: 'ada' })).toBe(2)
    })

    test('what was plain is not read until it is sealed, and then by every process; a trace of another row opens nowhere', async () => {
      await (await open(newStore('late:test'))).learn([trace('plain wish')])
      const store = newStore('late:test', { key })
      const tools = await open(store)
      await tools.learn([trace('sealed wish')])
      expect(texts(await open(newStore('late:test', { key })))).toEqual(['sealed wish'])
      expect([await store.seal(), await store.seal()]).toEqual([1, 0])
      await tools.sync()
      expect(texts(tools)).toEqual(['plain wish', 'sealed wish'])
      expect(await held(store, 'late')).not.toContain('wish')
      const name = await table(store.pool, 'late')
      await store.pool.query(`update ${name} set trace = (select trace from ${name} order by number limit 1)`)
      expect((await store.since(undefined)).traces.map(({ text }) => text)).toEqual(['plain wish'])
    })

    test('a misspelt option is an error, and so is an option without a key', () => {
      expect(() => newStore('x:test', { kye: key } as never)).toThrow("'kye'")
      expect(() => newStore('x:test', { key: undefined as never })).toThrow('no key')
    })
  })
})

interface Learning {
  /** Waits until so many requests are written. */
  readonly until: (count: number) => Promise<number>
  /** All that the process knows in the end. */
  readonly texts: () => Promise<readonly string[]>
  readonly kill: () => Promise<void>
}

/** Starts a process that learns. */
async function startLearning(order: { readonly app: string; readonly writer: string; readonly rounds: number }): Promise<Learning> {
  const child = fork(join(import.meta.dirname, '../../test/fixtures/postgres/learning-process.ts'), { execArgv: [] })
  children.add(child)
  const exited = once(child, 'exit')
  await once(child, 'message')
  const told = on(child, 'message', { close: ['exit'] })
  child.send({ ...order, config: server.config })
  const next = async (): Promise<LearningNews> => {
    const { value, done } = await told.next()
    if (done === true) throw new Error('The process has ended.')
    return (value as [LearningNews])[0]
  }
  const find = async <T>(wanted: (news: LearningNews) => T | undefined): Promise<T> => {
    for (;;) {
      const found = wanted(await next())
      if (found !== undefined) return found
    }
  }
  return {
    until: (count) => find((news) => ('written' in news && news.written >= count ? news.written : undefined)),
    texts: () => {
      child.send('tell')
      return find((news) => ('texts' in news ? news.texts : undefined))
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function table(pool: pg.Pool, app: string): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_name = 'selection_trace' and table_schema like '%' || $1 || '%'`,
    [app],
  )
  return rows[0]?.name ?? ''
}
