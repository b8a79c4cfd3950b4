import { decode } from '../../tool/journal/codec.ts'
import type { ToolFailure, ToolSuccess } from '../../tool/result.ts'
import type { Values } from '../journal/values.ts'
import type { RunReason, RunStatus } from '../state/run-state.ts'

/** What a run is and where it stands. */
export interface RunInfo {
  readonly id: string
  readonly key?: string | undefined
  readonly tool: string
  readonly version: string
  readonly status: RunStatus
  /** What it waits for, why it cannot go on, or why it failed. */
  readonly why?: RunReason | undefined
  /** The worker that has it now. */
  readonly worker?: string | undefined
  /** When it goes on by itself. */
  readonly wakeAt?: number | undefined
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
}

/** A run as it stands in the database. */
export interface RunRow {
  readonly id: string
  readonly key: string | null
  readonly tool: string
  readonly version: string
  readonly status: RunStatus
  readonly why: string | null
  readonly worker: string | null
  readonly wake_at: Date | null
  readonly result: string | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly ended_at: Date | null
}

export const RUN_COLUMNS = 'id, key, tool, version, status, why, worker, wake_at, result, created_at, started_at, ended_at'

export function infoOf(row: RunRow, values: Values): RunInfo {
  const { id, key, tool, version, status, why, worker } = row
  return {
    id,
    ...(key === null ? {} : { key }),
    tool,
    version,
    status,
    ...(why === null ? {} : { why: values.openReason(why) }),
    ...(worker === null ? {} : { worker }),
    ...(row.wake_at === null ? {} : { wakeAt: row.wake_at.getTime() }),
    createdAt: row.created_at.getTime(),
    ...(row.started_at === null ? {} : { startedAt: row.started_at.getTime() }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at.getTime() }),
  }
}

/** A result as a run keeps it: without its steps, which are the run's own. */
export type KeptResult<O = unknown> = Omit<ToolSuccess<O>, 'steps'> | Omit<ToolFailure, 'steps'>

export function resultOf(text: string, values: Values): KeptResult {
  return decode(values.unseal(text)) as KeptResult
}
