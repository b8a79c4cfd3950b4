/** A worker whose steps wait until the ledger lets them go: so a test knows that a step is under way. */
import { openRuns } from '../../src/run/open-runs.ts'
import { heldTool } from './held-tool.ts'

process.once('message', ({ home, folder }: { readonly home: string; readonly folder: string }) => void work(home, folder))
process.once('disconnect', () => process.exit())

async function work(home: string, folder: string): Promise<void> {
  const tool = heldTool(folder)
  await openRuns({ database: { home }, tools: async () => new Map([[tool.name, tool]]) })
  process.send?.('ready')
}
