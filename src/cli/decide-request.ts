import { userInfo } from 'node:os'
import { answersText } from '../review/cast-answer.ts'
import { InboxError, refusal } from '../review/inbox-error.ts'
import type { InboxItem } from '../review/inbox.ts'
import { maskedBySchema } from '../review/masked-item.ts'
import type { Deciding } from '../run/approvals/decide-approval.ts'
import type { OpenedRuns } from '../run/open-runs.ts'
import type { Hearing } from '../tool/deciders.ts'
import { equalAnswers } from '../tool/equal-answers.ts'
import { printable } from '../tool/printable.ts'
import type { ReviewDecision } from '../tool/review.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { matchId } from './match-id.ts'
import type { Output } from './output.ts'
import { type RunStoreOptions, withRunStore } from './with-run-store.ts'

interface DecidingHere<Options extends RunStoreOptions> {
  /** The id of the request, or its beginning. */
  readonly given: string
  readonly options: Options
  readonly output: Output
  /** The decision in the past tense: `Approved`. */
  readonly done: string
  /** Who decides, as far as they say. */
  readonly by: string | undefined
  /** The edition of the input that they have seen. */
  readonly edition?: number | undefined
}

/** Decides a request and prints the outcome. Where somebody decided before, the error says who. */
export function decideRequest<Options extends RunStoreOptions>(
  { given, options, output, done, by, edition }: DecidingHere<Options>,
  decide: (item: InboxItem) => ReviewDecision | Promise<ReviewDecision>,
): Promise<ExitCode> {
  return withRunStore(options, output, async (runs) => {
    const { inbox } = runs
    const id = await matchId(runs, 'request', given)
    const item = await inbox.get(id)
    if (item === undefined) throw unknownRequest(id)
    const decided = await decideHere(runs, id, { decision: await decide(item), by, edition })
    if (output.json) output.printJson(await asShown(runs, decided))
    else output.note(printable(`${done} ${id}${byWhom(decided)}. ${nextOf(decided)}`.trimEnd()))
    return EXIT.ok
  })
}

/** Records a decision of the person at the command line. The error that tells of an earlier decision is masked as the inbox is. */
export async function decideHere(
  { context, inbox }: Pick<OpenedRuns, 'context' | 'inbox'>,
  id: string,
  deciding: Omit<Deciding, keyof Hearing>,
): Promise<InboxItem> {
  const { decideApproval } = await import('../run/approvals/decide-approval.ts')
  try {
    return await decideApproval(context, id, { ...deciding, ...atCommandLine() })
  } catch (error) {
    const item = error instanceof InboxError && error.code === 'already_decided' ? await inbox.get(id) : undefined
    throw (item === undefined ? undefined : refusal(item)) ?? error
  }
}

/** A request that was decided, as the inbox shows it: with the secrets of its run masked. */
export async function asShown({ inbox }: Pick<OpenedRuns, 'inbox'>, decided: InboxItem): Promise<InboxItem> {
  return (await inbox.get(decided.request.id)) ?? maskedBySchema(decided)
}

/** It was removed while somebody looked at it. */
export function unknownRequest(id: string): InboxError {
  return new InboxError('unknown_request', `There is no request '${id}' any more: its run was removed.`)
}

export function byWhom({ decision, ballot }: InboxItem): string {
  const { by, identity } = decision ?? ballot?.votes.at(-1) ?? {}
  return by === undefined ? '' : ` as ${printable(by)}${identity === 'claimed' ? ' (claimed)' : ''}`
}

/** What follows from a decision or a vote. */
export function nextOf({ status, run, request, ballot, decision }: InboxItem): string {
  if (status === 'open') {
    const last = ballot?.votes.at(-1)
    if (last?.action === 'answer')
      return `${answersText(request, equalAnswers(ballot?.votes ?? [], last.value).length)}: it waits for others.`
    const votes = ballot?.votes.filter(({ edition }) => edition === ballot.edition).length ?? 0
    const isVoid = ballot !== undefined && votes < ballot.votes.length && ballot.votes.at(-1)?.action === 'edit'
    return `${isVoid ? 'Earlier approvals no longer count. ' : ''}${votes} of ${request.deciders?.count ?? 1} approvals: it waits for others.`
  }
  return run === undefined ? '' : `The run ${run} ${decision?.action === 'stop' ? 'ends' : 'continues'} with the next free worker.`
}

/** The name of the person who decides: as given, else the user of this machine. */
export function decider(by: string | undefined): string | undefined {
  return by ?? userOfMachine()
}

/** How a name reaches the program: typed by somebody, who is the user of this machine. */
export function atCommandLine(): Hearing {
  return { channel: 'cli', user: userOfMachine() }
}

/** By the user id of the process. A variable such as `USER` may say anything. */
function userOfMachine(): string | undefined {
  try {
    return userInfo().username
  } catch {
    // The user has no entry on this machine.
    return undefined
  }
}
