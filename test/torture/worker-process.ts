/** A worker that can be killed at any moment. Its order comes over its channel. */
import { setTimeout as pause } from 'node:timers/promises'
import { openRuns, type OpenedRuns } from '../../src/run/open-runs.ts'
import type { ToolLimits } from '../../src/run/worker/tool-limit.ts'
import { ledgerClient } from './ledger-client.ts'
import { ToolShelf } from './tool-shelf.ts'

export interface WorkerOrder {
  /** Without it the environment names the database. */
  readonly home?: string | undefined
  readonly socket: string
  readonly seed: number
  /** This worker holds some tools to a limit, of which others may not know. */
  readonly isLimited: boolean
}

const LIMITS: ToolLimits = { loop: { concurrency: 1 }, gated: { concurrency: 2 }, first_of_sagas: { concurrency: 1 } }

process.once('message', (order: WorkerOrder) => void work(order))
process.once('disconnect', () => process.exit())

async function work({ home, socket, seed, isLimited }: WorkerOrder): Promise<void> {
  const shelf = new ToolShelf(seed, ledgerClient(socket))
  const database = { ...(home === undefined ? {} : { home }), poolSize: 6 }
  const worker = { concurrency: 20, drain: '2s', ...(isLimited ? { limits: LIMITS } : {}) } as const
  let runs: OpenedRuns | undefined
  // The database may be killed while this process begins.
  while (runs === undefined) {
    runs = await openRuns({ database, tools: async () => shelf, worker }).catch(nothing)
    if (runs === undefined) await pause(100)
  }
  const { close } = runs
  process.once('SIGTERM', () => void close().then(() => process.exit()))
  process.send?.('ready')
}

function nothing(): undefined {
  return undefined
}
