import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Mapping } from '../../tool/given/fitting-mapping.ts'
import type { AnyGiven } from '../../tool/given/step-given.ts'
import type { CompensationClass } from '../../tool/plan-node.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import type { Backoff } from '../../policies/backoff.ts'

/** The argument of the input function of a compensation. */
interface UndoGiven extends Pick<AnyGiven, 'input' | 'results'> {
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
  /** The called tool, behind a gate if a person must approve. */
  readonly tool: AgentTool
  /** A person is asked before the step. */
  readonly isGated: boolean
  /** By default the input of the saga. */
  readonly input: ((given: AnyGiven) => unknown) | undefined
  /** The same as data, if it was given so. */
  readonly mapping: Mapping | undefined
  readonly backoff: Backoff
  readonly compensation: StepCompensation | 'irreversible' | undefined
}

export interface SagaPlan {
  readonly name: string
  readonly steps: readonly SagaStep[]
  /** By default the results of all steps by their labels. */
  readonly output: ((given: AnyGiven) => unknown) | undefined
}
