import { describe, expect, test } from 'vitest'
import { durableRuns } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { tool } from '../../tool/tool.ts'
import type { OpenedRuns } from '../open-runs.ts'
import type { StopPoint } from '../stop-point.ts'

const database = durableRuns()
const LEASE_MS = 300

/** Nothing of this process runs for so long, as when it is stopped, or its machine is asleep. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Two steps; the process stands still between the record of the second one's beginning and its effect. */
async function pausing(
  meanwhile: (runs: OpenedRuns) => Promise<unknown>,
): Promise<readonly [run: OpenedRuns, id: string, done: readonly string[]]> {
  const { noting, done } = notingTools()
  let isDue = false
  const settle = pipe(
    noting('look', {
      idempotent: false,
      meanwhile: async () => {
        await meanwhile(runs)
        isDue = true
      },
    }),
    noting('pay', { idempotent: false }),
  )
  let written = 0
  const onStopPoint = (point: StopPoint): void => {
    // The result of the first step, and then the beginning of the second.
    if (point !== 'entries.written' || !isDue || ++written !== 2) return
    standStill(LEASE_MS + 100)
  }
  const timings = { leaseMs: LEASE_MS, beatMs: 600_000, pollMs: 600_000 }
  const runs = await database.open([settle], { onStopPoint, timings, worker: { drain: 10 } })
  const { id } = await runs.start(settle, 'ann')
  return [runs, id, done]
}

describe('a step that takes effect', () => {
  test('does not begin after a pause in which the run was given to another worker [G5]', async () => {
    const givenAway = (runs: OpenedRuns): Promise<unknown> =>
      runs.store.pool.query('UPDATE toolwright_queue.job SET retry_count = retry_count + 1')
    const [runs, id, done] = await pausing(givenAway)
    await expect.poll(async () => (await runs.show(id)).steps.map((step) => step.tool)).toEqual(['look', 'pay'])
    await expect.poll(() => done).toEqual(['look ann'])
    await runs.close()
    expect(done).toEqual(['look ann'])
  })

  test('begins after a pause when the database says that the run is still its worker’s', async () => {
    const [runs, id, done] = await pausing(() => Promise.resolve())
    expect(await (await runs.get(id)).result()).toMatchObject({ ok: true, value: 'ann>look>pay' })
    expect(done).toEqual(['look ann', 'pay ann>look'])
  })
})

test('a run that somebody else had in the meantime is taken up anew, also where it is still under way [G5]', async () => {
  const released = Promise.withResolvers<void>()
  let begun = 0
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effect: 'read',
    execute: async (name: string) => {
      if (++begun > 1) return name
      // While this process stood still, another one was given the job, claimed the run, and died.
      await runs.store.pool.query("UPDATE toolwright_queue.job SET state = 'retry', retry_count = retry_count + 1")
      await runs.store.pool.query("UPDATE toolwright.run SET epoch = epoch + 1, worker = 'elsewhere', job_attempt = job_attempt + 1")
      await released.promise
      return 'too late'
    },
  })
  const timings = { leaseMs: 600_000, beatMs: 600_000, pollMs: 50 }
  const runs = await database.open([look], { timings, worker: { drain: 10 } })
  const { id } = await runs.start(look, 'ann')
  expect(await (await runs.get(id)).result()).toMatchObject({ ok: true, value: 'ann' })
  released.resolve()
  await runs.close()
})
