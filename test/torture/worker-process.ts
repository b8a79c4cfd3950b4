/** A worker that can be killed at any moment. Its order comes over its channel. */
import { setTimeout as pause } from 'node:timers/promises'
import { openRuns, type OpenedRuns } from '../../src/run/open-runs.ts'
import { ledgerClient } from './ledger-client.ts'
import { ToolShelf } from './tool-shelf.ts'

export interface WorkerOrder {
  /** Without it the environment names the database. */
  readonly home?: string | undefined
  readonly socket: string
  readonly seed: number
}

process.once('message', (order: WorkerOrder) => void work(order))
process.once('disconnect', () => process.exit())

async function work({ home, socket, seed }: WorkerOrder): Promise<void> {
  const shelf = new ToolShelf(seed, ledgerClient(socket))
  const database = { ...(home === undefined ? {} : { home }), poolSize: 6 }
  let runs: OpenedRuns | undefined
  // The database may be killed while this process begins.
  while (runs === undefined) {
    runs = await openRuns({ database, tools: async () => shelf, worker: { concurrency: 20, drain: '2s' } }).catch(nothing)
    if (runs === undefined) await pause(100)
  }
  const { close } = runs
  process.once('SIGTERM', () => void close().then(() => process.exit()))
  process.send?.('ready')
}

function nothing(): undefined {
  return undefined
}
