/** A worker that has one version of the tools. Its order comes over its channel. */
import { openRuns } from '../../src/run/open-runs.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { ledgerClient } from './ledger-client.ts'
import type { Version } from './upgrade-case.ts'
import { upgradeTools } from './upgrade-tools.ts'

export interface UpgradeWorkerOrder {
  readonly home: string
  readonly socket: string
  readonly version: Version
}

process.once('message', (order: UpgradeWorkerOrder) => void work(order))
process.once('disconnect', () => process.exit())

async function work({ home, socket, version }: UpgradeWorkerOrder): Promise<void> {
  const tools = upgradeTools(version, ledgerClient(socket)) as ReadonlyMap<string, AgentTool>
  const { close } = await openRuns({ database: { home, poolSize: 6 }, tools: async () => tools, worker: { drain: '1s' } })
  process.once('SIGTERM', () => void close().then(() => process.exit()))
  process.send?.('ready')
}
