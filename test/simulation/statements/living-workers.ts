import type { WorkerRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'

const HEARD_OF_WITHIN_MS = 15_000

/** Workers that know the tool, and were heard of lately. */
export function livingWorkers(on: Transaction, tool: string): readonly WorkerRow[] {
  return on.all('worker').filter(({ tools, seen_at: seen }) => tools.includes(tool) && seen > on.now - HEARD_OF_WITHIN_MS)
}
