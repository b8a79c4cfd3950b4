import type { InboxItem } from '../../review/inbox.ts'
import type { OpenedRuns } from '../../run/open-runs.ts'
import type { ListOptions } from '../../run/view/list-runs.ts'
import type { RunInfo } from '../../run/view/run-info.ts'
import type { RunStatus } from '../../run/state/run-state.ts'
import { appText, schemasOf } from '../../store/app.ts'
import { appStore } from '../../store/app-store.ts'
import { durationText } from '../../tool/duration-text.ts'
import { ago } from '../ago.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { placeText, tellOtherApps } from '../empty-place.ts'
import { onOneLine } from '../../review/on-one-line.ts'
import { excerpt } from '../../schema/quote.ts'
import { EXIT } from '../exit-code.ts'
import { shortId } from '../match-id.ts'
import { queuedText } from '../queued-text.ts'
import { statusFormat } from '../status-format.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from '../whole-number.ts'
import { type RunStoreOptions, withRunStore } from '../with-run-store.ts'

interface RunsCommandOptions extends RunStoreOptions {
  readonly status?: readonly RunStatus[] | undefined
  readonly tool?: string | undefined
  readonly key?: string | undefined
  readonly limit?: string | undefined
  readonly allApps?: boolean | undefined
}

const LIMIT = 50
/** `toolwright show` tells all of it. */
const LONGEST_WHY = 200

/** `toolwright runs`: the runs of an app, or of all apps of the database, newest first. */
export const runs: Command<RunsCommandOptions> = async ({ options, output }) => {
  const limit = wholeNumber('--limit', options.limit) ?? LIMIT
  const { status, tool, key, app, allApps = false } = options
  if (allApps && app !== undefined) throw new CliError('usage', '--app and --all-apps exclude each other.')
  const filter = { status, tool, key, limit }
  return withRunStore(options, output, async (store, place) => {
    const found = allApps ? await listAll(store, filter) : await store.list(filter)
    if (output.json) {
      output.printJson({ runs: found })
      return EXIT.ok
    }
    if (found.length === 0) {
      output.note(allApps ? 'There are no such runs.' : `There are no such runs of ${await placeText(place)}.`)
      if (!allApps) await tellOtherApps(store, output, 'Name one with --app, or list all with --all-apps.')
      return EXIT.ok
    }
    const asked = allApps ? new Map<string, readonly InboxItem[]>() : await openRequests(store, found)
    const columns = ['run', 'tool', 'status', 'created', 'took', 'why']
    const rows = [columns, ...found.map((run) => rowOf(run, asked.get(run.id) ?? []))].map((row, index) =>
      allApps ? [...row.slice(0, 5), appColumn(found, index), ...row.slice(5)] : row,
    )
    const table = textTable(rows, {
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

interface AppRun extends RunInfo {
  /** Only where the runs of all apps are listed. */
  readonly app?: string
}

function appColumn(found: readonly AppRun[], row: number): string {
  return row === 0 ? 'app' : (found[row - 1]?.app ?? '')
}

/** Each app has tables of its own, so that they are asked one after the other. */
async function listAll({ store, context }: OpenedRuns, filter: ListOptions & { readonly limit: number }): Promise<readonly AppRun[]> {
  const [{ listApps }, { postgresReading }, { listRuns }] = await Promise.all([
    import('../../run/postgres/apps.ts'),
    import('../../run/postgres/read-runs.ts'),
    import('../../run/view/list-runs.ts'),
  ])
  const found: AppRun[] = []
  for (const app of await listApps(store.pool)) {
    const reading = postgresReading(appStore(store, schemasOf(app)))
    const own = await listRuns({ ...context, store: { ...context.store, ...reading } }, filter)
    found.push(...own.map((run) => ({ ...run, app: appText(app) })))
  }
  return found.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, filter.limit)
}

/** What the listed runs ask people, by run. */
async function openRequests({ inbox }: OpenedRuns, found: readonly RunInfo[]): Promise<ReadonlyMap<string, readonly InboxItem[]>> {
  const waiting = found.filter(({ status, why }) => status === 'waiting' && why?.code === 'person')
  return new Map(await Promise.all(waiting.map(async ({ id }) => [id, await inbox.list({ run: id })] as const)))
}

function rowOf(run: RunInfo, asked: readonly InboxItem[]): readonly string[] {
  const { id, tool, status, createdAt, startedAt, endedAt, why } = run
  const took = endedAt === undefined || startedAt === undefined ? '-' : durationText(endedAt - startedAt)
  return [
    shortId(id),
    tool,
    status,
    ago(createdAt),
    took,
    excerpt(
      onOneLine(asked.length === 0 ? (why?.message ?? queuedText(run, Date.now()) ?? '') : asked.map(requestText).join('; ')),
      LONGEST_WHY,
    ),
  ]
}

/** `approval of pay (3f2a91bc): 250 is much.` */
function requestText({ request: { id, kind, about, tool, why } }: InboxItem): string {
  return `${about ?? kind} of ${tool} (${shortId(id)}): ${why}`
}
