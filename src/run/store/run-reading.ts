import type { RunStatus } from '../state/run-state.ts'
import type { ApprovalRow } from './approval-store.ts'
import type { EntryRow } from './journal-store.ts'

/** A run as it is stored. Times are milliseconds since the epoch. */
export interface RunRow {
  readonly id: string
  readonly key: string | null
  readonly tool: string
  readonly version: string
  readonly status: RunStatus
  readonly why: string | null
  readonly worker: string | null
  readonly wakeAt: number | null
  /** Null until it has ended, and in lists. */
  readonly result: string | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** A run with its plan, input and options, as it is stored. */
export interface FullRunRow extends RunRow {
  readonly plan: string
  readonly input: string
  readonly inputHash: string
  readonly options: string
}

/** A journal entry with its input and its times, as it is stored. */
export interface FullEntryRow extends EntryRow {
  readonly input: string | null
  readonly begunAt: number
  readonly endedAt: number | null
}

/** An event of a run, as it is stored. */
export interface EventRow {
  readonly no: number
  readonly at: number
  readonly type: string
  readonly data: string
}

/** An event of a run, or the beginning or the end of one of its entries: `call.begun`, `review.ended` and so on. */
export interface HappenedRow {
  readonly no: number
  readonly at: number
  readonly type: string
  readonly path: string | null
  readonly tool: string | null
  readonly data: string | null
}

/** A large value of a run, as it is stored. */
export interface ArtifactRow {
  readonly id: string
  readonly bytes: number
  /** Null where it is larger than asked for. */
  readonly data: string | null
}

/** A run with all that belongs to it, at one moment. */
export interface WholeRun {
  readonly row: FullRunRow
  /** In the order in which they began. */
  readonly entries: readonly FullEntryRow[]
  readonly approvals: readonly ApprovalRow[]
  readonly events: readonly EventRow[]
  readonly artifacts: readonly ArtifactRow[]
  /** The worker that has it was heard of a moment ago. False where none has it. */
  readonly hasLivingWorker: boolean
}

/** Which runs a store lists. */
export interface RunFilter {
  readonly statuses?: readonly RunStatus[] | undefined
  readonly tool?: string | undefined
  readonly key?: string | undefined
  readonly limit: number
  /** Goes on after this run. */
  readonly before?: string | undefined
}

/** A run that has not ended, by its key. */
export interface OpenKey {
  readonly id: string
  readonly key: string
  readonly isCancelled: boolean
}

/** A run that has not ended, as a rehearsal needs it. */
export interface OpenRun {
  readonly id: string
  readonly tool: string
  readonly status: RunStatus
  readonly plan: string
  readonly input: string
  readonly options: string
  readonly cancel: string | null
}

/** What a worker has to know of the runs that it holds. */
export interface RunNews {
  readonly runs: readonly { readonly id: string; readonly epoch: number; readonly cancel: string | null }[]
  /** In the order in which they were decided. */
  readonly decided: readonly { readonly id: string; readonly run: string; readonly decision: string }[]
}

/** Reading changes nothing. Each is one statement, but for `readRun`. */
export interface RunReading {
  readonly findRun: (id: string) => Promise<RunRow | undefined>
  /** Newest first, without results. Undefined where there is no run `before`. */
  readonly listRuns: (filter: RunFilter) => Promise<readonly RunRow[] | undefined>
  /** Artifacts of more bytes than `largest` come without their text. Undefined where there is no such run. A transaction: all is of one moment. */
  readonly readRun: (id: string, largest: number) => Promise<WholeRun | undefined>
  /** What happened in a run after a number, oldest first. */
  readonly readEvents: (run: string, after: number, most: number) => Promise<readonly HappenedRow[]>
  /** Runs that have not ended, by id, after an id. */
  readonly readOpenRuns: (after: string, most: number) => Promise<readonly OpenRun[]>
  /** Runs that have not ended and whose key begins so, the greatest key first, below a key. However many runs there are, it looks at these alone. */
  readonly readOpenKeys: (start: string, below: string | undefined, most: number) => Promise<readonly OpenKey[]>
  /** Who holds the runs now, whether they are cancelled, and which of the requests are decided. Two statements. */
  readonly readNews: (runs: readonly string[], requests: readonly string[]) => Promise<RunNews>
}
