import { isRecord } from '../../schema/json-schema.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import type { Fits } from './fits.ts'
import { type Into, stepAdapter } from './into.ts'
import { makePipeline, type UnlabelledStep } from './make-pipeline.ts'
import { checkStep } from './pipeline-step.ts'

/** A step that takes the output of the one before, or an adapter into one. */
type Next<Gives, Takes, O> = (AgentTool<Takes, O> & Fits<Gives, Takes>) | Into<Gives, Takes, O>

/**
 * Tools in sequence, as one tool: each takes the output of the one before. `into` puts an adapter before a step.
 * @example
 * const refundLatest = pipe(latestOrder, into(({ value }) => ({ orderId: value.id, amount: value.total }), issueRefund))
 * console.log(refundLatest.name) // latest_order_then_issue_refund
 */
export function pipe<I1, O1>(a: AgentTool<I1, O1>): AgentTool<I1, O1>
export function pipe<I1, O1, I2, O2>(a: AgentTool<I1, O1>, b: Next<O1, I2, O2>): AgentTool<I1, O2>
export function pipe<I1, O1, I2, O2, I3, O3>(a: AgentTool<I1, O1>, b: Next<O1, I2, O2>, c: Next<O2, I3, O3>): AgentTool<I1, O3>
export function pipe<I1, O1, I2, O2, I3, O3, I4, O4>(
  a: AgentTool<I1, O1>,
  b: Next<O1, I2, O2>,
  c: Next<O2, I3, O3>,
  d: Next<O3, I4, O4>,
): AgentTool<I1, O4>
export function pipe<I1, O1, I2, O2, I3, O3, I4, O4, I5, O5>(
  a: AgentTool<I1, O1>,
  b: Next<O1, I2, O2>,
  c: Next<O2, I3, O3>,
  d: Next<O3, I4, O4>,
  e: Next<O4, I5, O5>,
): AgentTool<I1, O5>
export function pipe<I1, O1, I2, O2, I3, O3, I4, O4, I5, O5, I6, O6>(
  a: AgentTool<I1, O1>,
  b: Next<O1, I2, O2>,
  c: Next<O2, I3, O3>,
  d: Next<O3, I4, O4>,
  e: Next<O4, I5, O5>,
  f: Next<O5, I6, O6>,
): AgentTool<I1, O6>
export function pipe<I1, O1, I2, O2, I3, O3, I4, O4, I5, O5, I6, O6, I7, O7>(
  a: AgentTool<I1, O1>,
  b: Next<O1, I2, O2>,
  c: Next<O2, I3, O3>,
  d: Next<O3, I4, O4>,
  e: Next<O4, I5, O5>,
  f: Next<O5, I6, O6>,
  g: Next<O6, I7, O7>,
): AgentTool<I1, O7>
export function pipe<I1, O1, I2, O2, I3, O3, I4, O4, I5, O5, I6, O6, I7, O7, I8, O8>(
  a: AgentTool<I1, O1>,
  b: Next<O1, I2, O2>,
  c: Next<O2, I3, O3>,
  d: Next<O3, I4, O4>,
  e: Next<O4, I5, O5>,
  f: Next<O5, I6, O6>,
  g: Next<O6, I7, O7>,
  h: Next<O7, I8, O8>,
): AgentTool<I1, O8>
export function pipe<I1, O1, I2, O2, I3, O3, I4, O4, I5, O5, I6, O6, I7, O7, I8, O8, I9, O9>(
  a: AgentTool<I1, O1>,
  b: Next<O1, I2, O2>,
  c: Next<O2, I3, O3>,
  d: Next<O3, I4, O4>,
  e: Next<O4, I5, O5>,
  f: Next<O5, I6, O6>,
  g: Next<O6, I7, O7>,
  h: Next<O7, I8, O8>,
  i: Next<O8, I9, O9>,
): AgentTool<I1, O9>
export function pipe<I1, O1, I2, O2, I3, O3, I4, O4, I5, O5, I6, O6, I7, O7, I8, O8, I9, O9, I10, O10>(
  a: AgentTool<I1, O1>,
  b: Next<O1, I2, O2>,
  c: Next<O2, I3, O3>,
  d: Next<O3, I4, O4>,
  e: Next<O4, I5, O5>,
  f: Next<O5, I6, O6>,
  g: Next<O6, I7, O7>,
  h: Next<O7, I8, O8>,
  i: Next<O8, I9, O9>,
  j: Next<O9, I10, O10>,
): AgentTool<I1, O10>
export function pipe(...given: readonly object[]): AgentTool {
  const steps: UnlabelledStep[] = []
  for (const each of given as readonly (AgentTool | Into<never, never, unknown>)[]) {
    const before = steps.at(-1)
    const adapted = before !== undefined && isInto(each) ? each : undefined
    const tool = adapted?.tool ?? (each as AgentTool)
    checkStep(tool, steps.length + 1)
    if (before !== undefined && adapted !== undefined) {
      steps[steps.length - 1] = { ...before, adapter: stepAdapter(adapted.adapter, `after '${before.tool.name}'`, adapted.options) }
    }
    steps.push({ tool })
  }
  return makePipeline(steps, {})
}

function isInto(step: AgentTool | Into<never, never, unknown>): step is Into<never, never, unknown> {
  return isRecord(step) && !isTool(step) && 'adapter' in step && 'tool' in step
}
