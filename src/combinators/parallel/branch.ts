import type { AgentTool } from '../../tool/agent-tool.ts'
import type { PartOptions } from '../../tool/context.ts'
import type { Join } from './join.ts'

export interface Branch {
  readonly label: string
  readonly tool: AgentTool
  /** Makes the branch's own input of the whole's. */
  readonly transform?: ((input: never) => unknown) | undefined
  /** How to call it so that it can be cancelled by itself. */
  readonly apart: PartOptions | undefined
}

/** What a parallel tool runs by. */
export interface ParallelPlan {
  readonly name: string
  readonly branches: readonly Branch[]
  readonly join: Join
  /** How many branches must succeed. */
  readonly needed: number
  /** How many run at the same time. */
  readonly limit: number
  readonly merge?: ((results: never) => unknown) | undefined
}
