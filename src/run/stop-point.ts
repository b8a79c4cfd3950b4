/**
 * Where a process can die between two writes. Tests stop it at each of these; in a program nobody listens.
 */
export const STOP_POINTS = [
  'run.queued',
  'run.claimed',
  'entries.writing',
  'entries.written',
  'run.parking',
  'run.parked',
  'review.deciding',
  'review.decided',
  'run.ending',
  'run.ended',
  'job.completed',
] as const

export type StopPoint = (typeof STOP_POINTS)[number]

/** Told of every stop-point that is passed. */
export type OnStopPoint = (point: StopPoint) => void
