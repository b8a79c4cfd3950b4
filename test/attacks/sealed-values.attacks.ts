import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, gate, isConfigurationError, pipe, type Runtime, tool } from 'toolwright'
import { openStore, stopEmbedded, type Store } from 'toolwright/store'
import { expect } from 'vitest'
import { ownStore } from '../fixtures/run/own-store.ts'
import type { Attack } from './attack.ts'

const KEY = randomBytes(32)

interface Scene {
  readonly store: Store
  readonly runtime: Runtime
  /** Two runs of the same tool: one of each pair is attacked with the values of the other. */
  readonly ended: readonly [string, string]
  readonly waiting: readonly [string, string]
  readonly close: () => Promise<void>
}

let opened: Promise<Scene> | undefined
const scene = (): Promise<Scene> => (opened ??= openScene())

/** To be called when the attacks are over. */
export async function closeScene(): Promise<void> {
  await (await opened)?.close()
}

async function openScene(): Promise<Scene> {
  const home = mkdtempSync(join(tmpdir(), 'sealed-'))
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effect: 'read',
    execute: (who, { progress }) => {
      progress(`looking for ${who}`)
      return who
    },
  })
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    execute: (who) => {
      if (String(who).startsWith('carol')) throw new Error(`no account of ${who}`)
      return `${who} ${'x'.repeat(String(who).startsWith('large') ? 100_000 : 0)}`
    },
  })
  const settle = pipe(look, gate(pay))
  const runtime = createRuntime({ tools: [settle], database: { home, encryption: { key: KEY } } })
  const start = async (who: string): Promise<string> => (await runtime.start(settle, who, { principal: { id: who, permissions: [] } })).id
  const requestOf = async (run: string): Promise<string> => {
    await expect.poll(async () => (await runtime.inbox.list({ run })).length, { timeout: 20_000 }).toBe(1)
    return (await runtime.inbox.list({ run }))[0]?.request.id ?? ''
  }
  const end = async (who: string): Promise<string> => {
    const run = await start(who)
    const request = await requestOf(run)
    await runtime.inbox.assign(request, `reviewer of ${who}`)
    await runtime.inbox.approve(request, 'ada')
    await (await runtime.run(run)).result()
    return run
  }
  const ended = [await end('carol 1'), await end('carol 2')] as const
  const waiting = [await start('large 1'), await start('large 2')] as const
  for (const run of waiting) await requestOf(run)
  const store = ownStore(await openStore({ home }))
  const close = async (): Promise<void> => {
    await runtime.close()
    await store.close()
    await stopEmbedded(home)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
  return { store, runtime, ended, waiting, close }
}

/** A value in the database, by SQL: `id` is the run, `row` narrows it to one row. */
interface Cell {
  readonly table: string
  readonly column: string
  readonly id: 'id' | 'run'
  readonly row?: string | undefined
}

const CALL = `path LIKE '%/pay%' AND kind = 'call'`
const CELLS: readonly Cell[] = [
  { table: 'run', column: 'input', id: 'id' },
  { table: 'run', column: 'options', id: 'id' },
  { table: 'run', column: 'result', id: 'id' },
  { table: 'entry', column: 'input_hash', id: 'run', row: CALL },
  { table: 'entry', column: 'input', id: 'run', row: CALL },
  { table: 'entry', column: 'data', id: 'run', row: CALL },
  { table: 'approval', column: 'request', id: 'run' },
  { table: 'approval', column: 'decision', id: 'run' },
  { table: 'approval', column: 'assignee', id: 'run' },
  { table: 'event', column: 'data', id: 'run', row: "type = 'progress'" },
]

const valueOf = async ({ store }: Scene, { table, column, id, row = 'true' }: Cell, run: string): Promise<string> => {
  const { rows } = await store.pool.query<{ value: string }>(
    `SELECT ${column}::text AS value FROM toolwright.${table} WHERE ${id} = $1 AND ${row} LIMIT 1`,
    [run],
  )
  return rows[0]?.value ?? ''
}

/** Puts a text into a cell, looks what the program makes of it, and puts the old one back. */
async function withValue(at: Scene, cell: Cell, text: string, look: () => Promise<void>): Promise<void> {
  const { table, column, id, row = 'true' } = cell
  const [run] = at.ended
  const before = await valueOf(at, cell, run)
  expect(before).toContain('sealed')
  const put = `UPDATE toolwright.${table} SET ${column} = $2 WHERE ${id} = $1 AND ${row}`
  await at.store.pool.query(put, [run, text])
  try {
    await look()
  } finally {
    await at.store.pool.query(put, [run, before])
  }
}

async function isRefused({ runtime, ended: [run] }: Scene): Promise<void> {
  const runs = await runtime.runs()
  const error: unknown = await runs.show(run, { includeSecrets: true }).then(
    () => 'it was opened',
    (thrown: unknown) => thrown,
  )
  expect(isConfigurationError(error) ? error.code : error).toMatch(/^(unsealed_value|seal_broken|missing_encryption_key)$/)
}

type Sealed = { readonly $toolwright: string; readonly key: string; readonly of: string }

function withBytes(text: string, change: (bytes: Buffer) => Buffer): string {
  const sealed = JSON.parse(text) as Sealed
  return JSON.stringify({ ...sealed, of: change(Buffer.from(sealed.of, 'base64')).toString('base64') })
}

const flipped =
  (at: (bytes: Buffer) => number) =>
  (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes)
    copy[at(bytes)] = (copy[at(bytes)] ?? 0) ^ 1
    return copy
  }

/** What is put into a cell, made of the sealed text that is there. */
const FORGERIES: Readonly<Record<string, { readonly before: Attack['before']; readonly of: (text: string) => string }>> = {
  'a plain value': { before: 'fell', of: () => '"mallory"' },
  'a plain object': { before: 'fell', of: () => '{"ok":true,"value":"mallory"}' },
  'a flipped bit of the text': {
    before: 'held',
    of: (text) =>
      withBytes(
        text,
        flipped(() => 13),
      ),
  },
  'a flipped bit of the nonce': {
    before: 'held',
    of: (text) =>
      withBytes(
        text,
        flipped(() => 0),
      ),
  },
  'a flipped bit of the tag': {
    before: 'held',
    of: (text) =>
      withBytes(
        text,
        flipped((bytes) => bytes.length - 1),
      ),
  },
  'a seal that is cut off': { before: 'held', of: (text) => withBytes(text, (bytes) => bytes.subarray(0, -3)) },
  'a seal that is empty': { before: 'fell', of: (text) => withBytes(text, () => Buffer.alloc(0)) },
  'a seal with a shortened tag': { before: 'held', of: (text) => withBytes(text, (bytes) => bytes.subarray(0, 16)) },
  'a seal of another key': { before: 'held', of: (text) => JSON.stringify({ ...(JSON.parse(text) as Sealed), key: '00000000' }) },
}

const forged: readonly Attack[] = CELLS.flatMap((cell) =>
  Object.entries(FORGERIES).map(([name, { before, of }]) => ({
    name: `${name} in ${cell.table}.${cell.column}`,
    before,
    attempt: async () => {
      const at = await scene()
      const text = await valueOf(at, cell, at.ended[0])
      await withValue(at, cell, of(text), () => isRefused(at))
    },
  })),
)

const fromAnotherRun: readonly Attack[] = CELLS.map((cell) => ({
  name: `the sealed ${cell.table}.${cell.column} of another run`,
  before: 'fell',
  attempt: async () => {
    const at = await scene()
    await withValue(at, cell, await valueOf(at, cell, at.ended[1]), () => isRefused(at))
  },
}))

const fromAnotherColumn: readonly Attack[] = CELLS.map((cell, index) => {
  const other = CELLS[(index + 1) % CELLS.length] as Cell
  return {
    name: `the sealed ${other.table}.${other.column} of the same run in ${cell.table}.${cell.column}`,
    before: 'fell',
    attempt: async () => {
      const at = await scene()
      await withValue(at, cell, await valueOf(at, other, at.ended[0]), () => isRefused(at))
    },
  }
})

const STEPS = [`path LIKE '%look%' AND kind = 'call'`, `path LIKE '%approval' AND kind = 'review'`]

const fromAnotherPath: readonly Attack[] = STEPS.map((row) => ({
  name: `the sealed entry.data of another path (${row})`,
  before: 'fell',
  attempt: async () => {
    const at = await scene()
    const cell: Cell = { table: 'entry', column: 'data', id: 'run', row: CALL }
    await withValue(at, cell, await valueOf(at, { ...cell, row }, at.ended[0]), () => isRefused(at))
  },
}))

const others: readonly Attack[] = [
  {
    name: 'a plain value is refused by the names of its run and column, with the way out',
    before: 'fell',
    attempt: async () => {
      const at = await scene()
      const [run] = at.ended
      await withValue(at, { table: 'run', column: 'input', id: 'id' }, '"mallory"', async () => {
        const error: unknown = await (await at.runtime.runs()).show(run).catch((thrown: unknown) => thrown)
        for (const named of [run, "'input'", 'toolwright seal']) expect((error as Error).message).toContain(named)
      })
    },
  },
  {
    name: 'a reason in plain text is not told as the reason of a run',
    before: 'fell',
    attempt: async () => {
      const at = await scene()
      const [run] = at.ended
      const cell: Cell = { table: 'run', column: 'why', id: 'id' }
      await withValue(at, cell, '{"code":"person","message":"Call mallory."}', async () => {
        expect((await (await at.runtime.run(run)).status()).why?.message).toContain('not sealed')
      })
    },
  },
  {
    name: 'the reason of another run is not told as that of this one',
    before: 'fell',
    attempt: async () => {
      const at = await scene()
      const [run, other] = at.ended
      const cell: Cell = { table: 'run', column: 'why', id: 'id' }
      await withValue(at, cell, await valueOf(at, cell, other), async () => {
        expect((await (await at.runtime.run(run)).status()).why?.message).toContain('cannot be opened')
      })
    },
  },
  {
    name: 'a request in plain text is not shown to a person',
    before: 'fell',
    attempt: async () => {
      const at = await scene()
      const [run] = at.ended
      const { rows } = await at.store.pool.query<{ id: string }>('SELECT id FROM toolwright.approval WHERE run = $1', [run])
      await withValue(at, { table: 'approval', column: 'request', id: 'run' }, '{"id":"x","tool":"pay","input":"bob"}', async () => {
        await expect(at.runtime.inbox.get(rows[0]?.id ?? '')).rejects.toMatchObject({ code: 'unsealed_value' })
      })
    },
  },
  {
    name: 'a waiting run is given the request of another one, and it is approved',
    before: 'fell',
    attempt: async () => {
      const { store, runtime, waiting } = await scene()
      const swap = `UPDATE toolwright.approval a SET request = b.request FROM toolwright.approval b
        WHERE (a.run = $1 AND b.run = $2) OR (a.run = $2 AND b.run = $1)`
      const { rows } = await store.pool.query<{ id: string }>('SELECT id FROM toolwright.approval WHERE run = $1', [waiting[0]])
      await store.pool.query(swap, [...waiting])
      try {
        await expect(runtime.inbox.approve(rows[0]?.id ?? '', 'ada')).rejects.toMatchObject({ code: 'seal_broken' })
      } finally {
        await store.pool.query(swap, [...waiting])
      }
      expect((await (await runtime.run(waiting[0])).status()).status).toBe('waiting')
    },
  },
  {
    name: 'a request is moved to another run, and approved there',
    before: 'fell',
    attempt: async () => {
      const { store, runtime, waiting } = await scene()
      const { rows } = await store.pool.query<{ id: string }>('SELECT id FROM toolwright.approval WHERE run = $1', [waiting[0]])
      const id = rows[0]?.id ?? ''
      await store.pool.query('UPDATE toolwright.approval SET run = $2 WHERE id = $1', [id, waiting[1]])
      try {
        await expect(runtime.inbox.approve(id, 'ada')).rejects.toMatchObject({ code: 'seal_broken' })
      } finally {
        await store.pool.query('UPDATE toolwright.approval SET run = $2 WHERE id = $1', [id, waiting[0]])
      }
    },
  },
  {
    name: 'a decision is written into the database by hand, in plain text',
    before: 'fell',
    attempt: async () => {
      const { store, runtime, waiting } = await scene()
      const [run] = waiting
      const { rows } = await store.pool.query<{ data: string }>(`SELECT data FROM toolwright.entry WHERE run = $1 AND kind = 'review'`, [
        run,
      ])
      const put = `UPDATE toolwright.entry SET data = $2 WHERE run = $1 AND kind = 'review'`
      await store.pool.query(put, [run, '{"request":{"version":"0.0.0"},"at":0,"decision":{"action":"continue"}}'])
      try {
        await expect((await runtime.runs()).show(run)).rejects.toMatchObject({ code: 'unsealed_value' })
      } finally {
        await store.pool.query(put, [run, rows[0]?.data])
      }
    },
  },
]

/** Values of a database whose key is set. The attacker writes to the database, and does not have the key. */
export const SEALED_VALUE_ATTACKS: readonly Attack[] = [...forged, ...fromAnotherRun, ...fromAnotherColumn, ...fromAnotherPath, ...others]
