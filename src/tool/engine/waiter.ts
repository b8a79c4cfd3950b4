import type { AgentTool } from '../agent-tool.ts'
import { type Behaviour, behaviourOf } from '../behaviour.ts'
import type { Call } from './call.ts'
import type { SettledResult } from '../result/settled.ts'

/** A part that a combinator knows from the start: declared, and with a label that occurs once in it. */
export interface KnownPart {
  readonly label: string
  readonly tool: AgentTool
  readonly behaviour: Behaviour
  /** Where it stands among the parts of the combinator. */
  readonly position: number
}

export function knownPart(label: string, tool: AgentTool, position: number): KnownPart {
  return { label, tool, behaviour: behaviourOf(tool), position }
}

/** A call that waits for its parts without a promise for each. What it is told it must not throw on. */
export interface Waiter {
  readonly call: Call
  /** A part has ended that had not when it was started. */
  partEnded(result: SettledResult, position: number): void
  /** Something fatal came up in a part, and has to pass. */
  partFailed(fatal: unknown, position: number): void
}
