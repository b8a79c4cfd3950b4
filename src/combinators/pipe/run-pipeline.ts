import { adapt } from '../../tool/adapt.ts'
import type { Call } from '../../tool/calls/call.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { ErrorClass } from '../../tool/errors/error-codes.ts'
import type { ToolResult, ToolSuccess } from '../../tool/result.ts'
import { handOff, handOffAdapted } from './handoff.ts'
import type { PipelineStep, StepAdapter } from './pipeline-step.ts'
import { type DeadlineSharing, stepLimit } from './step-deadline.ts'

/** What a failed step does to the pipeline: end it, or hand its message to the next step. */
export type ErrorStrategy = 'FAIL_FAST' | 'CONTINUE_ON_FAILURE'

export interface Pipeline {
  readonly steps: readonly PipelineStep[]
  readonly strategy: ErrorStrategy
  readonly sharing: DeadlineSharing
  readonly expected: readonly number[] | undefined
}

/** A person, the caller or the clock has spoken: going on would walk around them. */
const ENDS_EVERY_PIPELINE: ReadonlySet<ErrorClass> = new Set(['rejected', 'cancelled', 'deadline'])

export async function runPipeline({ steps, strategy, sharing, expected }: Pipeline, given: unknown, call: Call): Promise<ToolResult> {
  const count = steps.length
  let input = given
  let result: ToolResult | undefined
  for (let index = 0; index < count; index++) {
    const step = steps[index] as PipelineStep
    if (step.tool.estimates.p99Ms !== undefined) await refuseWhatCannotEnd(call, step)
    const limit =
      expected === undefined && sharing === 'reserve'
        ? undefined
        : stepLimit(sharing, { index, count, expected, remainingMs: call.remainingMs })
    const options = limit === undefined ? undefined : { deadline: limit }
    result = await call.root.callPart(call, { label: step.label, tool: step.tool, input, options, isUnique: true })
    const next = steps[index + 1]
    if (next === undefined) return result
    if (result.ok) input = step.adapter === undefined ? handOff(result, next) : handOffAdapted(adapted(step.adapter, result), next)
    else if (strategy === 'FAIL_FAST' || ENDS_EVERY_PIPELINE.has(result.error.class)) return result
    else input = handOffAdapted(result.error.message, next)
  }
  return result as ToolResult
}

/** A step whose slow case is longer than all the time left is not begun. What was decided is recorded: a replay has another clock. */
async function refuseWhatCannotEnd(call: Call, { label, tool }: PipelineStep): Promise<void> {
  const p99Ms = tool.estimates.p99Ms ?? 0
  const fits = await call.decide(`${label}.fits`, () => p99Ms <= call.remainingMs)
  if (fits) return
  throw new ToolError(`The deadline leaves ${Math.round(call.remainingMs)} ms, and step '${label}' may take ${p99Ms} ms (its p99).`, {
    code: 'deadline_exceeded',
    outcome: 'not_started',
  })
}

function adapted({ name, adapt: apply }: StepAdapter, result: ToolSuccess): unknown {
  return adapt(`The adapter ${name}`, () => apply(result))
}
