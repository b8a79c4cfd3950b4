import { AsyncLocalStorage } from 'node:async_hooks'
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client'
import { isRecord, type JsonSchema } from '../../../schema/json-schema.ts'
import { isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { isToolError } from '../../../tool/errors/tool-error.ts'
import { unfitAnswerIn } from '../../../tool/errors/unfit-answer.ts'
import { isRecorded } from '../../../tool/seam/whole.ts'
import type { Clock } from '../../../tool/ports/clock.ts'
import { type AskingCall, LinkCalls } from './link-calls.ts'
import { readableText } from './readable-text.ts'

/** So many questions may one call ask; the rest is not answered. */
const MOST_QUESTIONS = 10
const LONGEST_QUESTION = 2000
/** A person whose answer does not fit is asked again, with the reason, so many times in all. */
const MOST_ATTEMPTS = 3
const LONGEST_ISSUES = 500
const MOST_NAMES = 5

/**
 * Passes the questions of a server (elicitation) to the reviewer of the call that they belong to. The protocol does not say which call that is.
 * Over HTTP, and in revision 2026-07-28, the question comes back on the way of the call. Otherwise it is the only call that the server can be at
 * work on, and if there are several, nobody is asked: an answer must not go to a question of somebody else's call. `decline` is a person's no; where nobody was asked, or no answer
 * fits the form, the answer is `cancel`, so that no server records a decision that nobody made.
 */
export class UpstreamQuestions {
  readonly #server: string
  readonly #warn: (message: string) => void
  readonly #clock: Clock
  readonly #way = new AsyncLocalStorage<AskingCall>()

  constructor(server: string, { warn, clock }: { readonly warn: (message: string) => void; readonly clock: Clock }) {
    this.#server = server
    this.#warn = warn
    this.#clock = clock
  }

  /** The calls of a new connection. A question of one connection is about none of another. */
  newCalls(): LinkCalls {
    return new LinkCalls(this.#way, this.#clock)
  }

  /** Runs a call on a connection, whose context is asked meanwhile. */
  async during<T>(call: AskingCall, calls: LinkCalls, work: () => Promise<T>): Promise<T> {
    calls.begin(call)
    try {
      return await this.#way.run(call, work)
    } finally {
      calls.end(call)
    }
  }

  /** Runs work that serves all calls, such as connecting. */
  outside<T>(work: () => T): T {
    return this.#way.exit(work)
  }

  async answer({ message, requestedSchema }: ElicitRequestFormParams, calls: LinkCalls): Promise<ElicitResult> {
    const call = this.#call(calls)
    if (call === undefined) return this.#unasked('no single call under way to which its question belongs')
    // An answer inside a step of a recorded run would be lost with the process.
    if (isRecorded(call.context)) return this.#unasked('the call is a step of a recorded run, which asks before it, at a gate')
    if (++call.questions > MOST_QUESTIONS) return this.#unasked(`more than ${MOST_QUESTIONS} questions in one call`)
    const question = `MCP server '${this.#server}' asks: ${readableText(message, LONGEST_QUESTION)}${this.#doubt(call, calls)}`
    let issues = ''
    for (let time = 1; time <= MOST_ATTEMPTS; time++) {
      try {
        const again = issues === '' ? '' : `\n\nThe answer before does not fit: ${readableText(issues, LONGEST_ISSUES)}`
        const answer: unknown = await call.context.ask({
          question: `${question}${again}`,
          answerSchema: requestedSchema as unknown as JsonSchema,
        })
        if (answer === undefined) return this.#unasked('the call has no reviewer')
        return isRecord(answer) ? { action: 'accept', content: answer as NonNullable<ElicitResult['content']> } : { action: 'cancel' }
      } catch (error) {
        const unfit = unfitAnswerIn(error)
        if (unfit !== undefined) issues = unfit
        else if (isToolError(error)) return { action: error.code === 'rejected' ? 'decline' : 'cancel' }
        else if (isConfigurationError(error)) return this.#unasked(error.message)
        else throw error
      }
    }
    this.#warn(`A question of MCP server '${this.#server}' has no answer that fits: ${issues}`)
    return { action: 'cancel' }
  }

  #call(calls: LinkCalls): AskingCall | undefined {
    const known = this.#way.getStore()
    if (known !== undefined) return calls.isOpen(known) ? known : undefined
    return calls.only
  }

  /** On the way of a call, a question is about that call. */
  #doubt(call: AskingCall, calls: LinkCalls): string {
    const others = this.#way.getStore() === undefined ? calls.leftBehind(call) : []
    if (others.length === 0) return ''
    const names = others.slice(0, MOST_NAMES).map((each) => `'${each}'`)
    return `\n\nIt may be about an earlier call of yours, which was given up and has had no answer: ${names.join(', ')}.`
  }

  #unasked(why: string): ElicitResult {
    this.#warn(`Nobody was asked a question of MCP server '${this.#server}': ${why}`)
    return { action: 'cancel' }
  }
}
