import type { AgentTool } from '../agent-tool.ts'
import { type Behaviour, behaviourOf } from '../behaviour.ts'

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
