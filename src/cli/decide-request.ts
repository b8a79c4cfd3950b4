import { userInfo } from 'node:os'
import { answersText } from '../review/cast-answer.ts'
import type { InboxItem } from '../review/inbox.ts'
import type { Hearing } from '../tool/deciders.ts'
import { equalAnswers } from '../tool/equal-answers.ts'
import { printable } from '../tool/printable.ts'
import type { ReviewDecision } from '../tool/review.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { matchId } from './match-id.ts'
import type { Output } from './output.ts'
import { type RunStoreOptions, withRunStore } from './with-run-store.ts'

interface Deciding<Options extends RunStoreOptions> {
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
  { given, options, output, done, by, edition }: Deciding<Options>,
  decide: (item: InboxItem) => ReviewDecision | Promise<ReviewDecision>,
): Promise<ExitCode> {
  return withRunStore(options, output, async (runs) => {
    const { context, inbox } = runs
    const id = await matchId(runs, 'request', given)
    const item = await inbox.get(id)
    if (item === undefined) return EXIT.failed
    const { decideApproval } = await import('../run/approvals/decide-approval.ts')
    const decided = await decideApproval(context, id, { decision: await decide(item), by, edition, ...atCommandLine() })
    if (output.json) output.printJson(decided)
    else output.note(printable(`${done} ${id}${byWhom(decided)}. ${nextOf(decided)}`.trimEnd()))
    return EXIT.ok
  })
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
