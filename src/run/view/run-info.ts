import { decodeResult } from '../../tool/result/result-codec.ts'
import type { ToolFailure, ToolSuccess } from '../../tool/result/result.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import type { RunRow } from '../store/run-reading.ts'
import { inRun } from '../journal/place.ts'
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

export function infoOf(row: RunRow, values: Values): RunInfo {
  const { id, key, tool, version, status, why, worker } = row
  return {
    id,
    ...(key === null ? {} : { key }),
    tool,
    version,
    status,
    ...(why === null ? {} : { why: values.openReason(why, id) }),
    ...(worker === null ? {} : { worker }),
    ...(row.wakeAt === null ? {} : { wakeAt: row.wakeAt }),
    createdAt: row.createdAt,
    ...(row.startedAt === null ? {} : { startedAt: row.startedAt }),
    ...(row.endedAt === null ? {} : { endedAt: row.endedAt }),
  }
}

/** A result as a run keeps it: without its steps, which are the run's own. */
export type KeptResult<O = unknown> = Omit<ToolSuccess<O>, 'steps'> | Omit<ToolFailure, 'steps'>

export function resultOf(run: string, text: string, values: Values): SettledResult {
  return decodeResult(values.unseal(text, inRun(run, 'result')), 'in the row of the run')
}
