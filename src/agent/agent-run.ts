import { backoff } from '../policies/backoff.ts'
import type { ToolContext } from '../tool/context.ts'
import { failure, type ReturnedFailure } from '../tool/result/returned.ts'
import type { FailureDetails, ToolResult } from '../tool/result/result.ts'
import { callWithRetry } from '../tool/seam/call-with-retry.ts'
import { type AgentAnswer, type AgentProgress, type AgentStop, UnfinishedAgent } from './agent-answer.ts'
import type { AgentKit } from './agent-kit.ts'
import { addUsage, costOf, NOTHING_USED, type TokenUsage } from './agent-usage.ts'
import type { TurnReply } from './language-model.ts'
import { type AgentMessage, assistantMessage, type AskedCall, textIn, userMessage } from './messages.ts'
import type { Origin } from './prompt-window.ts'
import { type ResultDoor, routedResults, wholeResults } from './routed-results.ts'
import { ToolFinder } from './tool-finder.ts'
import { TurnCalls } from './turn-calls.ts'

/** What an agent is asked, with all variables filled in. */
export interface AgentPrompt {
  readonly system: string
  readonly task: string
}

/** An earlier result that the agent is given with its task. */
export interface EarlierResult {
  readonly name: string
  readonly result: ToolResult
}

const ATTEMPTS = backoff({ attempts: 4, base: '500ms' })
const NO_MORE_CALLS = 'No more tools can be called. Answer now with what you have.'

/**
 * One run of the loop: asks the model, makes the calls that it asks for, and so on until it answers. It reaches the world through its context
 * alone, and its labels are made of the numbers of turns and calls: so a recorded run is taken up at any point.
 */
export class AgentRun {
  readonly #kit: AgentKit
  readonly #context: ToolContext
  readonly #prompt: AgentPrompt
  readonly #finder: ToolFinder | undefined
  #door: ResultDoor
  #calls: TurnCalls
  readonly #messages: AgentMessage[] = []
  readonly #ids = new Set<string>()
  #turns = 0
  #used: TokenUsage = NOTHING_USED
  #lastUsed: TokenUsage = NOTHING_USED
  #isRepaired = false

  constructor(kit: AgentKit, context: ToolContext, prompt: AgentPrompt) {
    this.#kit = kit
    this.#context = context
    this.#prompt = prompt
    this.#finder = kit.catalog === undefined ? undefined : new ToolFinder(kit.catalog, context)
    this.#door = wholeResults(kit.media)
    this.#calls = this.#callsThrough(this.#door)
  }

  #callsThrough(door: ResultDoor): TurnCalls {
    const { tools, limits } = this.#kit
    return new TurnCalls({
      context: this.#context,
      tools: new Map(tools.map(({ name, tool }) => [name, tool])),
      finder: this.#finder,
      limits,
      door,
    })
  }

  /** With a router, results and prompts go through a conversation of it. */
  async #openRouter(): Promise<void> {
    const { router, form, ...kit } = this.#kit
    if (router === undefined) return
    const format = form === undefined ? '' : JSON.stringify(form.schema)
    this.#door = await routedResults(this.#context, { ...kit, router, format, ...this.#prompt })
    this.#calls = this.#callsThrough(this.#door)
  }

  async answer(earlier: readonly EarlierResult[]): Promise<AgentAnswer<unknown> | ReturnedFailure> {
    const { system, task } = this.#prompt
    await this.#openRouter()
    await this.#finder?.begin(task)
    this.#say({ role: 'system', content: system })
    await this.#giveTask(task, earlier)
    let stop: AgentStop | undefined = this.#kit.limits.toolCalls === 0 && this.#kit.tools.length > 0 ? 'limit' : undefined
    for (;;) {
      if (this.#isSpent(0)) return this.#overBudget()
      const asked = await this.#ask(stop === undefined)
      if (asked === undefined) {
        if (stop !== undefined || this.#turns === 0) return this.#overWindow()
        // Without the tools there may be room for an answer.
        stop = 'limit'
        this.#say(userMessage(`There is no room for more in your context. ${NO_MORE_CALLS}`))
        continue
      }
      if (!asked.ok) return this.#failed(asked.error)
      const reply = asked.value
      const calls = stop === undefined ? this.#numbered(reply) : []
      if (calls.length === 0) {
        const ended = await this.#end(reply, stop)
        if (ended !== undefined) return ended
        continue
      }
      const parts = [...reply.content.filter(({ type }) => type !== 'tool-call'), ...calls]
      this.#say(assistantMessage(parts, { withCalls: true }))
      const { answers, origins } = await this.#calls.answer(this.#label, calls)
      this.#say({ role: 'tool', content: answers }, origins)
      this.#door.window?.called(
        calls.map(({ toolName }) => toolName),
        this.#turns,
      )
      stop = this.#reasonToStop()
      if (stop !== undefined) this.#say(userMessage(this.#lastWord(stop)))
    }
  }

  #say(message: AgentMessage, origins?: ReadonlyMap<number, Origin>): void {
    this.#messages.push(message)
    this.#door.window?.add(message, origins)
  }

  get #label(): string {
    return `turn${this.#turns}`
  }

  /** Through a router, each earlier result is a text of its own: it can make room like every other result. */
  async #giveTask(task: string, earlier: readonly EarlierResult[]): Promise<void> {
    const texts = [task]
    const origins = new Map<number, Origin>()
    for (const [index, { name, result }] of earlier.entries()) {
      const { text, pointer } = await this.#door.admit(`earlier${index + 1}`, result, [])
      texts.push(`Result of the task '${name}':\n${text}`)
      origins.set(index + 1, { result, pointer })
    }
    if (this.#door.window === undefined) this.#say(userMessage(texts.join('\n\n')))
    else this.#say(userMessage(...texts), origins)
  }

  /** Undefined if the prompt does not fit into the window of the router. */
  async #ask(tools: boolean): Promise<ToolResult<TurnReply> | undefined> {
    const label = `turn${this.#turns + 1}`
    const { window } = this.#door
    if (this.#finder !== undefined) window?.offer(this.#finder.functions())
    // A copy: the input of a call must not grow while it is under way.
    const prompt = window === undefined ? { messages: [...this.#messages], without: [] } : await window.fit(label, tools)
    if (prompt === undefined) return undefined
    this.#turns++
    const { messages, without } = prompt
    const found = this.#finder?.names ?? []
    const input = { messages, tools, ...(without.length === 0 ? {} : { without }), ...(found.length === 0 ? {} : { found }) }
    const result = await callWithRetry(this.#context, { label, tool: this.#kit.model, input, backoff: ATTEMPTS })
    if (!result.ok) return result
    this.#lastUsed = result.value.usage
    this.#used = addUsage(this.#used, this.#lastUsed)
    return result
  }

  /** Calls with an id each: providers refuse two calls with one id. */
  #numbered({ content }: TurnReply): readonly AskedCall[] {
    return content
      .filter((part) => part.type === 'tool-call')
      .map((call, index) => {
        const isNew = call.toolCallId !== '' && !this.#ids.has(call.toolCallId)
        const toolCallId = isNew ? call.toolCallId : `${this.#label}_call${index + 1}`
        this.#ids.add(toolCallId)
        return { ...call, toolCallId }
      })
  }

  #reasonToStop(): AgentStop | undefined {
    if (this.#calls.repeats > 1) return 'repeated'
    return this.#calls.areUsedUp || this.#isSpent(2) ? 'limit' : undefined
  }

  #lastWord(stop: AgentStop): string {
    if (stop === 'repeated') return `You repeat the same calls. ${NO_MORE_CALLS}`
    if (this.#calls.areUsedUp) return `You have used all ${this.#kit.limits.toolCalls} tool calls of this task. ${NO_MORE_CALLS}`
    return `The budget of this task is nearly used up. ${NO_MORE_CALLS}`
  }

  /** Whether the budget is used up after so many further turns like the last one. */
  #isSpent(turns: number): boolean {
    const { limits, prices } = this.#kit
    const tokens = ({ inputTokens, outputTokens }: TokenUsage): number => inputTokens + outputTokens
    const cost = (used: TokenUsage): number => costOf(used, prices) ?? 0
    const isOver = (count: (used: TokenUsage) => number, limit: number): boolean =>
      count(this.#used) + turns * count(this.#lastUsed) >= limit
    return isOver(tokens, limits.tokens) || isOver(cost, limits.costUsd)
  }

  /** The answer; undefined if the model must correct its form. */
  async #end(reply: TurnReply, stop: AgentStop | undefined): Promise<AgentAnswer<unknown> | ReturnedFailure | undefined> {
    const { form, owner, limits } = this.#kit
    this.#say(assistantMessage(reply.content, { withCalls: false }))
    const text = textIn(reply.content)
    if (text.trim() === '') {
      const why = stop === 'repeated' ? 'repeated its calls' : `used its ${limits.toolCalls} tool calls`
      return this.#failed({ code: 'loop_exhausted', message: `The agent '${owner}' ${why} and gave no answer.` })
    }
    const reason = stop ?? (reply.finish === 'length' ? 'cut_off' : 'answered')
    if (form === undefined) return { text, value: undefined, stop: reason, ...this.#progress() }
    const read = await form.read(text)
    if ('value' in read) return { text, value: read.value, stop: reason, ...this.#progress() }
    if (this.#isRepaired)
      return this.#failed({
        code: 'invalid_output',
        message: `The answer of the agent '${owner}' does not fit its output: ${read.problem}.`,
      })
    this.#isRepaired = true
    this.#say(userMessage(`Your answer does not fit the required form: ${read.problem}. Answer again, with the corrected JSON alone.`))
    return undefined
  }

  /** Without a turn for it, the last text of the model is the answer. */
  #overBudget(): AgentAnswer<unknown> | ReturnedFailure {
    const { owner, limits, form } = this.#kit
    const bounds = [
      ...(limits.tokens === Infinity ? [] : [`${limits.tokens} tokens`]),
      ...(limits.costUsd === Infinity ? [] : [`$${limits.costUsd}`]),
    ]
    const text = form === undefined ? lastText(this.#messages) : ''
    if (text !== '') return { text, value: undefined, stop: 'limit', ...this.#progress() }
    const message = `The agent '${owner}' may use ${bounds.join(' and ')}, which ${this.#turns === 0 ? 'is too little to ask its model' : 'are used up before it had answered'}.`
    return this.#failed({ code: 'budget_exceeded', message })
  }

  #overWindow(): ReturnedFailure {
    const { owner } = this.#kit
    return this.#failed({
      code: 'budget_exceeded',
      message: `The prompt of the agent '${owner}' does not fit into the window of its router, whatever is left out. Give the router a larger window, or shorten the instructions, the task or the descriptions of the tools.`,
    })
  }

  #progress(): AgentProgress {
    const about = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': this.#kit.agent }
    this.#context.metric('gen_ai.usage.input_tokens', this.#used.inputTokens, about)
    this.#context.metric('gen_ai.usage.output_tokens', this.#used.outputTokens, about)
    const costUsd = costOf(this.#used, this.#kit.prices)
    const usage = { ...this.#used, ...(costUsd === undefined ? {} : { costUsd }) }
    const progress = { turns: this.#turns, toolCalls: this.#calls.asked, usage, messages: [...this.#messages] }
    return this.#door.window === undefined ? progress : { ...progress, context: this.#door.window.describe() }
  }

  /** With the transcript so far. Whether a tool took effect, the engine knows. */
  #failed({ message, cause, ...error }: Partial<FailureDetails> & Pick<FailureDetails, 'code' | 'message'>): ReturnedFailure {
    const { step: _step, ...details } = error
    return failure(message, { ...details, outcome: error.outcome ?? 'failed', cause: new UnfinishedAgent(this.#progress(), cause) })
  }
}

function lastText(messages: readonly AgentMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'assistant')
  if (last?.role !== 'assistant') return ''
  return last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
