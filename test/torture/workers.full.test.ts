import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type OpenedRuns, openRuns } from '../../src/run/open-runs.ts'
import { stopEmbedded } from '../../src/store/stop-embedded.ts'
import { killChild, startChild } from './child.ts'
import { executionsFile, heldTool, letGoFile } from './held-tool.ts'

/** So long a dead worker's runs may stand still. */
const TAKE_OVER_MS = 30_000

let home: string
let runs: OpenedRuns
let tool: ReturnType<typeof heldTool>
let workers: ChildProcess[] = []

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tw-workers-'))
  await chmod(home, 0o755)
  tool = heldTool(home)
  runs = await openRuns({ database: { home }, tools: async () => new Map([[tool.name, tool]]), worker: false })
}, 60_000)

afterEach(async () => {
  await Promise.all(workers.map(killChild))
  workers = []
  await rm(executionsFile(home), { force: true })
})

afterAll(async () => {
  await runs.close()
  await stopEmbedded(home)
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

async function startWorker(): Promise<ChildProcess> {
  const worker = await startChild('held-worker-process.ts', { order: { home, folder: home } })
  workers.push(worker)
  return worker
}

/** The processes that executed the step so far, in order. */
async function executionsOf(step: string): Promise<readonly { readonly pid: number; readonly key: string }[]> {
  if (!existsSync(executionsFile(home))) return []
  const lines = (await readFile(executionsFile(home), 'utf8')).trim().split('\n')
  return lines.map((line) => line.split(' ')).flatMap(([name, pid, key = '']) => (name === step ? [{ pid: Number(pid), key }] : []))
}

async function until(isSo: () => Promise<boolean>, ms = TAKE_OVER_MS): Promise<void> {
  const end = performance.now() + ms
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It was not so within ${ms} ms: ${isSo.toString()}`)
    await pause(50)
  }
}

test('of two workers one is killed, and the other finishes its runs within 30 s [G5]', { timeout: 120_000 }, async () => {
  const first = await startWorker()
  const started = await Promise.all(Array.from({ length: 5 }, () => runs.start(tool, 'killed')))
  await until(async () => (await executionsOf('wait')).length === 5)
  const second = await startWorker()
  await killChild(first)
  await writeFile(letGoFile(home, 'killed'), '')
  const since = performance.now()
  const results = await Promise.all(started.map((run) => run.result()))
  const seconds = (performance.now() - since) / 1000
  console.log(`Runs of a killed worker were finished by another after ${seconds.toFixed(1)} s.`)
  expect(results.map((result) => result.ok && result.value)).toEqual(Array.from({ length: 5 }, () => String(second.pid)))
  expect(seconds * 1000).toBeLessThan(TAKE_OVER_MS)
  const waits = await executionsOf('wait')
  expect(new Set(waits.map(({ key }) => key)).size).toBe(5)
})

test('a worker that was stopped and goes on overwrites nothing, and takes new runs [G5]', { timeout: 180_000 }, async () => {
  const zombie = await startWorker()
  const run = await runs.start(tool, 'zombie')
  await until(async () => (await executionsOf('wait')).length === 1)
  zombie.kill('SIGSTOP')
  const other = await startWorker()
  await until(async () => (await executionsOf('wait')).length === 2)
  await writeFile(letGoFile(home, 'zombie'), '')
  const result = await run.result()
  expect(result).toMatchObject({ ok: true, value: String(other.pid) })
  const before = await recordOf(run.id)
  zombie.kill('SIGCONT')
  await killChild(other)
  await writeFile(letGoFile(home, 'later'), '')
  const later = await runs.start(tool, 'later')
  expect(await later.result()).toMatchObject({ ok: true, value: String(zombie.pid) })
  expect(await recordOf(run.id)).toEqual(before)
  const acts = (await executionsOf('act')).map(({ pid }) => pid)
  expect(acts).toEqual([other.pid, zombie.pid])
  expect((await run.result()).ok).toBe(true)
})

test('a worker that goes on while another has its run leaves that one its job [G5]', { timeout: 180_000 }, async () => {
  const zombie = await startWorker()
  const run = await runs.start(tool, 'shared')
  await until(async () => (await executionsOf('wait')).length === 1)
  zombie.kill('SIGSTOP')
  const other = await startWorker()
  await until(async () => (await executionsOf('wait')).length === 2)
  zombie.kill('SIGCONT')
  // It finds out at its next beat, at the latest, that the run is no longer its own.
  await pause(5000)
  const { rows } = await runs.store.pool.query("SELECT state FROM toolwright_queue.job WHERE data ->> 'run' = $1", [run.id])
  expect(rows).toEqual([{ state: 'active' }])
  await writeFile(letGoFile(home, 'shared'), '')
  expect(await run.result()).toMatchObject({ ok: true, value: String(other.pid) })
  expect((await executionsOf('act')).map(({ pid }) => pid)).toEqual([other.pid])
})

/** The run, its journal and its events as they stand. */
async function recordOf(id: string): Promise<object> {
  const { pool } = runs.store
  const read = async (sql: string): Promise<unknown> => (await pool.query(sql, [id])).rows
  return {
    run: await read('SELECT * FROM toolwright.run WHERE id = $1'),
    entries: await read('SELECT * FROM toolwright.entry WHERE run = $1 ORDER BY path'),
    events: await read('SELECT * FROM toolwright.event WHERE run = $1 ORDER BY no'),
  }
}
