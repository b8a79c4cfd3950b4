import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StartedPostgres, startPostgres } from '../../test/fixtures/postgres/start-postgres.ts'
import { contextMemory } from './memory/memory.ts'
import { outputRouter } from './output-router.ts'
import { postgresContext } from './postgres-context.ts'

let server: StartedPostgres
const pools: pg.Pool[] = []

/** As another process has it. */
function newContext(app = 'desk:test') {
  const pool = new pg.Pool({ ...server.config, max: 4 })
  pool.on('error', () => {})
  pools.push(pool)
  return postgresContext(pool, { app })
}

beforeAll(async () => {
  server = await startPostgres()
}, 60_000)

afterAll(async () => {
  for (const pool of pools) await pool.end()
  await server.stop()
})

const orders = Array.from({ length: 500 }, (_, at) => ({ id: `A-${at}`, note: 'odd \u0000 \ud800 text', total: at, at: new Date(at) }))
const result = {
  ok: true,
  text: JSON.stringify({ orders }),
  value: { orders },
  provenance: { tool: 'find@1.0.0', invocationId: 'c', timestamp: 0 },
} as const
const ada = { principal: { id: 'ada', permissions: [] }, session: 'chat-1' }

describe('outputs in a database', () => {
  test('[R4] are read by another process, whatever characters they have, and by nobody else', async () => {
    const first = outputRouter({ budget: { window: 16_000, maxOutput: 500 }, store: newContext().outputs }).conversation(ada)
    const { pointer = '' } = await first.admit(result)
    const read = async (app: string, who: object): Promise<string> => {
      const { readOutput } = outputRouter({ budget: 16_000, store: newContext(app).outputs }).conversation({ ...ada, ...who })
      return (await readOutput.call({ pointer, path: 'orders[7]' })).text
    }
    expect(JSON.parse(await read('desk:test', {}))).toMatchObject({ id: 'A-7', note: 'odd \u0000 \ud800 text' })
    expect(await read('desk:test', { session: 'chat-2' })).toMatch(/^Error: There is no stored output/)
    expect(await read('other:test', {})).toMatch(/^Error: There is no stored output/)
  })

  test('[R5] memories too, without duplicates over processes; what is past its time is swept', async () => {
    const [one, other] = [newContext(), newContext()]
    const owner = { principal: 'ada', session: 'chat-1' }
    const first = contextMemory({ store: one.memories })
    const second = contextMemory({ store: other.memories, keep: { working: 1 } })
    expect(await first.remember('Ada pays by invoice.', 'session', owner)).toMatchObject({ isNew: true })
    expect(await second.remember('Ada pays by invoice.', 'session', owner)).toMatchObject({ isNew: false })
    expect(await second.recall('invoice', owner)).toMatchObject([{ text: 'Ada pays by invoice.', layer: 'session' }])
    await second.remember('The basket is empty.', 'working', owner)
    await expect.poll(() => other.sweep()).toBe(1)
  })
})
