import { type ChildProcess, fork } from 'node:child_process'
import { once as onceEmitted } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type IdempotencyDatabase, startIdempotencyDatabase } from '../../test/fixtures/postgres/idempotency-database.ts'
import type { CallersOrder } from '../../test/fixtures/postgres/idempotent-callers.ts'
import { idempotent } from '../combinators/idempotent/idempotent.ts'
import type { KeyClaim } from '../tool/ports/idempotency-store.ts'
import { tool } from '../tool/tool.ts'
import { type PostgresIdempotency, postgresIdempotency } from './postgres-idempotency.ts'

let database: IdempotencyDatabase
let store: PostgresIdempotency
const children = new Set<ChildProcess>()

beforeAll(async () => {
  database = await startIdempotencyDatabase()
  store = postgresIdempotency(database.pool)
}, 60_000)

beforeEach(async () => {
  await database.pool.query('TRUNCATE toolwright.idempotency, effect')
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await database.stop()
})

const HOUR = 3_600_000
const claimOf = (holder: string, more: Partial<KeyClaim> = {}): KeyClaim => ({
  ...{ tool: 'pay@1.0.0', inputHash: 'h', leaseMs: HOUR, keepMs: 24 * HOUR, takesOver: false, holder },
  ...more,
})

async function startCallers(order: Omit<CallersOrder, 'config'>): Promise<{ child: ChildProcess; texts: Promise<readonly string[]> }> {
  const file = join(import.meta.dirname, '../../test/fixtures/postgres/idempotent-callers.ts')
  const child = fork(file, { execArgv: [] })
  children.add(child)
  await onceEmitted(child, 'message')
  const texts = onceEmitted(child, 'message').then(([given]) => given as readonly string[])
  child.send({ ...order, config: database.server.config })
  return { child, texts }
}

async function effects(): Promise<readonly { name: string; tool_key: string }[]> {
  return (await database.pool.query<{ name: string; tool_key: string }>('SELECT name, tool_key FROM effect')).rows
}

describe('keys in PostgreSQL', () => {
  test('are given to one of many who claim at once [G4]', async () => {
    const claims = Array.from({ length: 200 }, (_, n) => store.claim(`key ${n % 10}`, claimOf(`holder ${n}`)))
    const states = (await Promise.all(claims)).map(({ state }) => state)
    expect(states.filter((state) => state === 'mine')).toHaveLength(10)
    expect(states.filter((state) => state === 'busy')).toHaveLength(190)
  })

  test('that were left by a dead holder are taken over by one of many who may repeat it', async () => {
    await store.claim('k', claimOf('dead'))
    await database.pass(HOUR)
    const claims = Array.from({ length: 50 }, (_, n) => store.claim('k', claimOf(`heir ${n}`, { takesOver: true })))
    expect((await Promise.all(claims)).filter(({ state }) => state === 'mine')).toHaveLength(1)
  })

  test('run a tool once for each key, whichever of three processes asks [G4] [I4]', { timeout: 60_000 }, async () => {
    const keys = ['a', 'b', 'c', 'd']
    const order = { keys, callersPerKey: 15, lease: 30_000, repeatable: false, hangs: false } as const
    const started = await Promise.all([1, 2, 3].map(() => startCallers(order)))
    const texts = (await Promise.all(started.map((each) => each.texts))).flat()
    expect(texts).toHaveLength(180)
    expect(new Set(texts).size).toBe(4)
    expect((await effects()).map(({ name }) => name).toSorted()).toEqual(keys)
  })

  test('of a process that was killed are run again by the next, under the same key of the tool [G4]', { timeout: 30_000 }, async () => {
    const killed = await killHolder('keyed')
    const result = await callHere('keyed')
    expect(result.text).toBe('done here')
    const done = await effects()
    expect(done.map(({ tool_key }) => tool_key)).toEqual([done[0]?.tool_key, done[0]?.tool_key])
    expect(killed).toBe(true)
  })

  test('of a process that was killed are left open where repeating could do harm [G4]', { timeout: 30_000 }, async () => {
    await killHolder(false)
    expect(await callHere(false)).toMatchObject({ ok: false, error: { code: 'outcome_unknown', outcome: 'unknown' } })
    expect(await effects()).toHaveLength(1)
  })

  /** A process that takes effect, then dies without a word. */
  async function killHolder(repeatable: 'keyed' | false): Promise<boolean> {
    const { child, texts } = await startCallers({ keys: ['k'], callersPerKey: 1, lease: 900, repeatable, hangs: true })
    texts.catch(() => {})
    while ((await effects()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const exited = onceEmitted(child, 'exit')
    const killed = child.kill('SIGKILL')
    await exited
    return killed
  }

  function callHere(repeatable: 'keyed' | false) {
    const effect = tool({
      name: 'effect',
      description: 'Takes effect.',
      effect: 'irreversible',
      idempotent: repeatable,
      execute: async (name, { idempotencyKey }) => {
        await database.pool.query('INSERT INTO effect (name, tool_key) VALUES ($1, $2)', [name, idempotencyKey])
        return 'done here'
      },
    })
    return idempotent(effect, { key: (name) => name, store }).call('k')
  }

  test('that are free again wake those who wait for them, and an aborted wait ends', async () => {
    const claimed = await store.claim('k', claimOf('a'))
    if (claimed.state !== 'mine') throw new Error(claimed.state)
    const controller = new AbortController()
    const aborted = store.changed?.('k', HOUR, controller.signal)
    const waiting = store.changed?.('k', HOUR, new AbortController().signal)
    controller.abort()
    await aborted
    await store.settle('k', claimed.fence, undefined)
    await waiting
    expect((await store.claim('k', claimOf('b'))).state).toBe('mine')
  })

  test('keep every value that data can hold, and a time without end', async () => {
    const claimed = await store.claim('k', claimOf('a', { keepMs: Infinity, leaseMs: Infinity }))
    if (claimed.state !== 'mine') throw new Error(claimed.state)
    const result = { text: 'nul \u0000 lone \ud800 quote \' " \\', nested: [null, true, 1e300] }
    expect(await store.settle('k', claimed.fence, result)).toBe(true)
    await database.pass(1000 * HOUR)
    expect(await store.claim('k', claimOf('b'))).toEqual({ state: 'done', result })
  })

  test('past their time are swept, but none that is held', async () => {
    for (const key of ['done', 'open', 'held']) {
      const claimed = await store.claim(key, claimOf(key, { keepMs: HOUR, leaseMs: key === 'held' ? 9 * HOUR : 1000 }))
      if (claimed.state === 'mine' && key === 'done') await store.settle(key, claimed.fence, 'answer')
    }
    expect(await store.sweep()).toBe(0)
    await database.pass(2 * HOUR)
    expect(await store.sweep()).toBe(2)
    expect((await store.claim('held', claimOf('other'))).state).toBe('busy')
  })
})
