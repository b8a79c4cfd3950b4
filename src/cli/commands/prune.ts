import type { RunStatus } from '../../run/state/run-state.ts'
import type { Duration } from '../../tool/duration.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { wholeNumber } from '../whole-number.ts'
import { type RunStoreOptions, withRunStore } from '../with-run-store.ts'

interface PruneCommandOptions extends RunStoreOptions {
  readonly olderThan?: Duration | undefined
  readonly keep?: string | undefined
  readonly status?: readonly RunStatus[] | undefined
}

/** `toolwright prune`: removes runs that have ended, by their age or their number. */
export const prune: Command<PruneCommandOptions> = async ({ options, output }) => {
  const { olderThan, status: statuses } = options
  const keep = wholeNumber('--keep', options.keep)
  if (olderThan === undefined && keep === undefined)
    throw new CliError('usage', 'Nothing says which runs are to go.', { hint: 'Use --older-than 30d, or --keep 1000.' })
  return withRunStore(options, output, async (runs) => {
    const removed = await runs.prune({ olderThan, keep, statuses })
    if (output.json) output.printJson({ removed })
    else output.note(`${removed} ${removed === 1 ? 'run was' : 'runs were'} removed.`)
    return EXIT.ok
  })
}
