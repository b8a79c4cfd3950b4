import type { RecordedRun } from '../../plan/observed-calls.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { RunsContext } from '../runs-context.ts'
import { type ListOptions, listRuns } from './list-runs.ts'

/** Which runs are read. */
export type RecordedOptions = Pick<ListOptions, 'tool' | 'status' | 'limit'>

const NAMES = optionNames<RecordedOptions>({ tool: true, status: true, limit: true })

/** The journals of the newest runs, as far as `check` reads them: which calls there were, in the order in which they began. */
export async function recordedRuns(context: RunsContext, options: RecordedOptions = {}): Promise<readonly RecordedRun[]> {
  checkOptionNames(options, NAMES, 'The options of runs.recorded')
  const recorded: RecordedRun[] = []
  for (const { id } of await listRuns(context, options)) {
    const entries = await context.store.readEntries(id)
    recorded.push(entries.map(({ kind, path, tool }) => ({ kind, path, tool })))
  }
  return recorded
}
