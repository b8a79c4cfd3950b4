import type { AgentTool } from '../tool/agent-tool.ts'
import type { ToolContext } from '../tool/context.ts'
import { ModelArguments } from '../tool/input/arguments.ts'
import { unknownName } from '../tool/resolve/unknown-name.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { callTogether } from '../tool/seam/call-together.ts'
import type { ReadLimits } from './agent-limits.ts'
import type { AgentToolResultPart, AskedCall } from './messages.ts'
import type { Origin } from './prompt-window.ts'
import type { ReadResult, ResultDoor } from './routed-results.ts'
import { toolOutput } from './shown-media.ts'
import type { ToolFinder } from './tool-finder.ts'

export interface TurnCallsOptions {
  readonly context: ToolContext
  readonly tools: ReadonlyMap<string, AgentTool>
  /** Where further tools are found. */
  readonly finder?: ToolFinder | undefined
  readonly limits: ReadLimits
  readonly door: ResultDoor
}

/** A call with the same arguments that has given the same result so often is not made again. */
const MOST_EQUAL = 2

export interface TurnAnswers {
  readonly answers: AgentToolResultPart[]
  /** By the number of the answer. */
  readonly origins: ReadonlyMap<number, Origin>
}

/** Makes the calls that a model asks for, and remembers what they gave. */
export class TurnCalls {
  readonly #options: TurnCallsOptions
  /** By tool and arguments: the last result, and how often it came. */
  readonly #given = new Map<string, { readonly text: string; readonly times: number }>()
  /** How many calls were asked for. */
  asked = 0
  /** How often the model was told that it repeats itself. */
  repeats = 0

  constructor(options: TurnCallsOptions) {
    this.#options = options
  }

  get areUsedUp(): boolean {
    return this.asked >= this.#options.limits.toolCalls
  }

  /** Answers every call of one turn, in its order. Labels are made of numbers in the turn, so that they are the same in every run. */
  async answer(turn: string, calls: readonly AskedCall[]): Promise<TurnAnswers> {
    const { context, limits } = this.#options
    const places = calls.map((call, index) => ({ call, label: `${turn}.call${index + 1}`, refusal: this.#refusal(call) }))
    const begun = places.flatMap(({ call, label, refusal }) => {
      const tool = refusal === undefined ? this.#tool(call.toolName) : undefined
      return tool === undefined ? [] : [[label, { tool, input: ModelArguments.ofText(call.input) as never }] as const]
    })
    const deadline = limits.callMs === undefined ? {} : { deadline: limits.callMs }
    const { results } =
      begun.length === 0 ? NONE : await callTogether(context, Object.fromEntries(begun), { concurrency: limits.parallel, ...deadline })
    const answers: AgentToolResultPart[] = []
    const origins = new Map<number, Origin>()
    for (const [index, { call, label, refusal }] of places.entries()) {
      const result = results[label]
      const { toolCallId, toolName } = call
      const refused = { text: `Error: ${refusal ?? 'The call did not end.'}`, media: [], pointer: undefined }
      const read = result === undefined ? refused : await this.#read(call, label, result)
      this.#options.finder?.called(toolName, result)
      if (result !== undefined) origins.set(index, { result, pointer: read.pointer })
      answers.push({ type: 'tool-result', toolCallId, toolName, output: toolOutput(read, result?.ok === true) })
    }
    return { answers, origins }
  }

  #tool(name: string): AgentTool | undefined {
    return this.#options.tools.get(name) ?? this.#options.finder?.get(name)
  }

  /** Why a call is not made. Every call that is asked for counts. */
  #refusal(call: AskedCall): string | undefined {
    const { limits, tools, finder } = this.#options
    if (this.areUsedUp)
      return `Not called: this task may make ${limits.toolCalls} tool calls, and all of them are used. Answer with what you have.`
    this.asked++
    if (this.#tool(call.toolName) === undefined) return unknownName(call.toolName, [...tools.keys(), ...(finder?.names ?? [])]).message
    if ((this.#given.get(keyOf(call))?.times ?? 0) < MOST_EQUAL) return undefined
    this.repeats++
    return `Not called: you have called '${call.toolName}' with these arguments ${MOST_EQUAL} times, with the same result. Use it, call something else, or answer.`
  }

  async #read(call: AskedCall, label: string, result: ToolResult): Promise<ReadResult> {
    const tool = this.#tool(call.toolName)
    const key = keyOf(call)
    const before = this.#given.get(key)
    this.#given.set(key, { text: result.text, times: before?.text === result.text ? before.times + 1 : 1 })
    return this.#options.door.admit(label, result, tool?.tags ?? [])
  }
}

const NONE: { readonly results: Readonly<Record<string, ToolResult | undefined>> } = { results: {} }

/** The spaces between arguments say nothing. */
function keyOf({ toolName, input }: AskedCall): string {
  try {
    return `${toolName} ${JSON.stringify(JSON.parse(input))}`
  } catch {
    return `${toolName} ${input}`
  }
}
