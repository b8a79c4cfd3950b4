import { toJsonText } from '../schema/quote.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { printable } from '../tool/printable.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest } from '../tool/review.ts'
import { askLine, type ReviewInput, type ReviewOutput, type Terminal } from './ask-line.ts'
import { describeRequest } from './describe-request.ts'

/** Runs one work at a time, in the order of the calls. An aborted call leaves the queue. */
class TurnQueue {
  #taken = false
  readonly #waiting = new Set<() => void>()

  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (!this.#taken) {
      this.#taken = true
      return
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = (): void => {
        this.#waiting.delete(enter)
        reject(signal.reason as Error)
      }
      this.#waiting.add(enter)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** The turn passes to the next call at once, so that no new call can come in between. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#taken = false
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

export interface ConsoleReviewOptions {
  /** Standard input by default. It belongs to the handler while a question is open. */
  readonly input?: ReviewInput | undefined
  /** Standard error by default, so that the output of the program stays its own. */
  readonly output?: ReviewOutput | undefined
  /** Five minutes by default, the wait for other prompts included. */
  readonly timeout?: Duration | undefined
}

/** There is one terminal, and one person before it. */
const turns = new TurnQueue()

const BY = 'console'
const CHOICES = '[y]es, [e]dit, [n]o <reason>, [s]top <reason>: '
const NOBODY: ReviewDecision = { action: 'reject', reason: 'Nobody can answer: the console is closed.' }
const NONSENSE: ReviewDecision = { action: 'reject', reason: 'The answer on the console was not understood.' }

/**
 * Asks on the terminal, one request at a time for the whole process. Any answer that is not clearly an approval is a rejection.
 * @example
 * const result = await issueRefund.call({ orderId: 'A1', amount: 250 }, { review: consoleReview() })
 */
export function consoleReview({ input, output, timeout = '5m' }: ConsoleReviewOptions = {}): ReviewHandler {
  return {
    timeoutMs: toMilliseconds(timeout, 'The timeout of a console review'),
    review: (request, { signal }) =>
      turns.run(signal, () => converse(request, { input: input ?? process.stdin, output: output ?? process.stderr, signal })),
  }
}

async function converse(request: ReviewRequest, terminal: Terminal): Promise<ReviewDecision> {
  try {
    const decision = await (request.kind === 'question' ? answer(request, terminal) : approve(request, terminal))
    if (decision === NONSENSE) say(terminal, 'Rejected, since the answer was not understood.')
    return decision
  } catch (error) {
    if (terminal.signal.aborted) say(terminal, '\nThe request was withdrawn. Do not answer it.')
    throw error
  }
}

async function approve(request: ReviewRequest, terminal: Terminal): Promise<ReviewDecision> {
  const line = await askLine(terminal, describeRequest(request) + CHOICES)
  if (line === undefined) return NOBODY
  const [word, rest] = wordAndRest(line)
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
    case 'c':
    case 'continue':
      return rest === '' ? { action: 'continue', by: BY } : NONSENSE
    case 'e':
    case 'edit':
      return edit(request, terminal, rest)
    case 'n':
    case 'no':
    case 'r':
    case 'reject':
      return { action: 'reject', by: BY, ...reason(rest) }
    case 's':
    case 'stop':
      return { action: 'stop', by: BY, ...reason(rest) }
    default:
      return NONSENSE
  }
}

/** The whole input anew. A string tool takes the line as it is, any other a line of JSON. */
async function edit(request: ReviewRequest, terminal: Terminal, given: string): Promise<ReviewDecision> {
  const plain = typeof request.input === 'string'
  const line = given === '' ? await askLine(terminal, plain ? 'new input: ' : 'new input, all of it, as one line of JSON: ') : given
  if (line === undefined) return NOBODY
  const value = plain ? { value: line } : parse(line)
  return value === undefined ? NONSENSE : { action: 'edit', input: value.value, by: BY }
}

async function answer(request: ReviewRequest, terminal: Terminal): Promise<ReviewDecision> {
  const plain = request.answerSchema?.['type'] === 'string'
  const form = plain ? 'answer' : `answer as one line of JSON that fits ${printable(toJsonText(request.answerSchema))}`
  const line = await askLine(terminal, `${describeRequest(request)}${form} (/reject and /stop do as they say): `)
  if (line === undefined) return NOBODY
  const [word, rest] = wordAndRest(line)
  if (word === '') return NONSENSE
  if (word === '/reject') return { action: 'reject', by: BY, ...reason(rest) }
  if (word === '/stop') return { action: 'stop', by: BY, ...reason(rest) }
  const value = plain ? { value: line } : parse(line)
  return value === undefined ? NONSENSE : { action: 'answer', value: value.value, by: BY }
}

function wordAndRest(line: string): readonly [word: string, rest: string] {
  const text = line.trim()
  const end = text.search(/\s/)
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}

function reason(text: string): { readonly reason?: string } {
  return text === '' ? {} : { reason: text }
}

function parse(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) as unknown }
  } catch {
    return undefined
  }
}

function say({ output }: Terminal, text: string): void {
  if (output.writable) output.write(`${text}\n`)
}
