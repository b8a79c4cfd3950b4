import type { CallOptions } from '../tool/context.ts'

/** What can be said about a run. All of it is data: it is kept with the run. */
export interface StartOptions extends Pick<
  CallOptions,
  'principal' | 'agent' | 'task' | 'session' | 'traceId' | 'tokenBudget' | 'deadline'
> {
  /** Names the run: a second start with the same key gives the same run. */
  readonly key?: string | undefined
  /** Begins no sooner. */
  readonly startAt?: Date | undefined
}
