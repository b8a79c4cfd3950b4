import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RunHandle } from '../../src/run/run-handle.ts'
import { durableRuns } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'

const database = durableRuns()

/** Shorter than any time-out: others do not wait at all. */
const SOON_MS = 8000

test.each(['FOR SHARE', 'FOR UPDATE'])(
  'whoever stands still in the middle of a transaction and holds the row of a run %s keeps no worker from other runs [G5]',
  async (lock) => {
    const { noting, done } = notingTools()
    const pay = noting('pay')
    const starter = await database.open([pay], { worker: false })
    const held = await starter.start(pay, 'held')
    const others: RunHandle[] = []
    for (const input of ['a', 'b', 'c']) others.push(await starter.start(pay, input))
    const zombie = await starter.store.pool.connect()
    try {
      await zombie.query('BEGIN')
      await zombie.query(`SELECT 1 FROM toolwright.run WHERE id = $1 ${lock}`, [held.id])
      await database.open([pay])
      const ended = Promise.all(others.map((run) => run.result())).then((results) => results.map(({ text }) => text))
      expect(await Promise.race([ended, pause(SOON_MS, 'still queued', { ref: false })])).toEqual(['a>pay', 'b>pay', 'c>pay'])
    } finally {
      // The zombie may have been cut off for standing still.
      await zombie.query('ROLLBACK').catch(() => {})
      zombie.release(true)
    }
    expect(await held.result()).toMatchObject({ ok: true, value: 'held>pay' })
    expect(done.filter((each) => each === 'pay held')).toHaveLength(1)
  },
)
