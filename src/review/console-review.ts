import { isRecord } from '../schema/json-schema.ts'
import { toJsonText } from '../schema/quote.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { jsonProblem } from '../tool/input/json-problem.ts'
import { printable } from '../tool/printable.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest } from '../tool/review.ts'
import { answerIssues } from './answer-issues.ts'
import type { ReviewInput, ReviewOutput } from './ask-line.ts'
import { type Again, type Conversation, converse, NOBODY, problem, type Said, wordAndRest } from './conversation.ts'
import { describeRequest } from './describe-request.ts'
import { editIssues } from './edit-issues.ts'
import type { InputChange } from './inbox.ts'
import { TurnQueue } from './turn-queue.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `consoleReview`. */
export interface ConsoleReviewOptions {
  /** Standard input by default. It belongs to the handler while a question is open. */
  readonly input?: ReviewInput | undefined
  /** Standard error by default, so that the output of the program stays its own. */
  readonly output?: ReviewOutput | undefined
  /** Five minutes by default, the wait for other prompts included. */
  readonly timeout?: Duration | undefined
}

const NAMES = optionNames<ConsoleReviewOptions>({ input: true, output: true, timeout: true })

/** There is one terminal, and one person before it. */
const turns = new TurnQueue()

const BY = 'console'
const CHOICES = '[y]es, [e]dit, [n]o <reason>, [s]top <reason>: '

/**
 * Asks on the terminal, one request at a time for the whole process. An answer that is not understood is asked for again, a few times; without
 * a clear approval nothing runs.
 * @example
 * const result = await issueRefund.call({ orderId: 'A1', amount: 250 }, { review: consoleReview() })
 */
export function consoleReview(options: ConsoleReviewOptions = {}): ReviewHandler {
  checkOptionNames(options, NAMES, 'The options of consoleReview')
  const { input, output, timeout = '5m' } = options
  return {
    channel: 'console',
    timeoutMs: toMilliseconds(timeout, 'The timeout of a console review'),
    review: (request, wait) =>
      turns.run(wait.signal, () => {
        const terminal = { input: input ?? process.stdin, output: output ?? process.stderr, signal: wait.signal }
        return converse(terminal, wait, (talk) => (request.kind === 'question' ? answer(request, talk) : approve(request, talk)))
      }),
  }
}

async function approve(request: ReviewRequest, talk: Conversation): Promise<ReviewDecision> {
  return talk.until(describeRequest(request), CHOICES, (line) => choose(request, line, talk))
}

/** The decision in a line, or why it is none. */
async function choose(request: ReviewRequest, line: string, talk: Conversation): Promise<Said> {
  const [word, rest] = wordAndRest(line)
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
    case 'c':
    case 'continue':
      if (rest !== '') return problem(`'${word}' approves as it is, and nothing may follow it.`)
      return { action: 'continue', by: BY }
    case 'e':
    case 'edit':
      return edit(request, rest, talk)
    case 'n':
    case 'no':
    case 'r':
    case 'reject':
      return { action: 'reject', by: BY, ...reason(rest) }
    case 's':
    case 'stop':
      return { action: 'stop', by: BY, ...reason(rest) }
    default:
      return problem('The answer was not understood.')
  }
}

/** A string tool takes the line as it is. Any other takes JSON: the fields to change, or after `=` the whole input. */
async function edit(request: ReviewRequest, given: string, talk: Conversation): Promise<Said> {
  const isText = typeof request.input === 'string'
  const form = isText ? 'new input: ' : 'the fields to change as one line of JSON (null removes one), or = and the whole input: '
  const line = given === '' ? await talk.line(form) : given
  if (line === undefined) return NOBODY
  const change = isText ? { input: line } : changeIn(line)
  if ('again' in change) return change
  const issues = await editIssues(request, change)
  return issues === undefined ? { action: 'edit', ...change, by: BY } : problem(`The edit does not fit: ${issues}`)
}

function changeIn(line: string): InputChange | Again {
  const isWhole = line.trimStart().startsWith('=')
  const parsed = parse(isWhole ? line.replace('=', '') : line)
  if ('again' in parsed) return parsed
  return isWhole || !isRecord(parsed.value) ? { input: parsed.value } : { patch: parsed.value }
}

async function answer(request: ReviewRequest, talk: Conversation): Promise<ReviewDecision> {
  const { answerSchema } = request
  const isText = answerSchema?.['type'] === 'string'
  const form = isText ? 'answer' : `answer as one line of JSON that fits ${printable(toJsonText(answerSchema))}`
  return talk.until(describeRequest(request), `${form} (/reject and /stop do as they say): `, async (line) => {
    const [word, rest] = wordAndRest(line)
    if (word === '') return problem('An empty line is no answer.')
    if (word === '/reject') return { action: 'reject', by: BY, ...reason(rest) }
    if (word === '/stop') return { action: 'stop', by: BY, ...reason(rest) }
    const parsed = isText ? { value: line } : parse(line)
    if ('again' in parsed) return parsed
    const issues = answerSchema === undefined ? undefined : await answerIssues(parsed.value, answerSchema)
    return issues === undefined ? { action: 'answer', value: parsed.value, by: BY } : problem(`The answer does not fit: ${issues}`)
  })
}

function reason(text: string): { readonly reason?: string } {
  return text === '' ? {} : { reason: text }
}

function parse(line: string): { readonly value: unknown } | Again {
  try {
    return { value: JSON.parse(line) as unknown }
  } catch (error) {
    return problem(`That is not valid JSON. ${jsonProblem(line, error)}.`)
  }
}
