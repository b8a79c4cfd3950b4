import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CompensationClass } from '../../tool/plan-node.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import type { Backoff } from '../../policies/backoff.ts'

/** What the functions of a saga are given: its own input, and what the steps before gave, by their labels. */
export interface StepGiven {
  readonly input: unknown
  readonly results: Readonly<Record<string, unknown>>
}

/** What the input of a compensation is made of. */
interface UndoGiven extends StepGiven {
  readonly stepInput: unknown
  readonly result: ToolResult
  readonly value: unknown
}

export interface StepCompensation {
  /** The label of its calls. */
  readonly label: string
  readonly tool: AgentTool
  readonly class: Exclude<CompensationClass, 'irreversible'>
  readonly input: (given: UndoGiven) => unknown
  readonly backoff: Backoff
  readonly deadlineMs: number
}

/** One step of a saga, as it runs. */
export interface SagaStep {
  readonly label: string
  /** What is called: the tool, behind a gate where a person must approve. */
  readonly tool: AgentTool
  /** A person is asked before it. */
  readonly isGated: boolean
  /** The saga's own input where there is none. */
  readonly input: ((given: StepGiven) => unknown) | undefined
  readonly backoff: Backoff
  readonly compensation: StepCompensation | 'irreversible' | undefined
}

export interface SagaPlan {
  readonly name: string
  readonly steps: readonly SagaStep[]
  /** The results of all steps by their labels where there is none. */
  readonly output: ((given: StepGiven) => unknown) | undefined
}
