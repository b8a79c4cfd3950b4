import { quote } from '../../schema/quote.ts'
import { adapt } from '../adapt.ts'
import type { AgentTool } from '../agent-tool.ts'
import { behaviourOf } from '../behaviour.ts'
import { checkFunction } from '../check-given.ts'
import type { ToolContext } from '../context.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { checkStepLabel } from '../path.ts'
import { withAttempts } from '../result/amendments.ts'
import type { FailureDetails, ToolResult } from '../result/result.ts'
import { attempts, retryRule } from './attempts.ts'
import { callOf } from './call-of.ts'
import type { Waits } from '../retry-rules.ts'
import { checkOptionNames, optionNames } from '../option-names.ts'

/** A call that `callWithRetry` makes, and how often it tries. */
export interface RetriedCall<I, O> {
  readonly label: string
  readonly tool: AgentTool<I, O>
  readonly input: NoInfer<I>
  /** How often and how long to wait: `backoff({ attempts: 5 })`. */
  readonly backoff: Waits
  /** Whether a failure is worth another attempt; by default where it says so itself. A pure function. */
  readonly retryIf?: ((failure: FailureDetails) => boolean) | undefined
}

const NAMES = optionNames<RetriedCall<unknown, unknown>>({ label: true, tool: true, input: true, backoff: true, retryIf: true })

/**
 * Calls a tool inside a compound, and again while that may help, under the same idempotency key. Attempts and waits are recorded: a run that
 * is taken up goes on with the next attempt. A tool that may have taken effect and is not safe to repeat is not called again.
 * @example
 * const patient = compound({
 *   name: 'patient_roll',
 *   description: 'Rolls a die, and again when it falls off the table.',
 *   parts: { roll },
 *   run: (input, context, parts) => callWithRetry(context, { label: 'try', tool: parts.roll, input, backoff: backoff({ attempts: 3 }) }),
 * })
 */
export async function callWithRetry<I, O>(context: ToolContext, call: RetriedCall<I, O>): Promise<ToolResult<O>> {
  checkOptionNames(call, NAMES, 'The options of callWithRetry')
  const { label, tool, input, backoff, retryIf } = call
  checkStepLabel(label)
  behaviourOf(tool, 'The tool of callWithRetry')
  if (typeof (backoff as Partial<Waits> | undefined)?.waitAfter !== 'function')
    throw new ConfigurationError(
      'invalid_option',
      `'backoff' of callWithRetry is made by backoff({ attempts: 3 }), and is not ${quote(backoff)}.`,
    )
  if (retryIf !== undefined) checkFunction(retryIf, "'retryIf' of callWithRetry")
  const end = await attempts(context, {
    ...{ label: callOf(context).nextLabel(label), tool: tool as AgentTool, input, backoff: plainly(backoff) },
    mayRetry: retryRule(tool as AgentTool, retryIf, 'callWithRetry'),
  })
  if (end.fatal !== undefined) throw end.fatal.thrown
  return withAttempts(end.result, end.tried) as ToolResult<O>
}

/** A backoff of one's own is a plain function too. */
function plainly(given: Waits): Waits {
  return { waitAfter: (attempt, failure, random) => adapt("'backoff' of callWithRetry", () => given.waitAfter(attempt, failure, random)) }
}
