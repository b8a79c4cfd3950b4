import type { Inbox } from '../review/inbox.ts'
import type { RecordedRun } from '../plan/observed-calls.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { IdentityClaim } from '../tool/deciders.ts'
import type { IdempotencyStore } from '../tool/ports/idempotency-store.ts'
import type { ListOptions } from './view/list-runs.ts'
import type { PruneOptions } from './retention.ts'
import type { OpenKey } from './store/run-reading.ts'
import type { SharedBoards } from './store/run-store.ts'
import type { ResumeOptions } from './store/run-changes.ts'
import type { RehearsedRun } from './segment/rehearse-runs.ts'
import type { RecordedOptions } from './view/recorded-runs.ts'
import type { RunExport } from './view/export-run.ts'
import type { RunHandle } from './run-handle.ts'
import type { RunInfo } from './view/run-info.ts'
import type { RunRecord } from './view/run-record.ts'
import type { ShowOptions } from './view/show-run.ts'
import type { StartOptions } from './start-run.ts'

/** The runs of a database, as this process sees them. */
export interface Runs {
  readonly inbox: Inbox
  /** The same inbox for decisions that come another way than through `inbox`, as `reviewers.identify` is told. */
  readonly inboxOn: (channel: string, identity?: IdentityClaim['identity']) => Inbox
  /** Where `idempotent` tools keep their keys, for all processes. */
  readonly idempotency: IdempotencyStore
  /** What breakers and limits share with other processes; absent where there are none. */
  readonly boards: SharedBoards | undefined
  readonly start: <I, O>(tool: AgentTool<I, O>, input: I, options?: StartOptions) => Promise<RunHandle<O>>
  /** A run by its id; rejects where there is none. */
  readonly get: (id: string) => Promise<RunHandle>
  /** By which a text can be recognised in the key of a run, under any of the encryption keys; the first is for new runs. Keys are stored in clear text. */
  readonly fingerprints: (text: string) => readonly string[]
  /** Some runs that have not ended and whose key begins so, the greatest key first; after them, those below the last key. None are left where it is empty. */
  readonly openKeys: (start: string, below?: string) => Promise<readonly OpenKey[]>
  /** Cancels a run because the call that waits for it is not wanted any more. */
  readonly takeBack: (id: string) => Promise<void>
  /** Whether a run was cancelled by `takeBack`: another call that shares it may begin anew. */
  readonly isTakenBack: (id: string) => Promise<boolean>
  /** The runs, newest first. */
  readonly list: (options?: ListOptions) => Promise<readonly RunInfo[]>
  /** Everything that a run has left behind so far; rejects where there is none. */
  readonly show: (id: string, options?: ShowOptions) => Promise<RunRecord>
  /** The same as one JSON document; with `includeSecrets`, one that can be replayed. */
  readonly export: (id: string, options?: ShowOptions) => Promise<RunExport>
  /** Walks the tools of this process through what every open run has recorded, and tells which could not go on under them. Nothing runs. */
  readonly rehearse: () => Promise<readonly RehearsedRun[]>
  /** The journals of the newest runs, for `check(tool, { recorded })`. */
  readonly recorded: (options?: RecordedOptions) => Promise<readonly RecordedRun[]>
  /** Removes runs that have ended, with all that they left behind, and tells how many. */
  readonly prune: (options: PruneOptions) => Promise<number>
  /** Takes blocked runs up again, when what blocked them is mended, and tells how many. */
  readonly resume: (options?: ResumeOptions) => Promise<number>
  readonly close: () => Promise<void>
}
