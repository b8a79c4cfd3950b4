import type { Inbox } from '../review/inbox-interface.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { IdempotencyStore } from '../tool/idempotency-store.ts'
import type { RunHandle } from './run-handle-interface.ts'
import type { StartOptions } from './start-options.ts'

/** The runs of a database, as this process sees them. */
export interface Runs {
  readonly inbox: Inbox
  /** Where `idempotent` tools keep their keys, for all processes. */
  readonly idempotency: IdempotencyStore
  readonly start: <I, O>(tool: AgentTool<I, O>, input: I, options?: StartOptions) => Promise<RunHandle<O>>
  /** A run by its id; rejects where there is none. */
  readonly get: (id: string) => Promise<RunHandle>
  readonly close: () => Promise<void>
}
