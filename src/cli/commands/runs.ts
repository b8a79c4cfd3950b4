import type { RunInfo } from '../../run/view/run-info.ts'
import type { RunStatus } from '../../run/state/run-state.ts'
import { durationText } from '../../tool/duration-text.ts'
import { ago } from '../ago.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { shortId } from '../match-id.ts'
import { statusFormat } from '../status-format.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from '../whole-number.ts'
import { type RunStoreOptions, withRunStore } from '../with-run-store.ts'

interface RunsCommandOptions extends RunStoreOptions {
  readonly status?: readonly RunStatus[] | undefined
  readonly tool?: string | undefined
  readonly key?: string | undefined
  readonly limit?: string | undefined
}

const LIMIT = 50

/** `toolwright runs`: the runs of the database, newest first. */
export const runs: Command<RunsCommandOptions> = async ({ options, output }) => {
  const limit = wholeNumber('--limit', options.limit) ?? LIMIT
  return withRunStore(options, output, async (store) => {
    const { status, tool, key } = options
    const found = await store.list({ status, tool, key, limit })
    if (output.json) {
      output.printJson({ runs: found })
      return EXIT.ok
    }
    if (found.length === 0) {
      output.note('There are no such runs.')
      return EXIT.ok
    }
    const table = textTable([['run', 'tool', 'status', 'created', 'took', 'why'], ...found.map(rowOf)], {
      width: output.width,
      paint: (text, { row, column }) => {
        if (row === 0) return output.paint('dim', text)
        return column === 2 ? output.paint(statusFormat(found[row - 1]?.status), text) : text
      },
    })
    output.print(table)
    if (found.length === limit) output.note(`These are the ${limit} newest. --limit shows more.`)
    return EXIT.ok
  })
}

function rowOf({ id, tool, status, createdAt, startedAt, endedAt, why }: RunInfo): readonly string[] {
  const took = endedAt === undefined || startedAt === undefined ? '-' : durationText(endedAt - startedAt)
  return [shortId(id), tool, status, ago(createdAt), took, why?.message ?? '']
}
