import type { AgentTool } from '../agent-tool.ts'
import { type Behaviour, behaviourOf } from '../behaviour.ts'
import type { Call } from './call.ts'
import type { SettledResult } from '../result/settled.ts'

/** A declared part of a combinator with a label that occurs once. */
export interface KnownPart {
  readonly label: string
  readonly tool: AgentTool
  readonly behaviour: Behaviour
  /** Its position among the parts of the combinator. */
  readonly position: number
}

export function knownPart(label: string, tool: AgentTool, position: number): KnownPart {
  return { label, tool, behaviour: behaviourOf(tool), position }
}

/** A call that waits for its parts without a promise for each. Its methods must not throw. */
export interface Waiter {
  readonly call: Call
  /** A part has ended after its start returned. */
  partEnded(result: SettledResult, position: number): void
  /** A part has a fatal error, which must be thrown on. */
  partFailed(fatal: unknown, position: number): void
}
