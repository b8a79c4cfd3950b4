import type { Store } from '../../src/store/store.ts'

/**
 * Lets the queue find out at its next look that a worker is dead, and not only when it has been silent for long enough: the last sign of life
 * of its jobs is set back. All that follows is as it is after the silence.
 */
export async function presumeDead({ pool }: Pick<Store, 'pool'>, pid: number): Promise<void> {
  await pool.query(
    `UPDATE toolwright_queue.job SET heartbeat_on = now() - interval '1 hour'
     WHERE name = 'segment' AND state = 'active' AND data ->> 'run' IN (SELECT id FROM toolwright.run WHERE worker LIKE '%:' || $1::text || ':%')`,
    [String(pid)],
  )
}
