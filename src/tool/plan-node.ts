import type { AgentTool } from './agent-tool.ts'

/** A tool inside a compound one, under the label that its calls carry. */
export interface PlanPart {
  readonly label: string
  readonly tool: AgentTool
}

/** What a tool says about its own make-up; `check`, `explain` and the resolver read it. */
export interface PlanNode {
  /** `leaf`, `compound`, `gate`, ... */
  readonly kind: string
  /** A layer changes how one tool is called and goes by its name. */
  readonly layer: boolean
  readonly parts: readonly PlanPart[]
}
