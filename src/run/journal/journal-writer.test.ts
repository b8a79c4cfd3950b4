import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StartedPostgres, startPostgres } from '../../../test/fixtures/postgres/start-postgres.ts'
import { migrate } from '../../store/migrate.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { systemClock } from '../../tool/ports/clock.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import { postgresJournal } from '../postgres/journal.ts'
import { isPassing } from '../postgres/passing-error.ts'
import type { JournalRow } from '../store/journal-store.ts'
import { Fenced, JournalWriter, type WriterOptions } from './journal-writer.ts'
import { runMigrations } from '../postgres/run-tables.ts'

let server: StartedPostgres
let store: Store

beforeAll(async () => {
  server = await startPostgres({ tcp: true })
  const { host, port, user, password, database } = server.config
  store = await openStore({ url: `postgres://${user}:${password}@${host}:${port}/${database}` })
  await migrate(store.pool, runMigrations)
})
afterAll(async () => {
  await store.close()
  await server.stop()
})

const journal = (on = store): WriterOptions['store'] => ({ ...postgresJournal(on), clock: systemClock, isPassing })

const writer = (): JournalWriter => new JournalWriter({ store: journal(), reach: () => {}, onTrouble: () => {} })

async function claimed(id: string, epoch = 1): Promise<void> {
  await store.pool.query(
    `INSERT INTO toolwright.run (id, tool, version, plan, input, input_hash, options, status, epoch)
     VALUES ($1, 'pay', '0.0.0', '', 'null', '', '{}', 'running', $2)`,
    [id, epoch],
  )
}

let versions = 0

function row(run: string, path: string, more: Partial<JournalRow> = {}): JournalRow {
  const columns = { kind: 'call', tool: 'pay', key: 'k', inputHash: 'h', input: '1', data: null }
  return { run, epoch: 1, path, version: ++versions, ...columns, begunAt: Date.now(), endedAt: null, ...more }
}

async function recorded(run: string): Promise<readonly { readonly path: string; readonly data: string | null }[]> {
  const { rows } = await store.pool.query<{ path: string; data: string | null }>(
    'SELECT path, data FROM toolwright.entry WHERE run = $1 ORDER BY begun_no',
    [run],
  )
  return rows
}

const ended = (data: string): Partial<JournalRow> => ({ data, endedAt: Date.now() })

describe('an entry', () => {
  test('is there when its write resolves, and its result replaces its beginning', async () => {
    await claimed('one')
    const written = writer()
    await written.write(row('one', 'a'))
    expect(await recorded('one')).toEqual([{ path: 'a', data: null }])
    await written.write(row('one', 'a', ended('7')))
    expect(await recorded('one')).toEqual([{ path: 'a', data: '7' }])
    const { rows } = await store.pool.query(
      'SELECT key, begun_no < ended_no AS later, ended_at >= begun_at AS after FROM toolwright.entry WHERE run = $1',
      ['one'],
    )
    expect(rows).toEqual([{ key: 'k', later: true, after: true }])
  })

  test('of a claim that is over is refused, alone and in a batch, and the others of the batch are written [G5]', async () => {
    await claimed('lost', 2)
    await claimed('kept')
    const written = writer()
    await expect(written.write(row('lost', 'alone'))).rejects.toBeInstanceOf(Fenced)
    const batch = [written.write(row('lost', 'a')), written.write(row('kept', 'b')), written.write(row('kept', 'c', ended('1')))]
    expect((await Promise.allSettled(batch)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(await recorded('lost')).toEqual([])
    expect(await recorded('kept')).toEqual([
      { path: 'b', data: null },
      { path: 'c', data: '1' },
    ])
  })

  test('of an older claim is refused also when an entry of the newer claim goes with it', async () => {
    await claimed('twice', 2)
    const written = writer()
    const batch = [
      written.write(row('twice', 'a', ended('"new"'))),
      written.write(row('twice', 'b', { epoch: 2 })),
      written.write(row('twice', 'c', { epoch: 1, ...ended('"old"') })),
    ]
    expect((await Promise.allSettled(batch)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
    expect(await recorded('twice')).toEqual([{ path: 'b', data: null }])
  })

  test.each([1, 3])('that waits while its run is claimed anew is not written, in a batch of %i', async (size) => {
    const run = `race-${size}`
    await claimed(run)
    await claimed(`${run}-other`)
    const written = writer()
    let writing: readonly Promise<void>[] = []
    await store.transaction(async (client) => {
      await client.query('UPDATE toolwright.run SET epoch = epoch + 1 WHERE id = $1', [run])
      writing = Array.from({ length: size }, (_, index) => written.write(row(index === 0 ? run : `${run}-other`, `p${index}`)))
      for (const each of writing) each.catch(() => {})
      await untilBlocked(client)
    })
    expect((await Promise.allSettled(writing)).map(({ status }) => status)).toEqual([
      'rejected',
      ...Array<string>(size - 1).fill('fulfilled'),
    ])
    expect(await recorded(run)).toEqual([])
    expect(await recorded(`${run}-other`)).toHaveLength(size - 1)
  })
})

/** The writer waits for the lock that this transaction holds. */
async function untilBlocked(client: ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ waits: boolean }>('SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted) AS waits')
    if (rows[0]?.waits === true) return
    await pause(5)
  }
}

describe('a batch', () => {
  test('is numbered in the order in which it was given, for as many runs and rows as there are', async () => {
    const runs = Array.from({ length: 15 }, (_, index) => `many-${index}`)
    for (const run of runs) await claimed(run)
    const written = writer()
    const given = Array.from({ length: 600 }, (_, index) => row(runs[(index * 7) % runs.length] ?? '', `p${index}`))
    await Promise.all(given.map((each) => written.write(each)))
    for (const statistics of ['', 'ANALYZE toolwright.run', 'ANALYZE toolwright.entry']) {
      if (statistics !== '') await store.pool.query(statistics)
      for (const run of runs) {
        const paths = (await recorded(run)).map(({ path }) => path)
        expect(paths).toEqual(given.filter((each) => each.run === run).map(({ path }) => path))
      }
      await store.pool.query('DELETE FROM toolwright.entry')
      await Promise.all(given.map((each) => written.write(each)))
    }
  })

  test('touches a path once, with what came last', async () => {
    await claimed('same')
    const written = writer()
    await Promise.all([written.write(row('same', 'a')), written.write(row('same', 'a', ended('1'))), written.write(row('same', 'b'))])
    expect(await recorded('same')).toEqual([
      { path: 'a', data: '1' },
      { path: 'b', data: null },
    ])
  })
})

describe('what the database refuses', () => {
  test('is refused for its own run alone, and nothing of that run is written after it [G5]', async () => {
    for (const run of ['bad', 'good', 'fine']) await claimed(run)
    const written = writer()
    const batch = [
      written.write(row('good', 'a')),
      written.write(row('bad', 'before', ended('1'))),
      written.write(row('bad', 'nul \0')),
      written.write(row('bad', 'after')),
      written.write(row('fine', 'a', { event: { type: 'progress', data: '{}' } })),
      written.write(row('good', 'a', ended('7'))),
    ]
    expect((await Promise.allSettled(batch)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(await recorded('bad')).toEqual([{ path: 'before', data: '1' }])
    expect(await recorded('good')).toEqual([{ path: 'a', data: '7' }])
    expect(await recorded('fine')).toEqual([{ path: 'a', data: null }])
  })
})

test('an event is numbered after the entries that are written with it', async () => {
  await claimed('telling')
  const written = writer()
  for (let round = 0; round < 5; round++)
    await Promise.all([
      written.write(row('telling', `p${round}`)),
      written.write(row('telling', '', { event: { type: 'progress', data: '{}' } })),
    ])
  const { rows } = await store.pool.query<{ what: string }>(
    `SELECT what FROM (SELECT begun_no AS no, 'entry' AS what FROM toolwright.entry WHERE run = 'telling'
     UNION ALL SELECT no, 'event' FROM toolwright.event WHERE run = 'telling') AS happened ORDER BY no`,
  )
  expect(rows.map(({ what }) => what)).toEqual(Array.from({ length: 5 }, () => ['entry', 'event']).flat())
})

describe('a request', () => {
  const request = (id: string): ReviewRequest => ({
    id,
    kind: 'approval',
    tool: 'pay',
    version: '1.0.0',
    input: 1,
    why: '',
    caller: {},
    risk: 'low',
    invocationId: 'i',
    path: 'p',
    inputHash: 'h',
    onTimeout: 'reject',
  })
  const asked = (id: string): Partial<JournalRow> => ({
    kind: 'review',
    review: { change: 'asked', request: request(id), sealed: '{}', isShielded: false },
  })
  const statusOf = async (id: string): Promise<string | undefined> =>
    (await store.pool.query<{ status: string }>('SELECT status FROM toolwright.approval WHERE id = $1', [id])).rows[0]?.status

  test('is written with its entry; one that is withdrawn in the same breath was never open', async () => {
    await claimed('asking')
    const written = writer()
    await Promise.all([
      written.write(row('asking', 'p', asked('stays'))),
      written.write(row('asking', 'q', asked('goes'))),
      written.write(row('asking', '', { review: { change: 'withdrawn', id: 'goes' } })),
    ])
    expect([await statusOf('stays'), await statusOf('goes')]).toEqual(['open', 'withdrawn'])
    await written.write(row('asking', '', { review: { change: 'withdrawn', id: 'stays' } }))
    expect(await statusOf('stays')).toBe('withdrawn')
  })

  test('of a run that was cancelled is withdrawn from the start, but not that of what is being undone', async () => {
    await claimed('cancelled')
    await store.pool.query("UPDATE toolwright.run SET cancel = '{}' WHERE id = 'cancelled'")
    const written = writer()
    await Promise.all([
      written.write(row('cancelled', 'order/pay:gate', asked('forward'))),
      written.write(row('cancelled', 'order/undo.pay:gate', asked('undoing'))),
    ])
    expect([await statusOf('forward'), await statusOf('undoing')]).toEqual(['withdrawn', 'open'])
  })
})

test('paths that are alike for a thousand letters are kept apart, and found again whole', async () => {
  await claimed('deep')
  const start = 'level/'.repeat(500)
  const written = writer()
  await Promise.all([written.write(row('deep', `${start}a`)), written.write(row('deep', `${start}b`))])
  await written.write(row('deep', `${start}a`, ended('1')))
  const entries = await postgresJournal(store).readEntries('deep')
  expect(entries.map(({ path, data }) => [path, data])).toEqual([
    [`${start}a`, '1'],
    [`${start}b`, null],
  ])
})

test('a row that was given up and comes late does not cover what was written after it [G5]', async () => {
  await claimed('late')
  const written = writer()
  const begun = row('late', 'pay')
  await written.write(row('late', 'pay', ended('1')))
  await written.write(begun)
  const question = row('late', 'ask', { kind: 'review', data: '{"asked":1}' })
  await written.write(question)
  await store.pool.query(`UPDATE toolwright.entry SET data = '{"decided":1}', ended_no = 1 WHERE run = 'late' AND path = 'ask'`)
  await written.write({ ...question, version: ++versions })
  await Promise.all([written.write(begun), written.write({ ...question, version: ++versions })])
  expect(await recorded('late')).toEqual([
    { path: 'pay', data: '1' },
    { path: 'ask', data: '{"decided":1}' },
  ])
})
