import { AsyncLocalStorage } from 'node:async_hooks'
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client'
import { isRecord, type JsonSchema } from '../../../schema/json-schema.ts'
import { isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { isExitEarly } from '../../../tool/errors/exit-early.ts'
import { refusalReasonIn } from '../../../tool/errors/refusal-reason.ts'
import { isToolError } from '../../../tool/errors/tool-error.ts'
import { unfitAnswerIn } from '../../../tool/errors/unfit-answer.ts'
import { isRecorded, settingsOf } from '../../../tool/seam/whole.ts'
import type { Clock } from '../../../tool/ports/clock.ts'
import { type FormMark, markOf } from '../form-mark.ts'
import { askedApproval, filledForm, refusedForm } from './asked-approval.ts'
import { type AskingCall, LinkCalls } from './link-calls.ts'
import { readableText } from './readable-text.ts'

/** So many questions may one call ask; the rest is not answered. */
const MOST_QUESTIONS = 10
const LONGEST_QUESTION = 2000
/** A person whose answer does not fit is asked again, with the reason, so many times in all. */
const MOST_ATTEMPTS = 3
const LONGEST_ISSUES = 500
const MOST_NAMES = 5
/** An answer inside a step would be lost with the process. */
const IN_STEP =
  "the call is a step of a recorded run, in which no answer can be kept. Those who run the program can put a gate of their own before the tool, or run it in memory ('durable: false')."
/** Why is nothing for the callers of this program. */
const UNREACHED = 'the reviewer could not be reached'

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

  async answer(form: ElicitRequestFormParams, calls: LinkCalls): Promise<ElicitResult> {
    const mark = markOf(form.requestedSchema)
    const bringing = mark?.kind === 'approval' ? calls.bringing(mark.id) : undefined
    if (bringing?.decided !== undefined) {
      bringing.isBrought = true
      return { action: 'accept', content: { ...bringing.decided.content } }
    }
    const call = this.#call(calls)
    if (call === undefined) return this.#unasked(undefined, 'no single call under way to which its question belongs')
    if (isRecorded(call.context)) return this.#unasked(call, IN_STEP)
    const { review } = settingsOf(call.context)
    if (review === undefined || review.isAbsent === true) return this.#unasked(call, 'the call has no reviewer who can be asked')
    if (++call.questions > MOST_QUESTIONS) return this.#unasked(call, `more than ${MOST_QUESTIONS} questions in one call`)
    const ask =
      mark?.kind === 'approval'
        ? (problem: string) => this.#approval(form, { call, calls, mark, problem })
        : (problem: string) => this.#answer(form, { call, calls, problem })
    let problem = ''
    for (let time = 1; time <= MOST_ATTEMPTS; time++) {
      try {
        const answer = await ask(problem)
        if ('action' in answer) return answer
        ;({ problem } = answer)
      } catch (error) {
        const refused = this.#refused(error, call, mark)
        if ('action' in refused) return refused
        ;({ problem } = refused)
      }
    }
    return this.#unasked(call, `no answer fits: ${problem}`)
  }

  /** A form of another Toolwright server that wants an approval is a review here: it can be approved, edited, rejected and stopped. */
  async #approval({ message }: ElicitRequestFormParams, { call, calls, mark, problem }: ApprovalAsked): Promise<ElicitResult | Unfit> {
    const { why, ...shown } = askedApproval(this.#server, message, mark)
    const decision = await call.context.review({
      ...shown,
      why: `${why}${this.#doubt(call, calls)}${again(problem)}`,
      onEdit: 'return',
    })
    const filled = filledForm(decision, mark)
    return 'problem' in filled ? filled : { action: 'accept', ...filled }
  }

  async #answer({ message, requestedSchema }: ElicitRequestFormParams, { call, calls, problem }: Asked): Promise<ElicitResult | Unfit> {
    const question = `MCP server '${this.#server}' asks: ${readableText(message, LONGEST_QUESTION)}${this.#doubt(call, calls)}`
    const answer: unknown = await call.context.ask({
      question: `${question}${again(problem)}`,
      answerSchema: requestedSchema as unknown as JsonSchema,
    })
    if (isRecord(answer)) return { action: 'accept', content: answer as NonNullable<ElicitResult['content']> }
    return this.#unasked(call, 'nobody answered')
  }

  /** What an error of a question means for the server. A stop ends the run here too, whatever the server does. */
  #refused(error: unknown, call: AskingCall, mark: FormMark | undefined): ElicitResult | Unfit {
    const unfit = unfitAnswerIn(error)
    if (unfit !== undefined) return { problem: unfit }
    if (isConfigurationError(error)) return this.#unasked(call, error.message)
    const isStop = isExitEarly(error)
    if (!isStop && !isToolError(error)) throw error
    const reason = refusalReasonIn(error)
    if (!isStop && error.code !== 'rejected') return this.#unasked(call, error.internal ? UNREACHED : (reason ?? error.message), error)
    if (mark?.kind === 'approval') return { action: 'accept', content: refusedForm(isStop ? 'stop' : 'reject', reason) }
    // The words of a person are for those who asked in this way, and not for every server.
    return { action: 'decline', ...(mark === undefined || reason === undefined ? {} : { content: { reason } }) }
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

  /** The result of the call says it too. */
  #unasked(call: AskingCall | undefined, why: string, error?: Error): ElicitResult {
    if (call !== undefined) call.undecided ??= why
    this.#warn(`Nobody has decided a question of MCP server '${this.#server}': ${error?.message ?? why}`)
    return { action: 'cancel' }
  }
}

interface Asked {
  readonly call: AskingCall
  readonly calls: LinkCalls
  /** Why the answer before does not count; empty at first. */
  readonly problem: string
}

interface ApprovalAsked extends Asked {
  readonly mark: Extract<FormMark, { readonly kind: 'approval' }>
}

/** The person is asked again. */
interface Unfit {
  readonly problem: string
}

function again(problem: string): string {
  return problem === '' ? '' : `\n\nThe answer before does not fit: ${readableText(problem, LONGEST_ISSUES)}`
}
