/** A worker that can be killed at any moment. Its order comes over its channel. */
import { setTimeout as pause } from 'node:timers/promises'
import { createRuntime } from '../../src/runtime.ts'
import { ledgerClient } from './ledger-client.ts'
import { shapesOf } from './shapes.ts'

export interface WorkerOrder {
  readonly home: string
  readonly socket: string
}

process.once('message', (order: WorkerOrder) => void work(order))
process.once('disconnect', () => process.exit())

async function work({ home, socket }: WorkerOrder): Promise<void> {
  const tools = shapesOf(ledgerClient(socket)).map(({ tool }) => tool)
  const log = { isLevelEnabled: () => false, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet }
  const runtime = createRuntime({ tools, database: { home }, worker: { concurrency: 20 }, log })
  // The database may be killed while this process begins.
  while (!(await runtime.runs().then(isSo, isNot))) await pause(100)
  process.send?.('ready')
}

function quiet(): void {}

function isSo(): boolean {
  return true
}

function isNot(): boolean {
  return false
}
