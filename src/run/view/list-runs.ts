import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { unknownRun } from '../run-errors.ts'
import type { RunsContext } from '../runs-context.ts'
import { type RunStatus, checkStatuses } from '../state/run-state.ts'
import { infoOf, type RunInfo } from './run-info.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** Which runs are listed. */
export interface ListOptions {
  /** Runs of this status, or of any of these. */
  readonly status?: RunStatus | readonly RunStatus[] | undefined
  readonly tool?: string | undefined
  readonly key?: string | undefined
  /** At most so many: 50 by default, 10000 at most. */
  readonly limit?: number | undefined
  /** Goes on after this run: the id of the last one that was listed. */
  readonly before?: string | undefined
}

const NAMES = optionNames<ListOptions>({ status: true, tool: true, key: true, limit: true, before: true })

const MOST = 10_000

/** The runs of the database, newest first. */
export async function listRuns({ store, values }: RunsContext, options: ListOptions = {}): Promise<readonly RunInfo[]> {
  checkOptionNames(options, NAMES, 'The options of runs.list')
  const { status, tool, key, limit = 50, before } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw new ConfigurationError(
      'invalid_option',
      `The limit of a list of runs must be a whole number from 1 to ${MOST}, not ${quote(limit)}.`,
    )
  const statuses = status === undefined ? undefined : [...new Set(checkStatuses([status].flat()))]
  const rows = await store.listRuns({ statuses, tool, key, limit, before })
  if (rows === undefined) throw unknownRun(before ?? '')
  return rows.map((row) => infoOf(row, values))
}
