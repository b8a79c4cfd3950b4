import { answerIssues } from '../review/answer-issues.ts'
import { InboxError } from '../review/inbox-error.ts'
import type { InboxItem } from '../review/inbox.ts'
import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import type { Decider, Hearing } from '../tool/deciders.ts'
import { type OutcomeWord, settledStep } from '../tool/outcome-question.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { decideApproval } from './approvals/decide-approval.ts'
import { checkOptionNames } from '../tool/option-names.ts'
import type { RunsContext } from './runs-context.ts'
import { isFinal } from './state/run-state.ts'
import { showRun } from './view/show-run.ts'

export interface Settlement {
  /** The path of the step, as `show` tells it. */
  readonly path: string
  readonly word: OutcomeWord
  readonly by: Decider | undefined
  /** How the name reached the program. */
  readonly heard: Omit<Hearing, 'identity'>
}

/**
 * Answers the question of a run whether one of its steps took effect, and lets the run go on. It is a decision like any other: the same people
 * may make it, the first one counts, and it is recorded with its decider before anything follows from it.
 */
export async function settleStep(context: RunsContext, run: string, { path, word, by, heard }: Settlement): Promise<InboxItem> {
  checkWord(word)
  const { status, approvals } = await showRun(context, run)
  const questions = approvals.filter(({ request }) => request.about === 'outcome')
  const own = questions.filter(({ request }) => settledStep(request.path) === path)
  const open = own.find((item) => item.status === 'open')
  if (open === undefined) {
    if (isFinal(status))
      throw new ConfigurationError(
        'run_not_open',
        `The run '${run}' is ${status}: a word on its steps changes nothing any more. Runs with unknownOutcome: 'ask' wait for one.`,
      )
    throw new ConfigurationError('nothing_to_settle', `The run '${run}' asks nobody about '${path}'. ${reasonOf(own, questions)}`)
  }
  const { id, answerSchema } = open.request
  const issues = answerSchema === undefined ? undefined : await answerIssues(word, answerSchema)
  if (issues !== undefined) throw new InboxError('invalid_answer', `The result does not fit the step '${path}': ${issues}`)
  return decideApproval(context, id, { decision: { action: 'answer', value: word }, by, ...heard })
}

function checkWord(word: unknown): void {
  if (!isRecord(word) || typeof word['happened'] !== 'boolean')
    throw new ConfigurationError(
      'invalid_option',
      `The word on a step must be { happened: true, value } or { happened: false }, not ${quote(word)}.`,
    )
  checkOptionNames(word, word['happened'] ? ['happened', 'value'] : ['happened'], 'The fields of a word on a step')
}

/** Why there is nothing to say about the step, and about which ones there is. */
function reasonOf(own: readonly InboxItem[], questions: readonly InboxItem[]): string {
  const decided = own.findLast(({ decision }) => decision !== undefined)
  const others = questions.filter(({ status }) => status === 'open').map(({ request }) => `'${settledStep(request.path)}'`)
  const asked = others.length === 0 ? 'It asks about no other step either.' : `It asks about ${others.join(', ')}.`
  if (decided === undefined) return asked
  const { by = 'somebody', action } = decided.decision ?? {}
  const when = decided.closedAt === undefined ? '' : ` at ${new Date(decided.closedAt).toISOString()}`
  return `${action === 'answer' ? 'It was settled' : 'The question was closed'} by ${by}${when}, and the first decision counts. ${asked}`
}
