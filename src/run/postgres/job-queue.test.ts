import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { durableRuns } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { goneAmong, newWorkerId } from '../host.ts'
import type { OpenedRuns } from '../open-runs.ts'
import { claimRuns } from './claim-runs.ts'

const database = durableRuns()

/** A run that a worker with this id has taken up. */
async function takenUp(worker: string): Promise<OpenedRuns> {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay], { worker: false })
  await runs.start(pay, 'ann')
  const jobs = await runs.context.store.fetch(1)
  expect((await claimRuns(runs.store.pool, { jobs, worker, takesSuspect: true })).runs).toHaveLength(1)
  return runs
}

/** What a process that has just been started is given at its first look. */
async function firstLook(): Promise<number> {
  const { context } = await database.open([], { worker: false })
  return (await context.store.fetch(10)).length
}

const ofProcess = (pid: number): string => newWorkerId().replace(`:${process.pid}:`, `:${pid}:`)

test('a process finds the runs of a silent worker at its first look, however short its life is [G5]', async () => {
  const { store } = await takenUp('elsewhere:1:abcdef')
  expect(await firstLook()).toBe(0)
  await store.pool.query("UPDATE toolwright_queue.job SET heartbeat_on = now() - interval '11 seconds'")
  expect(await firstLook()).toBe(1)
})

describe.runIf(process.platform === 'linux')('on one machine', () => {
  test('the runs of a worker whose process is no more are free at once [G5]', async () => {
    await takenUp(ofProcess(spawnSync('true').pid))
    expect(await firstLook()).toBe(1)
  })

  test('those of a living process are not', async () => {
    const living = spawn('sleep', ['60'])
    onTestFinished(() => void living.kill())
    await takenUp(ofProcess(living.pid ?? 0))
    expect(await firstLook()).toBe(0)
  })

  test('a job that a living worker has fetched is not taken from it, though the run still names the dead one', async () => {
    await takenUp(ofProcess(spawnSync('true').pid))
    expect(await firstLook()).toBe(1)
    expect(await firstLook()).toBe(0)
  })

  test('nor while the living worker is claiming the run', async () => {
    const { store } = await takenUp(ofProcess(spawnSync('true').pid))
    const { context } = await database.open([], { worker: false })
    const jobs = await context.store.fetch(10)
    const claiming = await store.pool.connect()
    await claiming.query('BEGIN')
    expect((await claimRuns(claiming, { jobs, worker: newWorkerId(), takesSuspect: true })).runs).toHaveLength(1)
    expect(await firstLook()).toBe(0)
    await claiming.query('COMMIT')
    claiming.release()
    expect(await firstLook()).toBe(0)
  })
})

/** Whether a process may be started in a space of process numbers of its own: as root, or where users may make such spaces. */
const UNSHARE = ['unshare', '--user', '--map-root-user', '--pid', '--fork']
const canUnshare = process.platform === 'linux' && spawnSync('env', [...UNSHARE, 'true']).status === 0

test.runIf(canUnshare)('a process whose /proc shows the numbers of another space takes nobody for gone', () => {
  const host = join(import.meta.dirname, '..', 'host.ts')
  const program = `import(${JSON.stringify(host)}).then(({ newWorkerId }) => console.log(newWorkerId()))`
  const { stdout, stderr } = spawnSync('env', [...UNSHARE, process.execPath, '-e', program], { encoding: 'utf8' })
  // Its id says no place: others wait for its silence too.
  expect(stdout, stderr).toMatch(/:\d+:[0-9a-f]{6}\n$/)
})

test('only a process of this place is known to be gone', () => {
  const { pid } = spawnSync('true')
  const [host = '', , end = ''] = newWorkerId().split(':')
  const elsewhere = [`${host}:${pid}:${end.slice(-6)}`, `${host}:${pid}:00000000abcdef`]
  const here = ofProcess(pid)
  expect(goneAmong([...elsewhere, newWorkerId(), here])).toEqual(process.platform === 'linux' ? [here] : [])
})
