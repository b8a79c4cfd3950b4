import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { durableRuns } from '../fixtures/run/durable-runs.ts'
import { killingTools } from '../fixtures/run/killing-tools.ts'

const database = durableRuns()
const folder = mkdtempSync(join(tmpdir(), 'killing-run-'))
const children = new Set<ChildProcess>()

afterAll(async () => {
  for (const child of children) {
    const exited = once(child, 'exit')
    if (child.kill('SIGKILL')) await exited
  }
  rmSync(folder, { recursive: true, force: true })
})

const MOST_CRASHES = 80

test(
  'a run that brings its worker down each time is blocked; those beside it end, and are done once [G5]',
  { timeout: 400_000 },
  async () => {
    const file = join(folder, 'done')
    writeFileSync(file, '')
    const { killer, slow } = killingTools(file)
    const runs = await database.open([killer, slow], { worker: false })
    const bad = await runs.start(killer, 'x')
    const good = await Promise.all(['a', 'b', 'c'].map((input) => runs.start(slow, input)))
    const statuses = (): Promise<readonly string[]> => Promise.all([bad, ...good].map(async (run) => (await run.status()).status))
    let crashes = 0
    while (crashes < MOST_CRASHES && (await statuses()).some((status) => status === 'queued' || status === 'running')) {
      const child = fork(join(import.meta.dirname, '../fixtures/run/killing-worker.ts'), [database.home, file], { execArgv: [] })
      children.add(child)
      const exited = once(child, 'exit').then(() => crashes++)
      while (child.exitCode === null && child.signalCode === null) {
        if ((await statuses()).every((status) => status !== 'queued' && status !== 'running')) break
        await pause(100)
      }
      if (child.kill('SIGKILL')) await exited
      children.delete(child)
      // As it is when its silence has been noticed.
      await runs.store.pool.query("UPDATE toolwright_queue.job SET state = 'retry', heartbeat_on = NULL WHERE state = 'active'")
    }
    console.log(`after ${crashes} crashes: ${(await statuses()).join(', ')}`)
    expect(await statuses()).toEqual(['blocked', 'completed', 'completed', 'completed'])
    expect((await bad.status()).why).toMatchObject({ code: 'run_keeps_dying' })
    expect(readFileSync(file, 'utf8').trim().split('\n').toSorted()).toEqual(['a', 'b', 'c'])
  },
)
