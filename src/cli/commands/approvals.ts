import type { InboxFilter } from '../../review/inbox.ts'
import { inRows } from '../../review/in-rows.ts'
import type { OpenedRuns } from '../../run/open-runs.ts'
import { ago } from '../ago.ts'
import type { Command } from '../command.ts'
import { decideHere, decider, unknownRequest } from '../decide-request.ts'
import { describeItem } from '../describe-item.ts'
import { placeText, tellOtherApps } from '../empty-place.ts'
import { EXIT } from '../exit-code.ts'
import { matchId, shortId } from '../match-id.ts'
import type { DurablePlace } from '../open-database.ts'
import type { Output } from '../output.ts'
import { isAtTerminal } from '../terminal.ts'
import { textTable } from '../text-table.ts'
import { type RunStoreOptions, withRunStore } from '../with-run-store.ts'
import { onOneLine } from '../../review/on-one-line.ts'

interface ApprovalsOptions extends RunStoreOptions {
  readonly run?: string | undefined
  readonly tool?: string | undefined
  readonly assignee?: string | undefined
  readonly by?: string | undefined
  readonly list?: boolean | undefined
}

/** `toolwright approvals [id]`: the requests that wait for a person, on a terminal to decide them one by one; or one request in full. */
export const approvals: Command<ApprovalsOptions> = async ({ words: [given], options, output }) =>
  withRunStore(options, output, async (runs, place) => {
    if (given === undefined && options.list !== true && !output.json && isAtTerminal())
      await decideOnTerminal({ runs, place }, options, output)
    else if (given === undefined) await printAll({ runs, place }, options, output)
    else await printOne(runs, await matchId(runs, 'request', given), output)
    return EXIT.ok
  })

interface Searched {
  readonly runs: OpenedRuns
  readonly place: DurablePlace
}

async function decideOnTerminal(searched: Searched, options: ApprovalsOptions, output: Output): Promise<void> {
  const { runs } = searched
  const filter = await filterOf(runs, options)
  if ((await runs.inbox.list({ ...filter, limit: 1 })).length === 0) return tellNone(searched, output)
  const [{ reviewSession }, { terminalPrompts }, { editText }] = await Promise.all([
    import('../approvals/review-session.ts'),
    import('../approvals/terminal-prompts.ts'),
    import('../approvals/edit-text.ts'),
  ])
  await reviewSession({
    inbox: runs.inbox,
    filter,
    decide: (id, deciding) => decideHere(runs, id, { ...deciding, by: decider(options.by) }),
    prompts: await terminalPrompts(),
    edit: editText,
    where: options,
  })
}

async function filterOf(runs: OpenedRuns, { run, tool, assignee }: ApprovalsOptions): Promise<InboxFilter> {
  return { run: run === undefined ? undefined : await matchId(runs, 'run', run), tool, assignee }
}

async function tellNone({ runs, place }: Searched, output: Output): Promise<void> {
  output.note(`Nothing waits for a person. Looked at ${await placeText(place)}.`)
  return tellOtherApps(runs, output, 'Name one with --app.')
}

async function printAll(searched: Searched, options: ApprovalsOptions, output: Output): Promise<void> {
  const { runs } = searched
  const items = await runs.inbox.list(await filterOf(runs, options))
  if (output.json) return output.printJson({ approvals: items })
  if (items.length === 0) return tellNone(searched, output)
  const rows = items.map(({ request, run: waiting, assignee: who, requestedAt }) => [
    shortId(request.id),
    request.about ?? request.kind,
    request.tool,
    request.risk,
    waiting === undefined ? '-' : shortId(waiting),
    who ?? '-',
    ago(requestedAt),
    onOneLine(request.why),
  ])
  output.print(
    textTable([['request', 'kind', 'tool', 'risk', 'run', 'assignee', 'asked', 'why'], ...rows], {
      width: output.width,
      paint: (text, { row }) => (row === 0 ? output.paint('dim', text) : text),
    }),
  )
}

async function printOne({ inbox }: OpenedRuns, id: string, output: Output): Promise<void> {
  const item = await inbox.get(id)
  if (item === undefined) throw unknownRequest(id)
  if (output.json) return output.printJson(item)
  output.print(inRows(describeItem(item), output.width))
}
