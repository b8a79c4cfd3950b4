import { quote } from '../schema/quote.ts'
import { toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { RunsContext } from './runs-context.ts'
import { checkStatuses, FINAL_STATUSES, type RunStatus } from './state/run-state.ts'
import { type Retention, RETENTION_NAMES } from './worker/worker-options.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** Which ended runs are removed. */
export interface PruneOptions extends Retention {
  /** Only runs that ended like this, and only these are counted. All that have ended by default. */
  readonly statuses?: readonly RunStatus[] | undefined
}

const NAMES = optionNames<PruneOptions>({ ...RETENTION_NAMES, statuses: true })

/** Removes runs that have ended, with all that belongs to them, and tells how many. A run that is still open is never removed. */
export async function pruneRuns({ store }: RunsContext, options: PruneOptions): Promise<number> {
  checkOptionNames(options, NAMES, 'The options of runs.prune')
  const olderThanMs = checkRetention(options)
  const statuses = checkStatuses(options.statuses ?? FINAL_STATUSES, FINAL_STATUSES)
  return store.prune({ statuses, olderThanMs, keep: options.keep })
}

/** The age in milliseconds, if one is given. To remove everything has to be said: `keep: 0`. */
function checkRetention({ olderThan, keep }: Retention): number | undefined {
  if (keep !== undefined && (!Number.isInteger(keep) || keep < 0))
    throw new ConfigurationError('invalid_option', `The number of runs to keep must be a whole number from 0 on, not ${quote(keep)}.`)
  if (olderThan === undefined && keep === undefined)
    throw new ConfigurationError('invalid_option', 'Say which runs are to go: olderThan an age, or all but the latest to keep.')
  return olderThan === undefined ? undefined : toMilliseconds(olderThan, 'The age of runs to remove')
}

const EVERY_MS = 60 * 60 * 1000

/** Removes old runs once an hour, as long as a worker is there. Several workers do not get into each other's way. */
export class RunRetention {
  readonly #context: RunsContext
  readonly #retention: Retention | undefined
  #next = -Infinity

  constructor(context: RunsContext, retention: Retention | undefined) {
    if (retention !== undefined) checkRetention(retention)
    this.#context = context
    this.#retention = retention
  }

  /** Called at every beat of the worker. Gives how many runs went, or undefined where it was not the time. */
  async onBeat(now: number = this.#context.store.clock.tick()): Promise<number | undefined> {
    if (this.#retention === undefined || now < this.#next) return undefined
    this.#next = now + EVERY_MS
    return pruneRuns(this.#context, this.#retention)
  }
}
