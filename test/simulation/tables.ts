/** Rows as the memory keeps them. They never change: a change is another row. Times are milliseconds since the epoch. */
export interface Tables {
  readonly run: RunRow
  readonly entry: EntryRow
  readonly approval: ApprovalRow
  readonly event: EventRow
  readonly artifact: ArtifactRow
  readonly worker: WorkerRow
  readonly job: JobRow
  readonly key: KeyRow
}

export type TableName = keyof Tables

export const TABLE_NAMES: readonly TableName[] = ['run', 'entry', 'approval', 'event', 'artifact', 'worker', 'job', 'key']

export interface RunRow {
  readonly id: string
  readonly key: string | null
  readonly tool: string
  readonly version: string
  readonly plan: string
  readonly input: string
  readonly input_hash: string
  readonly options: string
  readonly status: string
  readonly why: string | null
  readonly epoch: number
  readonly ticket: number
  readonly worker: string | null
  /** The latest job, where it has one. */
  readonly job: string | null
  /** By which fetch of it the run was claimed last. */
  readonly job_attempt: number | null
  /** Workers that cannot go on with it. */
  readonly unable: readonly string[]
  readonly deaths: number
  readonly entries_seen: number
  readonly held_back: boolean
  /** The number of its latest claim of a key. */
  readonly key_claim: number
  readonly wake_at: number | null
  readonly time_left_ms: number | null
  readonly clock_runs_since: number | null
  readonly cancel: string | null
  readonly result: string | null
  readonly created_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
}

export interface EntryRow {
  readonly run: string
  readonly path: string
  readonly full_path: string | null
  readonly kind: string
  readonly tool: string | null
  readonly key: string | null
  readonly input_hash: string | null
  readonly input: string | null
  readonly data: string | null
  readonly begun_no: number
  readonly ended_no: number | null
  readonly version: number
}

export interface ApprovalRow {
  readonly id: string
  readonly run: string | null
  readonly path: string
  readonly tool: string
  readonly kind: string
  readonly request: string
  readonly is_shielded: boolean
  readonly status: 'open' | 'decided' | 'withdrawn'
  readonly assignee: string | null
  readonly assignee_print: string | null
  readonly decision: string | null
  readonly ballot: string | null
  readonly ballot_no: number
  readonly requested_at: number
  readonly expires_at: number | null
  readonly closed_at: number | null
}

interface EventRow {
  readonly run: string
  readonly no: number
  readonly at: number
  readonly type: string
  readonly data: string
}

interface ArtifactRow {
  readonly run: string
  readonly id: string
  readonly data: string
}

export interface WorkerRow {
  readonly id: string
  readonly tools: readonly string[]
  readonly limited: readonly string[]
  readonly seen_at: number
}

/** A job of the queue. */
export interface JobRow {
  readonly id: string
  readonly run: string
  readonly tool: string
  readonly ticket: number
  readonly startAt: number
  readonly state: 'created' | 'retry' | 'active'
  /** How often it was fetched before. */
  readonly attempt: number
  readonly isBegun: boolean
  readonly heartbeat: number | null
}

/** A key of `idempotent`. */
export interface KeyRow {
  readonly key: string
  readonly tool: string
  readonly input_hash: string
  readonly holder: string
  readonly fence: number
  readonly state: 'held' | 'done'
  readonly result: string | null
  readonly lease_until: number
  readonly keep_ms: number
  readonly keep_until: number
}
