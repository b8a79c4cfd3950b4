import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'

/**
 * The state of a run. `waiting` is for a person or a time and costs nothing. `blocked` cannot go on under this program, and goes on when the
 * cause is removed. The last four are final.
 */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'blocked' | 'completed' | 'failed' | 'cancelled' | 'stopped'

/** What a run waits for, or why it cannot go on. */
export interface RunReason {
  /** `person`, `time`, or the code of an error. */
  readonly code: string
  readonly message: string
}

/** Nothing follows from these by itself. */
export const FINAL_STATUSES = ['completed', 'failed', 'cancelled', 'stopped'] as const satisfies readonly RunStatus[]

export const RUN_STATUSES = ['queued', 'running', 'waiting', 'blocked', ...FINAL_STATUSES] as const satisfies readonly RunStatus[]

interface Transition {
  /** The statuses in which it may happen; a run that has another status stays as it is. */
  readonly from: readonly RunStatus[]
  /** The statuses to which it leads; none where the run is removed. */
  readonly to: readonly RunStatus[]
}

/**
 * The state machine of a run: every change of a status is one of these. A claim may find a run `queued`, `waiting` or still
 * `running`: the ticket of its job tells that nothing else has happened to it. Every transition to `queued`, but for a hold-back, gives the run a
 * new ticket and a new job.
 */
export const TRANSITIONS = {
  /** `running` where a worker of the process that starts it takes it up at once. */
  start: { from: [], to: ['queued', 'running'] },
  claim: { from: ['queued', 'running', 'waiting'], to: ['running'] },
  /** The limit of its tool leaves no room. */
  holdBack: { from: ['queued', 'running', 'waiting'], to: ['queued'] },
  /** Nothing moves without a person or a time. */
  park: { from: ['running'], to: ['waiting'] },
  /** It has ended, or cannot go on. */
  end: { from: ['running'], to: [...FINAL_STATUSES, 'blocked'] },
  /** Its worker does not go on with it. */
  putBack: { from: ['running'], to: ['queued'] },
  /** A request of it was decided. A run that is not `waiting` is told, and keeps its status. */
  wake: { from: ['waiting'], to: ['queued'] },
  /** A run that does not move is queued to undo its steps. A run that is `running` is told, and keeps its status. */
  cancel: { from: ['queued', 'waiting', 'blocked'], to: ['queued'] },
  resume: { from: ['blocked'], to: ['queued'] },
  /** Its job is lost, or a worker is there now that may go on with it. */
  recover: { from: ['queued', 'running', 'waiting', 'blocked'], to: ['queued'] },
  /** Steps that could not be undone are undone again. */
  retryCompensation: { from: FINAL_STATUSES, to: ['queued'] },
  prune: { from: FINAL_STATUSES, to: [] },
} as const satisfies Readonly<Record<string, Transition>>

/** The name of a change of the status of a run. */
export type RunTransition = keyof typeof TRANSITIONS

/** Whether the transition may happen to a run of this status. */
export function allows(transition: RunTransition, status: RunStatus): boolean {
  return (TRANSITIONS[transition].from as readonly RunStatus[]).includes(status)
}

/** Whether the run has ended. */
export function isFinal(status: RunStatus): boolean {
  return (FINAL_STATUSES as readonly RunStatus[]).includes(status)
}

/** Whether the run moves no more by itself: it has ended, or a person must see to it. */
export function isStandstill(status: RunStatus): boolean {
  return (TRANSITIONS.end.to as readonly RunStatus[]).includes(status)
}

/** Refuses a text that is no status, or none of those that are allowed here. */
export function checkStatuses(given: readonly RunStatus[], allowed: readonly RunStatus[] = RUN_STATUSES): RunStatus[] {
  const wrong = given.find((each) => !allowed.includes(each))
  if (wrong === undefined) return [...given]
  throw new ConfigurationError('invalid_option', `A status must be one of ${allowed.join(', ')}, not ${quote(wrong)}.`)
}
