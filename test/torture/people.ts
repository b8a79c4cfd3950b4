import { setTimeout as pause } from 'node:timers/promises'
import type { OpenedRuns } from '../../src/run/open-runs.ts'
import { decideAs } from './decide-as.ts'

/** Somebody who decides what runs ask, as soon as they are put away. The returned function sends them home. */
export function peopleAt(runs: OpenedRuns, by: string): () => Promise<void> {
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      for (const { request, run = '' } of await runs.inbox.list()) {
        const { status } = await (await runs.get(run)).status()
        if (status === 'waiting') await decideAs(runs.inbox, request, by).catch(() => {})
      }
      await pause(20)
    }
  })()
  return () => {
    isOver = true
    return done
  }
}
