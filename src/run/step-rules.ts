import { quote } from '../schema/quote.ts'
import { type BackoffOptions, backoff } from '../policies/backoff.ts'
import { isRecord } from '../schema/json-schema.ts'
import { checkChoice } from '../tool/check-given.ts'
import type { CallOptions } from '../tool/context.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { Waits } from '../tool/retry-rules.ts'

/** What a durable run does if a step fails. A run may be started with rules of its own; they are kept with it. */
export interface StepRules {
  /**
   * How often and after which waits a step that only reads is tried again if its failure is retryable: 3 attempts, 200 ms apart and more, by
   * default. `false` for one attempt only. Calls that are not durable are not retried.
   */
  readonly retryReads?: BackoffOptions | false | undefined
  /**
   * What happens when it is not known whether a step took effect, and the tool may not be repeated. `fail`, the default: the step fails with
   * the outcome `unknown`. `ask`: the run waits until a person says what happened, by `run.settle` or in the inbox.
   */
  readonly unknownOutcome?: 'fail' | 'ask' | undefined
}

/** What the calls of a run share, but for what its starter said. */
export interface SharedOptions extends CallOptions, StepRules {}

export const STEP_RULES: readonly (keyof StepRules)[] = ['retryReads', 'unknownOutcome']

/** Throws where the rules are mistaken. */
export function checkStepRules(rules: StepRules): void {
  retriesOf(rules)
  checkChoice(rules.unknownOutcome, ['fail', 'ask'], "'unknownOutcome'")
}

/** The waits between attempts at a read; undefined where there is one attempt only. */
export function retriesOf({ retryReads = {} }: StepRules): Waits | undefined {
  if (retryReads === false) return undefined
  if (!isRecord(retryReads))
    throw new ConfigurationError(
      'invalid_option',
      `'retryReads' must be false or an object such as { attempts: 5 }, not ${quote(retryReads)}.`,
    )
  return backoff(retryReads, "'retryReads'")
}
