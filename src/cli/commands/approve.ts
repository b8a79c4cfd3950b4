import { answerIssues } from '../../review/answer-issues.ts'
import { checkEdit } from '../../review/inbox-verbs.ts'
import type { InboxItem } from '../../review/inbox.ts'
import { settleWords } from '../../tool/outcome-question.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { decider, decideRequest } from '../decide-request.ts'
import { EXIT } from '../exit-code.ts'
import { shortId } from '../match-id.ts'
import { jsonFlag } from '../json-flag.ts'
import { wholeNumber } from '../whole-number.ts'
import type { RunStoreOptions } from '../with-run-store.ts'

interface ApproveOptions extends RunStoreOptions {
  readonly by?: string | undefined
  readonly note?: string | undefined
  readonly input?: string | undefined
  readonly patch?: string | undefined
  readonly answer?: string | undefined
  readonly edition?: string | undefined
}

/** `toolwright approve <request>`: approves it as it is, with another input, or with an answer. */
export const approve: Command<ApproveOptions> = async ({ words: [given = ''], options, output }) => {
  const { input, patch, answer, note } = options
  if ([input, patch, answer].filter((each) => each !== undefined).length > 1)
    throw new CliError('usage', '--input, --patch and --answer exclude each other.')
  const by = decider(options.by)
  const author = note === undefined ? {} : { note }
  const edition = wholeNumber('--edition', options.edition)
  const flag = input !== undefined ? '--input' : patch !== undefined ? '--patch' : '--answer'
  const value = await jsonValue(flag, input ?? patch ?? answer)
  const done = answer === undefined ? 'Approved' : 'Answered'
  return decideRequest({ given, options, output, done, by, edition }, async (item) => {
    const { status } = item
    if (status === 'open') await checkFit(item, { flag: answer === undefined ? undefined : flag, value })
    const decision: ReviewDecision =
      answer !== undefined
        ? { action: 'answer', value }
        : input !== undefined
          ? { action: 'edit', input: value }
          : patch !== undefined
            ? { action: 'edit', patch: value }
            : { action: 'continue' }
    if (status === 'open' && decision.action === 'edit') await checkEdit(item, decision)
    return { ...decision, ...author }
  })
}

async function jsonValue(flag: string, given: string | undefined): Promise<unknown> {
  return given === undefined ? undefined : jsonFlag(flag, given)
}

interface Fitting {
  /** Undefined where no answer is given. */
  readonly flag: string | undefined
  readonly value: unknown
}

/** The error for a wrong answer or edit names the flag to use, and the request stays open. */
async function checkFit({ request, run = '' }: InboxItem, { flag, value }: Fitting): Promise<void> {
  const { id, kind, about, path, answerSchema, why } = request
  if (kind === 'question' && flag === undefined)
    throw new CliError('invalid_answer', `Request '${id}' is a question: ${why}`, {
      hint:
        about === 'outcome'
          ? `Say it with: toolwright ${settleWords(shortId(run), path)}`
          : 'Answer it with --answer and JSON, or reject it with: toolwright reject',
      exit: EXIT.failed,
    })
  const issues = flag === undefined || answerSchema === undefined ? undefined : await answerIssues(value, answerSchema)
  if (issues !== undefined)
    throw new CliError('invalid_answer', `The answer does not fit request '${id}': ${issues}`, {
      hint: `toolwright approvals ${id} shows what is asked.`,
      exit: EXIT.failed,
    })
}
