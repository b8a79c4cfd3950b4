import type { RunInfo } from '../run/view/run-info.ts'

/** A run that is due begins within seconds if a worker knows its tool. */
const TAKEN_UP_MS = 10_000

/** Why a run that is due may still be queued; undefined for any other run. */
export function queuedText({ status, createdAt, wakeAt = createdAt }: RunInfo, now: number): string | undefined {
  if (status !== 'queued' || now - wakeAt < TAKEN_UP_MS) return undefined
  return 'no worker has taken it up: start one that has the tool, with toolwright worker, or wait until one is free'
}
