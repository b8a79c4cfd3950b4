import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, stopEmbedded } from 'toolwright/store'
import { chargeByKey } from './by-key.ts'
import { editByPrecondition } from './by-precondition.ts'
import { setByUpsert } from './by-upsert.ts'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

// In a database of its own, whatever the environment says.
process.env['DATABASE_URL'] = ''
const home = await mkdtemp(join(tmpdir(), 'toolwright-example-'))
try {
  const store = await openStore({ home })
  const { pool } = store
  await pool.query(`
    CREATE TABLE charge (order_id text, amount numeric);
    CREATE TABLE page (id text PRIMARY KEY, version integer, text text);
    CREATE TABLE address (customer text PRIMARY KEY, city text);
    INSERT INTO page VALUES ('terms', 4, 'Hello')`)
  const count = async (table: string): Promise<number> => Number((await pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count)

  const charge = chargeByKey(store)
  const answers = await Promise.all(Array.from({ length: 20 }, () => charge.call({ order: 'A-7', amount: 30 })))
  assert.deepEqual([...new Set(answers.map(({ text }) => text))], ['charged 30 for A-7'])
  assert.equal(await count('charge'), 1)
  print(`by key: 20 calls at once, ${await count('charge')} charge`)
  const other = await charge.call({ order: 'A-7', amount: 99 })
  assert.equal(other.ok ? undefined : other.error.code, 'idempotency_conflict')
  print(`by key: another amount for the same order: ${other.text}`)

  const edit = editByPrecondition(store)
  const edits = await Promise.all(['Hi', 'Bye'].map((text) => edit.call({ page: 'terms', seenVersion: 4, text })))
  assert.deepEqual(edits.map(({ ok }) => ok).toSorted(), [false, true])
  print(`by precondition: 2 edits of version 4, ${edits.filter(({ ok }) => ok).length} made`)
  print(`by precondition: the other one: ${edits.find(({ ok }) => !ok)?.text}`)

  const set = setByUpsert(store)
  for (let n = 0; n < 3; n++) await set.call({ customer: 'ada', city: 'London' })
  assert.equal(await count('address'), 1)
  print(`by upsert: 3 calls, ${await count('address')} address`)
  await store.close()
} finally {
  await stopEmbedded(home)
  await rm(home, { recursive: true, force: true })
}
