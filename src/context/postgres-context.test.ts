import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StartedPostgres, startPostgres } from '../../test/fixtures/postgres/start-postgres.ts'
import { contextMemory } from './memory/memory.ts'
import { outputRouter } from './output-router.ts'
import { postgresContext } from './postgres-context.ts'

let server: StartedPostgres
const pools: pg.Pool[] = []

/** As another process has it. */
function newContext(app = 'desk:test', key?: string, formerKeys: readonly string[] = []) {
  const pool = new pg.Pool({ ...server.config, max: 4 })
  pool.on('error', () => {})
  pools.push(pool)
  return postgresContext(pool, { app, ...(key === undefined ? {} : { encryption: { key, formerKeys } }) })
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

describe('a context with a key', () => {
  const [key, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
  const owner = { principal: 'ada-the-owner', session: 'chat-1' }
  const stored = { text: 'the secret text', provenance: { tool: 'find@1.0.0', invocationId: 'c', timestamp: 0 } }

  async function everything(app: string): Promise<string> {
    const pool = pools.at(-1)
    const { rows } = (await pool?.query<{ schema: string }>(
      "SELECT table_schema AS schema FROM information_schema.tables WHERE table_name = 'stored_output'",
    )) ?? { rows: [] }
    const schema = rows.find(({ schema: each }) => each.includes(app))?.schema
    const read = await pool?.query(
      `SELECT owner || convert_from(output, 'UTF8') AS text FROM ${schema}.stored_output UNION ALL SELECT scope || convert_from(entry, 'UTF8') FROM ${schema}.memory`,
    )
    return JSON.stringify(read?.rows)
  }

  test('[R4] [R5] seals outputs and memories, and whose they are, each for its place', async () => {
    const context = newContext('sealed:test', key)
    await context.outputs.put('out_1', stored, owner)
    const memory = contextMemory({ store: context.memories })
    await memory.remember('The secret text is remembered.', 'session', owner)
    expect(await everything('sealed')).not.toMatch(/secret|ada-the-owner/)
    expect(await context.outputs.get('out_1', owner)).toEqual(stored)
    expect(await context.outputs.get('out_1', { ...owner, session: 'chat-2' })).toBeUndefined()
    expect(await memory.recall('secret', owner)).toHaveLength(1)
    // With a new key, what the former one has sealed is still found.
    expect(await newContext('sealed:test', other, [key]).outputs.get('out_1', owner)).toEqual(stored)
    expect(await newContext('sealed:test', other).outputs.get('out_1', owner)).toBeUndefined()
  })

  test('opens nothing that was moved to another place', async () => {
    const context = newContext('moved:test', key)
    await context.outputs.put('out_1', stored, owner)
    await context.outputs.put('out_2', { ...stored, text: 'another' }, owner)
    const { rows } = (await pools
      .at(-1)
      ?.query<{ schema: string }>(
        "SELECT table_schema AS schema FROM information_schema.tables WHERE table_name = 'stored_output' AND table_schema LIKE '%moved%'",
      )) ?? { rows: [] }
    const table = `${rows[0]?.schema}.stored_output`
    await pools.at(-1)?.query(`UPDATE ${table} SET output = (SELECT output FROM ${table} WHERE pointer = 'out_1') WHERE pointer = 'out_2'`)
    const error = await context.outputs.get('out_2', owner).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'seal_broken', message: expect.stringContaining("'out_2'") as string })
    // Whose it was is nobody else's to read.
    expect(String(error)).not.toMatch(/ada-the-owner|chat-1/)
    expect(String(error)).toContain('or delete it')
  })

  test('seals what was written before it had one; a process without the key writes nothing after that', async () => {
    const plain = newContext('later:test')
    await plain.outputs.put('out_1', stored, owner)
    await contextMemory({ store: plain.memories }).remember('The secret text is remembered.', 'session', owner)
    const context = newContext('later:test', key)
    expect(await context.outputs.get('out_1', owner)).toBeUndefined()
    expect(await context.seal()).toBe(2)
    expect(await context.seal()).toBe(0)
    expect(await context.outputs.get('out_1', owner)).toEqual(stored)
    expect(await contextMemory({ store: context.memories }).recall('secret', owner)).toHaveLength(1)
    await expect(newContext('later:test').outputs.put('out_3', stored, owner)).rejects.toMatchObject({ code: 'missing_encryption_key' })
  })
})
