import { printable } from '../tool/printable.ts'
import type { ReviewDecision, ReviewWait } from '../tool/review.ts'
import { askLine, dropTyped, type ReviewInput, type Terminal } from './ask-line.ts'

export const NOBODY: ReviewDecision = { action: 'reject', cause: 'unreachable', reason: 'Nobody can answer: the console is closed.' }
const NONSENSE: ReviewDecision = { action: 'reject', cause: 'unreachable', reason: 'The answer on the console was not understood.' }

/** What a line says: a decision, or what to show before the person is asked again. */
export type Said = ReviewDecision | Again

export interface Again {
  /** Lines that are safe on a terminal. */
  readonly again: string
}

/** The line holds no decision, for this reason. */
export function problem(text: string): Again {
  return { again: `${printable(text)}\n` }
}

const MOST_TRIES = 5

/** By the inputs on which a request was withdrawn before it was answered: the word with which the next answer must begin. */
const codes = new WeakMap<ReviewInput, string>()

/** Talks with the person at a terminal about one request. */
export async function converse(
  terminal: Terminal,
  wait: ReviewWait,
  talk: (conversation: Conversation) => Promise<ReviewDecision>,
): Promise<ReviewDecision> {
  await dropTyped(terminal, wait)
  try {
    const decision = await talk(new Conversation(terminal, wait, codes.get(terminal.input)))
    if (decision === NONSENSE) say(terminal, 'Nothing runs, since the answers were not understood.')
    codes.delete(terminal.input)
    return decision
  } catch (error) {
    if (terminal.signal.aborted) {
      codes.set(terminal.input, crypto.randomUUID().slice(0, 4))
      say(terminal, '\nThe request was withdrawn. Do not answer it.')
    }
    throw error
  }
}

/** The lines of one person about one request. */
export class Conversation {
  readonly #terminal: Terminal
  readonly #wait: ReviewWait
  #hasAsked = false
  /**
   * Somebody may be typing an answer to a request that was withdrawn, and sees the next one too late. So the first answer to that one begins
   * with a word that nobody can have typed before it was shown.
   */
  #code: string | undefined

  constructor(terminal: Terminal, wait: ReviewWait, code: string | undefined) {
    this.#terminal = terminal
    this.#wait = wait
    this.#code = code
  }

  /**
   * A line of the person; undefined where nobody can answer any more. Lines that came at once with the one before were pasted, and were no
   * answer to this prompt.
   */
  async line(prompt: string): Promise<string | undefined> {
    if (this.#hasAsked) await dropTyped(this.#terminal, this.#wait)
    this.#hasAsked = true
    const code = this.#code
    const needed = code === undefined ? '' : `The request before was withdrawn. Begin the answer to this one with ${code}.\n`
    let line = await askLine(this.#terminal, needed + prompt)
    for (let isTold = false; line !== undefined && code !== undefined; isTold = true) {
      const [word, rest] = wordAndRest(line)
      this.#code = word === code ? undefined : code
      if (word === code) return rest
      line = await askLine(this.#terminal, isTold ? '' : `That does not begin with ${code}, and does not count: `)
    }
    return line
  }

  /** Asks until a line holds a decision, a few times at most. */
  async until(request: string, choices: string, read: (line: string) => Promise<Said>): Promise<ReviewDecision> {
    let shown = request
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const line = await this.line(shown + choices)
      if (line === undefined) return NOBODY
      const said = await read(line)
      if ('action' in said) return said
      shown = said.again
    }
    return NONSENSE
  }
}

export function wordAndRest(line: string): readonly [word: string, rest: string] {
  const text = line.trim()
  const end = text.search(/\s/)
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}

function say({ output }: Terminal, text: string): void {
  if (output.writable) output.write(`${text}\n`)
}
