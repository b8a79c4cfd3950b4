import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { tool } from '../../tool/tool.ts'
import type { OpenedRuns } from '../open-runs.ts'
import { sealPlain } from '../postgres/seal-plain.ts'
import { inEntry, inRun } from './place.ts'
import { Values } from './values.ts'

const database = durableRuns()
const MARKER = 'marker-of-a-secret'
const TABLES = ['run', 'entry', 'approval', 'event', 'artifact'] as const

/** The tables in which some row shows the marker. */
async function tablesThatShow({ store }: OpenedRuns, marker: string): Promise<readonly string[]> {
  const shown: string[] = []
  for (const table of TABLES) {
    const { rowCount } = await store.pool.query(`SELECT 1 FROM toolwright.${table} AS t WHERE t::text LIKE $1 LIMIT 1`, [`%${marker}%`])
    if (rowCount !== 0) shown.push(table)
  }
  const { rowCount } = await store.pool.query('SELECT 1 FROM toolwright_queue.job AS t WHERE t::text LIKE $1', [`%${marker}%`])
  return rowCount === 0 ? shown : [...shown, 'job']
}

/** Inputs, outputs, large outputs, requests, decisions, progress and failures, all with the marker. */
function telling() {
  const { noting } = notingTools()
  const large = tool({
    name: 'large',
    description: 'Gives much.',
    effect: 'read',
    execute: (input, { progress }) => {
      progress(`working on ${input}`)
      return `${input} ${'x'.repeat(100_000)}`
    },
  })
  const fail = tool({
    name: 'fail',
    description: 'Fails.',
    effect: 'write',
    execute: (input): string => {
      if (String(input).startsWith('mistaken')) throw new ConfigurationError('undeclared_part', `a mistake about ${input}`)
      throw new Error(`nothing known of ${MARKER}`)
    },
  })
  return { settle: pipe(noting('look'), large, gate(noting('pay'))), failing: pipe(noting('look'), gate(fail)) }
}

async function tellAll(runs: OpenedRuns, { settle, failing }: ReturnType<typeof telling>): Promise<void> {
  const run = await runs.start(settle, `ann ${MARKER}`)
  await runs.inbox.edit(await openRequest(runs, run.id), { input: `bob ${MARKER}` }, 'ada')
  expect(await run.result()).toMatchObject({ ok: true, value: `bob ${MARKER}>pay` })
  const failed = await runs.start(failing, `ann ${MARKER}`)
  await runs.inbox.approve(await openRequest(runs, failed.id))
  expect(await failed.result()).toMatchObject({ ok: false, error: { message: `nothing known of ${MARKER}` } })
  for await (const event of run.events()) expect(event.no).toBeGreaterThan(0)
  const cancelled = await runs.start(settle, 'ann')
  const request = await openRequest(runs, cancelled.id)
  await runs.inbox.assign(request, `ada ${MARKER}`)
  expect(await runs.inbox.list({ assignee: `ada ${MARKER}` })).toMatchObject([{ assignee: `ada ${MARKER}` }])
  expect(await runs.inbox.list({ assignee: 'ada' })).toEqual([])
  await cancelled.cancel(`not for ${MARKER}`)
  await cancelled.result()
  const blocked = await runs.start(failing, `mistaken ${MARKER}`)
  await runs.inbox.approve(await openRequest(runs, blocked.id))
  await expect(blocked.result()).rejects.toMatchObject({ code: 'undeclared_part', message: expect.stringContaining(MARKER) })
  const why = { code: 'undeclared_part', message: expect.stringContaining(MARKER) }
  expect(await blocked.status()).toMatchObject({ status: 'blocked', why })
  expect(await runs.list({ status: 'blocked' })).toMatchObject([{ why }])
  expect(await runs.show(blocked.id)).toMatchObject({ why })
  expect((await runs.show(blocked.id)).history.at(-1)).toMatchObject({ status: 'blocked', why })
  const told = []
  for await (const event of blocked.events()) told.push(event)
  expect(told.at(-1)).toMatchObject({ status: 'blocked', why })
}

describe('values in the database', () => {
  test('stand there in the open without a key, so that the search below can find something', async () => {
    const tools = telling()
    const runs = await database.open([tools.settle, tools.failing])
    await tellAll(runs, tools)
    expect(await tablesThatShow(runs, MARKER)).toEqual(['run', 'entry', 'approval', 'event', 'artifact'])
  })

  test('are sealed in every table where there is a key', async () => {
    const tools = telling()
    const encryption = { key: randomBytes(32) }
    const runs = await database.open([tools.settle, tools.failing], { database: { home: database.home, encryption } })
    await tellAll(runs, tools)
    expect(await tablesThatShow(runs, MARKER)).toEqual([])
  })

  test('are not opened by another key, which is said, and nothing is lost', async () => {
    const { noting, done } = notingTools()
    const pay = gate(noting('pay'))
    const right = { home: database.home, encryption: { key: randomBytes(32).toString('base64') } }
    const one = await database.open([pay], { database: right })
    const { id } = await one.start(pay, 'ann')
    const request = await openRequest(one, id)
    await untilStatus(one, id, 'waiting')
    await one.close()
    for (const encryption of [{ key: randomBytes(32) }, undefined]) {
      const wrong = await database.open([pay], { database: { home: database.home, encryption } })
      await expect(wrong.inbox.get(request)).rejects.toMatchObject({
        code: 'missing_encryption_key',
        message: expect.stringContaining('formerKeys'),
      })
      await expect(wrong.inbox.approve(request)).rejects.toMatchObject({ code: 'missing_encryption_key' })
      await wrong.close()
    }
    const two = await database.open([pay], { database: right })
    await two.inbox.approve(request)
    expect(await (await two.get(id)).result()).toMatchObject({ ok: true, value: 'ann>pay' })
    expect(done).toEqual(['pay ann'])
  })

  test('block a run that is taken up without their key, until a worker has it', async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const right = { home: database.home, encryption: { key: randomBytes(32) } }
    const one = await database.open([pay], { database: right, worker: false })
    const { id } = await one.start(pay, 'ann')
    const wrong = await database.open([pay])
    await untilStatus(one, id, 'blocked')
    expect((await (await one.get(id)).status()).why).toMatchObject({ code: 'missing_encryption_key' })
    await wrong.close()
    await database.open([pay], { database: right })
    const run = await one.get(id)
    await run.resume()
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay' })
  })

  test('of former times are opened by former keys, and new ones are sealed with the new key', async () => {
    const { noting } = notingTools()
    const pay = gate(noting('pay'))
    const [former, key] = [randomBytes(32), randomBytes(32)]
    const one = await database.open([pay], { database: { home: database.home, encryption: { key: former } } })
    const { id } = await one.start(pay, 'ann')
    await openRequest(one, id)
    await untilStatus(one, id, 'waiting')
    await one.close()
    const two = await database.open([pay], { database: { home: database.home, encryption: { key, formerKeys: [former] } } })
    await two.inbox.approve(await openRequest(two, id))
    await (await two.get(id)).result()
    await two.close()
    const { rows } = await (
      await database.open([], { worker: false })
    ).store.pool.query<{ result: string }>('SELECT result::text FROM toolwright.run WHERE id = $1', [id])
    const only = new Values({ key })
    expect(only.unseal(rows[0]?.result ?? '', inRun(id, 'result'))).toMatchObject({ value: 'ann>pay' })
  })
})

test.each([['short'], [new Uint8Array(31)], ['']])('an encryption key such as %j is refused', (key) => {
  expect(() => new Values({ key })).toThrow(/32 bytes/)
})

test('values that were written without a key are refused once there is one, until they are sealed', async () => {
  const tools = telling()
  const open = await database.open([tools.settle, tools.failing])
  await tellAll(open, tools)
  const { noting } = notingTools()
  const pay = gate(noting('pay'))
  const before = await database.open([pay])
  const waiting = await before.start(pay, 'ann', { key: 'order-1' })
  const request = await openRequest(before, waiting.id)
  await before.inbox.assign(request, 'ada')
  await untilStatus(before, waiting.id, 'waiting')
  await before.close()
  await open.close()
  const encryption = { key: randomBytes(32) }
  const runs = await database.open([pay], { database: { home: database.home, encryption } })
  const named = { code: 'unsealed_value', message: expect.stringContaining(waiting.id) }
  await expect(runs.inbox.get(request)).rejects.toMatchObject(named)
  await expect(runs.inbox.approve(request)).rejects.toMatchObject({ message: expect.stringContaining("the column 'request'") })
  await expect(runs.show(waiting.id)).rejects.toMatchObject({ message: expect.stringContaining('toolwright seal') })
  expect(await sealPlain(runs.store, runs.context.values)).toBeGreaterThan(10)
  expect(await tablesThatShow(runs, MARKER)).toEqual([])
  expect(await sealPlain(runs.store, runs.context.values)).toBe(0)
  for (const { id } of await runs.list()) await runs.show(id)
  expect(await runs.inbox.list({ assignee: 'ada' })).toMatchObject([{ assignee: 'ada' }])
  await runs.inbox.approve(request)
  expect(await (await runs.start(pay, 'ann', { key: 'order-1' })).result()).toMatchObject({ ok: true, value: 'ann>pay' })
})

const HERE = inEntry('r1', 'pipe/pay', 'data')

test('a sealed value that was changed is not opened', () => {
  const values = new Values({ key: randomBytes(32) })
  const sealed = JSON.parse(values.seal({ n: 1 }, HERE)) as { of: string }
  const bytes = Buffer.from(sealed.of, 'base64')
  bytes[14] = (bytes[14] ?? 0) ^ 1
  expect(() => values.unseal(JSON.stringify({ ...sealed, of: bytes.toString('base64') }), HERE)).toThrow(/was changed/)
})
