import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import type { Mapping } from '../../tool/given/fitting-mapping.ts'
import type { AnyGiven } from '../../tool/given/step-given.ts'
import type { KnownPart } from '../../tool/seam/sequence.ts'

/** The adapter between a step and the next one. */
export interface StepAdapter {
  /** For messages and plans. */
  readonly name: string
  readonly adapt: (given: AnyGiven) => unknown
  /** The declared output of the adapter. With it, the edge can be checked before anything runs. */
  readonly schema?: JsonSchema | undefined
  /** The same as data, if it was given so. */
  readonly mapping?: Mapping | undefined
}

/** Its label is the tool's name, numbered if it repeats. */
export interface PipelineStep extends KnownPart {
  /** Known from the first run on. */
  takesText?: boolean
  /** Applied to this step's result; never for the last. */
  readonly adapter?: StepAdapter | undefined
}

/** Checks a step before it is used. Steps are counted from 1. */
export function checkStep(tool: AgentTool, number: number): void {
  behaviourOf(tool, `Step ${number} of the pipeline`)
}
