import { type BackoffOptions, backoff, longestWaits } from '../../policies/backoff.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkFunction } from '../../tool/check-given.ts'
import { retried } from '../../tool/figures.ts'
import { layer } from '../../tool/layer.ts'
import type { Estimates } from '../../tool/metadata.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { retryRule } from '../../tool/seam/attempts.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { attemptOver, LABEL, type RetryPlan, runRetry } from './run-retry.ts'

/** The options of `retry`. */
export interface RetryOptions extends BackoffOptions {
  /**
   * Whether a failure is worth another attempt; by default where it says so itself. A pure, synchronous function. Rejections, cancellation and
   * time-outs are never retried, nor is a tool that may have taken effect and is not safe to repeat.
   */
  readonly retryIf?: ((failure: FailureDetails) => boolean) | undefined
}

const NAMES = optionNames<RetryOptions>({ attempts: true, base: true, max: true, retryIf: true })

/**
 * Calls a tool again after a failure that may pass, under the same idempotency key, with growing waits and within the deadline. A time that
 * the failure names is respected. In a durable run attempts and waits are recorded, and a long wait parks the run.
 * @example
 * const patient = retry(orders, { attempts: 5, base: '500ms' })
 * const result = await patient.call({ email: 'ada@example.com' })
 * console.log(result.ok) // true
 */
export function retry<I, O, N extends string>(tool: AgentTool<I, O, N>, options: RetryOptions = {}): AgentTool<I, O, N> {
  behaviourOf(tool, 'The first argument of retry')
  const whose = `retry for '${tool.name}'`
  checkOptionNames(options, NAMES, `The options of ${whose}`)
  const { retryIf, ...times } = options
  if (retryIf !== undefined) checkFunction(retryIf, `'retryIf' of ${whose}`)
  const waits = backoff(times, whose)
  const { attempts } = waits
  const inner = tool as AgentTool
  const figures = (of: Estimates): Estimates => retried(of, attempts, longestWaits(waits))
  const mayRetry = retryRule(inner, retryIf, whose)
  const plan: RetryPlan = { tool: inner, part: knownPart(LABEL, inner, 0), partOver: attemptOver, backoff: waits, mayRetry }
  return layer(tool, {
    kind: 'retry',
    label: LABEL,
    plan: {
      order: 'one',
      labels: 'name',
      closedBy: undefined,
      ...(attempts > 1 ? { retries: true } : {}),
      detail: `at most ${attempts} attempt${attempts === 1 ? '' : 's'}`,
      figures: ([of = {}]) => figures(of),
    },
    // One attempt is enough to begin: a tool around it that asks whether the time suffices must not ask for the time of all of them.
    estimates: { ...figures(tool.estimates), p99Ms: tool.estimates.p99Ms },
    keepsInput: true,
    run: (input, whole) => runRetry(plan, input, whole),
  })
}
