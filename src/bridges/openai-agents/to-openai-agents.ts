import type { AgentInputItem, FunctionTool, RunContext, RunToolApprovalItem } from '@openai/agents'
import { warnOfUnreachable } from '../../plan/gates.ts'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { parseArguments } from '../../tool/input/arguments.ts'
import { shareOverrides } from '../../tool/overrides.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import { inDialect } from '../bridge-options.ts'
import { CHANNELS } from '../channels.ts'
import { durableTools } from '../durable-tools.ts'
import { type GivenTools, namedTools } from '../named-tools.ts'
import { type ParkedReviews, parkedReviews } from '../parked-reviews.ts'
import { toldOf } from '../told-to-peer.ts'
import { Bridge, checkToOpenAiAgents, type ToOpenAiAgentsOptions } from './bridge.ts'
import { type AgentsEntry, BridgedTool } from './bridged-tool.ts'
import { DurableBridgedTool } from './durable-bridged-tool.ts'
import { loadOpenAiAgents, nobodyApproves } from './load-openai-agents.ts'
import { type AgentsOutput, agentsOutput } from './tool-output.ts'

/** One of our tools as agents of the SDK take it, whatever the context of their runs is. */
export type OpenAiAgentsTool = Pick<
  FunctionTool<unknown, FunctionTool['parameters'], AgentsOutput>,
  'type' | 'name' | 'description' | 'parameters' | 'strict' | 'invoke' | 'needsApproval' | 'isEnabled'
>

/** Tools by the keys of a record, or by the names of the tools in a list, which types do not know. */
export type OpenAiAgentsTools<T extends GivenTools> = T extends readonly unknown[]
  ? Record<string, OpenAiAgentsTool>
  : { [K in keyof T]: OpenAiAgentsTool }

/** The calls that wait for an approval: in memory, to be decided with more than yes or no, and as durable runs, to be shown. */
export interface OpenAiAgentsReviews extends ParkedReviews {
  /** The requests behind an interruption, with secrets masked: what a person must see before they approve. In any process, if they are durable. */
  readonly requests: (interruption: RunToolApprovalItem, state: AnyState) => Promise<readonly ReviewRequest[]>
  /**
   * Rejects the calls that this state rejects: before or after the run has gone on with it, and in any process, if they are durable and have a
   * session. A run that goes on does so by itself; this is for a state that is stored or dropped, or whose tools have no session.
   */
  readonly rejectDenied: (state: AnyState) => Promise<void>
}

type CallItem = RunToolApprovalItem['rawItem'] | AgentInputItem

/** The state of a run of any agent: a `RunState`. */
export interface AnyState {
  readonly getInterruptions: () => RunToolApprovalItem[]
  /** With the calls that are no interruptions any more. */
  readonly history: AgentInputItem[]
  readonly _context: object
}

/** What agents of the SDK take. */
export interface OpenAiAgentsBridge<T extends GivenTools> {
  /** For `new Agent({ tools })`. If tools run durably, `run_status` is one of them. */
  readonly tools: OpenAiAgentsTool[]
  /** Each of the given tools. */
  readonly named: OpenAiAgentsTools<T>
  readonly reviews: OpenAiAgentsReviews
}

/**
 * Makes function tools for `@openai/agents` of ours: a list, or a record whose keys become the names. Calls go through the same door as any
 * other. Gates ask by the interruptions of a run.
 * @example
 * const { tools } = await toOpenAiAgents({ refund }, { session: 'chat-7' })
 * // new Agent({ name: 'Desk', tools })
 * console.log(tools.map(({ name }) => name)) // [ 'refund' ]
 */
export async function toOpenAiAgents<const T extends GivenTools>(
  tools: T,
  options: ToOpenAiAgentsOptions = {},
): Promise<OpenAiAgentsBridge<T>> {
  checkToOpenAiAgents(options)
  const given = namedTools(tools, { bridge: 'toOpenAiAgents', peer: 'OpenAI Agents' })
  const library = await loadOpenAiAgents()
  const bridge = new Bridge(options, library)
  shareOverrides(options.overrides, given.values())
  const durable = durableTools(given, { ...options, bridge: 'toOpenAiAgents', shared: options })
  const { served } = durable
  const all = bridge.routed.withReaders(served, 'toOpenAiAgents')
  const offered = inDialect(all, options.strict ?? true)
  const nobody = nobodyApproves(library)
  const entries = Array.from(all, ([name, tool]): AgentsEntry => {
    const parts = { tool, offered: offered?.get(name) }
    const runs = durable.of(tool)
    return runs === undefined ? new BridgedTool(name, parts, bridge) : new DurableBridgedTool(name, { ...parts, durable: runs }, bridge)
  })
  const asking = [...given.values()].filter((tool) => durable.of(tool) === undefined)
  const { review, reviewers, principal, caller, runtime, log } = options
  const isOpen = runtime !== undefined || caller !== undefined
  // The program passes principals to `reviews`.
  const way = { deciders: review === undefined ? ('principals' as const) : review.deciders, counts: review?.counts }
  warnOfUnreachable(asking, { ...way, reviewers, principal, isOpen }, log)
  const made = entries.map((each) => functionTool(each, nobody, bridge))
  return {
    tools: made,
    named: Object.fromEntries(made.flatMap((each) => (given.has(each.name) ? [[each.name, each]] : []))) as OpenAiAgentsTools<T>,
    reviews: reviewsOf(new Map(entries.map((each) => [each.name, each])), bridge),
  }
}

const ASKED_BY_RUN = 'Or declare that the tool asks: a gate in its plan is asked through the run.'

function functionTool(entry: AgentsEntry, nobody: () => Promise<boolean>, bridge: Bridge): OpenAiAgentsTool {
  const { name, tool, offered } = entry
  const { parameters, strict = false } = offered?.specification ?? tool.specification
  const asked: OpenAiAgentsTool['needsApproval'] = (runContext, input, callId = '') => entry.needsApproval(input, { runContext, callId })
  return {
    type: 'function',
    name,
    description: tool.description,
    parameters: structuredClone(parameters) as OpenAiAgentsTool['parameters'],
    strict,
    // A tool that asks only in its code is noticed when it asks.
    get needsApproval() {
      return entry.mayAsk ? asked : nobody
    },
    // The SDK asks at every turn, also at the one in which it passes a rejection on to the model.
    isEnabled: async (runContext) => {
      await entry.heed(runContext as RunContext)
      return true
    },
    invoke: async (runContext, text, details) => {
      const input = argumentsIn(text, name)
      if ('problem' in input) return input.problem
      const call = { runContext: runContext as RunContext, callId: details?.toolCall?.callId ?? '', signal: details?.signal }
      const told = toldOf(await entry.invoke(input.value, call), ASKED_BY_RUN)
      if (!('success' in told)) return told.text
      return agentsOutput(await bridge.routed.told(told.success, { tool, caller: bridge.sharedBy(call.runContext) }))
    },
  }
}

function argumentsIn(text: string, name: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseArguments(text, name) }
  } catch (error) {
    if (isToolError(error)) return { problem: `Error: ${error.message} ${error.hint}` }
    throw error
  }
}

function reviewsOf(entries: ReadonlyMap<string, AgentsEntry>, bridge: Bridge): OpenAiAgentsReviews {
  const subjectOf = (rawItem: CallItem, state: AnyState) => {
    const entry = rawItem.type === 'function_call' ? entries.get(rawItem.name) : undefined
    if (entry === undefined || rawItem.type !== 'function_call') return undefined
    const input = argumentsIn(rawItem.arguments, rawItem.name)
    return 'problem' in input ? undefined : { entry, input: input.value, call: { runContext: contextOf(state), callId: rawItem.callId } }
  }
  return {
    ...parkedReviews(bridge.flow.parked, CHANNELS.openAiAgents),
    requests: async (interruption, state) => {
      const subject = subjectOf(interruption.rawItem, state)
      return subject === undefined ? [] : subject.entry.requests(subject.input, subject.call)
    },
    rejectDenied: async (state) => {
      for (const entry of entries.values()) await entry.heed(contextOf(state))
      // A call that was rejected is no interruption any more once the run has gone on.
      for (const rawItem of [...state.getInterruptions().map((each) => each.rawItem), ...state.history]) {
        const subject = subjectOf(rawItem, state)
        await subject?.entry.rejectDenied(subject.input, subject.call)
      }
    },
  }
}

/** The SDK gives the context to tools and hooks only; a state has it all the same. */
function contextOf(state: AnyState): RunContext {
  return state._context as RunContext
}
