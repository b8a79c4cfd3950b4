import type { ToolResult } from '../tool/result/result.ts'
import type { AgentUsage } from './agent-usage.ts'
import type { AgentMessage } from './messages.ts'
import type { AgentContext } from './prompt-window.ts'

/**
 * Why an agent stopped: it had answered; a limit was reached, so that it had to answer with what it had; it repeated itself, and had to answer;
 * its answer was cut off at the tokens of one answer.
 */
export type AgentStop = 'answered' | 'limit' | 'repeated' | 'cut_off'

/** The work of an agent, finished or not. */
export interface AgentProgress {
  /** How often the model was asked and answered. */
  readonly turns: number
  /** How many calls it asked for. */
  readonly toolCalls: number
  readonly usage: AgentUsage
  /** The transcript, with the instructions as its first message. With a router, the model may have got less of it in later turns. */
  readonly messages: readonly AgentMessage[]
  /** With a router: where the tokens of the last prompt went, and what was done to make prompts fit. */
  readonly context?: AgentContext | undefined
}

/** The answer of an agent. Plain data. */
export interface AgentAnswer<V = undefined> extends AgentProgress {
  readonly text: string
  /** The answer as the `output` schema has it; undefined without one. */
  readonly value: V
  readonly stop: AgentStop
}

/** The cause of the failure of an agent: how far it had come. */
export class UnfinishedAgent extends Error {
  override readonly name = 'UnfinishedAgent'
  readonly progress: AgentProgress

  constructor(progress: AgentProgress, cause: unknown) {
    super('The agent did not come to an answer.', { cause })
    this.progress = progress
  }
}

/**
 * How far an agent had come that failed, with its transcript. Undefined for a success, and for a failure that was read from a record: the run
 * itself has the steps then.
 * @example
 * const clerk = agent({ role: 'Clerk', goal: 'Help.', model: languageModel, tools: [], limits: { tokens: 0 } })
 * const result = await clerk.run('What did ada@example.com order last?')
 * console.log(unfinished(result)?.turns) // 0
 */
export function unfinished(result: ToolResult): AgentProgress | undefined {
  if (result.ok) return undefined
  return result.error.cause instanceof UnfinishedAgent ? result.error.cause.progress : undefined
}
