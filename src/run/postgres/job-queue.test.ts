import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { durableRuns } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { isGone, newWorkerId } from '../host.ts'
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
})

test('only a process of this place is known to be gone', () => {
  const { pid } = spawnSync('true')
  const [host = '', , end = ''] = newWorkerId().split(':')
  expect(isGone(`${host}:${pid}:${end.slice(-6)}`)).toBe(false)
  expect(isGone(`${host}:${pid}:00000000abcdef`)).toBe(false)
  expect(isGone(newWorkerId())).toBe(false)
  expect(isGone(ofProcess(pid))).toBe(process.platform === 'linux')
})
