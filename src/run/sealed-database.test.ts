import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../test/fixtures/run/noting-tools.ts'
import { gate } from '../combinators/gate/gate.ts'
import { idempotent } from '../combinators/idempotent/idempotent.ts'
import type { EncryptionOptions } from './database-options.ts'

const database = durableRuns()
const [A, B] = [randomBytes(32), randomBytes(32)]
const missing = { code: 'missing_encryption_key' }

function sealedWith(encryption: EncryptionOptions | undefined) {
  return { database: { home: database.home, encryption } }
}

describe('after a change of keys', () => {
  test('the same start gives the same run, and the same idempotent call the same answer', async () => {
    const { noting, done } = notingTools()
    const pay = idempotent(noting('pay'), { key: (who: string) => who })
    const before = await database.open([pay], sealedWith({ key: A }))
    const run = await before.start(pay, 'ann', { key: 'order-1' })
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay' })
    await before.close()
    const after = await database.open([pay], sealedWith({ key: B, formerKeys: [A] }))
    expect((await after.start(pay, 'ann', { key: 'order-1' })).id).toBe(run.id)
    await expect(after.start(pay, 'bob', { key: 'order-1' })).rejects.toMatchObject({ code: 'key_conflict' })
    expect(await (await after.start(pay, 'ann')).result()).toMatchObject({ ok: true, value: 'ann>pay' })
    expect(await pay.call('ann', { stores: { idempotency: after.idempotency } })).toMatchObject({ ok: true, value: 'ann>pay' })
    expect(done).toEqual(['pay ann'])
  })

  test('a process with the new key alone says that the former one is missing, not that the input is another', async () => {
    const { noting, done } = notingTools()
    const pay = idempotent(noting('pay'), { key: (who: string) => `${who}, once more` })
    const before = await database.open([pay], sealedWith({ key: A }))
    await (await before.start(pay, 'ann', { key: 'order-1' })).result()
    await before.close()
    const after = await database.open([pay], sealedWith({ key: B }))
    await expect(after.start(pay, 'ann', { key: 'order-1' })).rejects.toMatchObject(missing)
    await expect(pay.call('ann', { stores: { idempotency: after.idempotency } })).rejects.toMatchObject(missing)
    const { id } = await after.start(pay, 'ann')
    await untilStatus(after, id, 'blocked')
    expect((await (await after.get(id)).status()).why).toMatchObject(missing)
    expect(done).toEqual(['pay ann'])
  })
})

describe('a process without a key, on a database with sealed values', () => {
  test('writes nothing, says why, and lists what is there', async () => {
    const { noting, done } = notingTools()
    const [pay, mail] = [gate(noting('pay')), noting('mail')]
    const once = idempotent(noting('once'), { key: (who: string) => who })
    const right = await database.open([pay], { ...sealedWith({ key: A }), worker: false })
    const { id } = await right.start(pay, 'ann')
    const warnings: string[] = []
    const wrong = await database.open([mail, once], { warn: (message) => warnings.push(message) })
    expect(warnings).toEqual([expect.stringContaining('database.encryption.key')])
    await expect(wrong.start(mail, 'ann')).rejects.toMatchObject({
      ...missing,
      message: expect.stringContaining('database.encryption.key'),
    })
    await expect((await wrong.get(id)).cancel('unwanted')).rejects.toMatchObject(missing)
    await expect(once.call('ann', { stores: { idempotency: wrong.idempotency } })).rejects.toMatchObject(missing)
    expect(await wrong.list()).toMatchObject([{ id, tool: 'pay' }])
    expect(done).toEqual([])
  })

  test('goes on with no run, not even with a plain or a cancelled one', async () => {
    const { noting, done } = notingTools()
    const [pay, mail] = [noting('pay'), noting('mail')]
    const plain = await database.open([mail], { worker: false })
    const before = await plain.start(mail, 'ann')
    const right = await database.open([pay], { ...sealedWith({ key: A }), worker: false })
    const cancelled = await right.start(pay, 'bob')
    await cancelled.cancel('unwanted')
    await database.open([pay, mail])
    for (const { id } of [before, cancelled]) {
      await untilStatus(right, id, 'blocked')
      expect((await (await right.get(id)).status()).why).toMatchObject(missing)
    }
    expect(done).toEqual([])
    const worker = await database.open([pay], sealedWith({ key: A }))
    await cancelled.resume()
    expect(await (await worker.get(cancelled.id)).result()).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(done).toEqual([])
  })

  test('is not refused once no sealed run is left', async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const right = await database.open([pay], sealedWith({ key: A }))
    await (await right.start(pay, 'ann')).result()
    await right.prune({ keep: 0 })
    await right.close()
    const plain = await database.open([pay])
    expect(await (await plain.start(pay, 'bob')).result()).toMatchObject({ ok: true, value: 'bob>pay' })
  })
})

test('whether there are sealed runs is looked up in an index that has no others', async () => {
  const { noting } = notingTools()
  const asks = gate(noting('asks'))
  const runs = await database.open([asks], sealedWith({ key: A }))
  await openRequest(runs, (await runs.start(asks, 'ann')).id)
  const client = await runs.store.pool.connect()
  try {
    await client.query('SET enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT EXISTS (SELECT FROM toolwright.run WHERE input_hash LIKE '%.%')`,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('run_sealed')
    await client.query('RESET enable_seqscan')
  } finally {
    client.release()
  }
})
