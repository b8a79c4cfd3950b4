import { isAbsolute, relative } from 'node:path'
import { isFinal } from '../run/state/run-state.ts'
import type { RunInfo } from '../run/view/run-info.ts'
import type { InboxItem } from '../review/inbox.ts'
import { onOneLine } from '../review/on-one-line.ts'
import { allRules, type ReviewVote } from '../tool/deciders.ts'
import { equalAnswers } from '../tool/equal-answers.ts'
import { settleWords } from '../tool/outcome-question.ts'
import { printable } from '../tool/printable.ts'
import type { PendingRequest, PendingRun } from '../tool/result/pending-run.ts'
import { failure, type ReturnedFailure } from '../tool/result/returned.ts'
import { shellWord } from '../tool/shell-word.ts'
import { appFlag, approveWords } from './approve-words.ts'
import type { Runtime } from './create-runtime.ts'
import { RUN_STATUS } from './run-status-name.ts'

/** Whether a run goes on only when somebody decides. */
export function isForPerson({ status, why }: RunInfo): boolean {
  return status === 'waiting' && why?.code === 'person'
}

type Place = Pick<Runtime, 'app' | 'home'>

/** What a run waits for, as its caller may know it; undefined where it has ended. */
export async function pendingRun(runtime: Place & Pick<Runtime, 'runs'>, info: RunInfo): Promise<PendingRun | undefined> {
  const { id: run, tool, status, why, wakeAt } = info
  if (isFinal(status)) return undefined
  if (isForPerson(info)) {
    const flags = await placeFlags(runtime)
    const requests = (await openRequests(runtime, run)).map((item) => pendingRequest(item, run, flags))
    // None are open any more if somebody has just decided.
    return { run, tool, waitsFor: requests.length === 0 ? 'work' : 'person', requests }
  }
  if (status === 'blocked') return { run, tool, waitsFor: 'blocked', requests: [], problem: why?.message }
  const waitsFor = status === 'waiting' || (status === 'queued' && wakeAt !== undefined) ? 'time' : status === 'queued' ? 'worker' : 'work'
  return { run, tool, waitsFor, requests: [], ...(wakeAt === undefined ? {} : { wakeAt }) }
}

/** For a model, and not for a person who decides: masked as the record of the run is, with all secrets that the run has seen. */
async function openRequests(runtime: Pick<Runtime, 'runs'>, run: string): Promise<readonly InboxItem[]> {
  const { approvals } = await (await runtime.runs()).show(run)
  return approvals.filter(({ status }) => status === 'open')
}

/** The flags without which commands in the same project and environment would look at another app or database; else empty. */
async function placeFlags({ app, home }: Place): Promise<string> {
  return `${await homeFlags(home)}${await appFlags(app)}`
}

async function appFlags(app: Runtime['app']): Promise<string> {
  if (app === undefined) return ''
  const { appOf, appText } = await import('../store/app.ts')
  const [own, usual] = [app, undefined].map((each) => appText(appOf(each, { isShared: false })))
  return own === undefined || own === usual ? '' : ` ${appFlag(own)}`
}

/** A path outside of the project is nothing that callers should learn. */
async function homeFlags(home: string | undefined): Promise<string> {
  if (home === undefined || home === '') return ''
  const [{ homeFolder }, { nearestProject }] = await Promise.all([import('../store/home-folder.ts'), import('../store/project.ts')])
  const folder = homeFolder(home)
  if (folder === homeFolder()) return ''
  const shown = relative(nearestProject()?.folder ?? '', folder)
  return shown === '' || shown.startsWith('..') || isAbsolute(shown) ? " --home '<the home of the program>'" : ` --home ${shellWord(shown)}`
}

function pendingRequest(item: InboxItem, run: string, flags: string): PendingRequest {
  const { request } = item
  const { id, kind, tool, why, whyOutside, input, risk } = request
  const approvals = approvalsOf(item)
  const command = commandFor(item, run, flags)
  return {
    ...{ id, kind, tool, why, input, risk, command },
    ...(whyOutside === undefined ? {} : { whyOutside }),
    ...(approvals === undefined ? {} : { approvals }),
  }
}

/** Undefined where one decision is enough. */
function approvalsOf({ request, ballot }: InboxItem): PendingRequest['approvals'] {
  const needed = Math.max(1, ...allRules(request.deciders).map(({ count }) => count))
  if (needed === 1) return undefined
  const votes = ballot?.votes ?? []
  const alike = request.kind === 'question' ? votes.map(({ value }) => equalAnswers(votes, value)) : [countedIn(votes, ballot?.edition)]
  return { needed, given: Math.max(0, ...alike.map(({ length }) => length)) }
}

/** An edit makes all approvals before it void. */
function countedIn(votes: readonly ReviewVote[], current: number | undefined): readonly ReviewVote[] {
  return votes.filter(({ edition }) => edition === current)
}

function commandFor(item: InboxItem, run: string, flags: string): string {
  const { id, about, path, deciders } = item.request
  if (about !== 'outcome') return `npx toolwright ${approveWords(item, id)}${flags}`
  const by = deciders === undefined ? '' : " --by '<name>'"
  return `npx toolwright ${settleWords(run, path, `${by}${flags}`)}`
}

const NO_WORKER = 'If it stays queued, no worker runs: a person starts one with: npx toolwright worker'

const NO_STATUS = `The '${RUN_STATUS}' of that server is not offered here, so there is no tool that gives the result. Say that a person must look at the run there, and that those who run this program can offer it: npx toolwright pin --dry-run shows it.`

/** The receipt as the result of the call. It fails, so that the output of a tool is always what the tool gives. */
export function receipt(pending: PendingRun): ReturnedFailure {
  const { message, hint } = receiptTexts(pending)
  const code = pending.waitsFor === 'person' ? 'approval_pending' : 'run_pending'
  return failure(message, { code, outcome: 'unknown', hint, pending })
}

/** The receipt for a model: what is the matter, and what to do. */
export function receiptTexts({ run, tool, server, withoutStatus, waitsFor, requests, wakeAt, problem, refused = [] }: PendingRun): {
  readonly message: string
  readonly hint: string
} {
  const place = server === undefined ? '' : ` of MCP server '${server}'`
  // A tool of another server may have another name here, or be a part of the tool that was called.
  const again = server === undefined ? `Do not call '${tool}' again.` : 'Do not repeat the call: it would be another run there.'
  const ask = `${again} ${withoutStatus === true ? NO_STATUS : `Ask '${RUN_STATUS}' with ${JSON.stringify({ run })} later: it gives the result.`}`
  switch (waitsFor) {
    case 'person': {
      const reasons = requests.map((each) => `${each.tool}: ${printable(onOneLine(each.why))}${approvalsText(each)}`).join('; ')
      const commands = requests.flatMap(({ command }) => (command === '' ? [] : [command])).join('; ')
      const there = server === undefined ? 'in the inbox or with' : `in the inbox of MCP server '${server}' or, where that runs, with`
      return {
        message: `'${tool}'${place} waits for a person to decide, as run ${run}. ${[...refused.map((each) => printable(onOneLine(each))), reasons].join(' ')}`,
        hint: `${ask} It goes on by itself when they have decided, ${there}: ${commands}`,
      }
    }
    case 'time':
      return {
        message: `'${tool}'${place} sleeps${wakeAt === undefined ? '' : ` until ${new Date(wakeAt).toISOString()}`}, as run ${run}.`,
        hint: ask,
      }
    case 'blocked':
      return {
        message: `'${tool}'${place} cannot go on at the moment, as run ${run}. ${problem ?? ''}`.trimEnd(),
        hint: `${ask} A person must mend the program first.`,
      }
    case 'worker':
      return {
        message: `'${tool}'${place} is queued until a worker takes it up, as run ${run}.`,
        hint: `${ask} ${NO_WORKER}`,
      }
    case 'work':
      return { message: `'${tool}'${place} is still at work, as run ${run}.`, hint: ask }
  }
}

/** ` (1 of 2 approvals, each of another person)` */
function approvalsText({ kind, approvals }: PendingRequest): string {
  if (approvals === undefined) return ''
  const what = kind === 'question' ? 'equal answers' : 'approvals'
  return ` (${approvals.given} of ${approvals.needed} ${what}, each of another person)`
}
