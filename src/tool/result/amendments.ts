import type { Attempt, FailureDetails, ResultIssue, SagaReport, Step } from './result.ts'
import type { SettledFailure, SettledResult, SettledSuccess } from './settled.ts'

// An amendment returns a copy: the result of a part is in the steps of its whole, and has been announced unchanged. The copy keeps
// the origin and all else that is said of the answer. A compound or a layer that returns it makes the part's answer its own.

/** The answer with one more issue. */
export function withIssue<R extends SettledResult>(result: R, issue: ResultIssue): R {
  return result.amended({ issues: [...(result.issues ?? []), issue] }) as R
}

/** The answer with the report of the saga that gave it. */
export function withCompensation<R extends SettledResult>(result: R, compensation: SagaReport): R {
  return result.amended({ compensation }) as R
}

/** The answer with the attempts that led to it; the same answer if there was one. */
export function withAttempts<R extends SettledResult>(result: R, attempts: readonly Attempt[] | undefined): R {
  return attempts === undefined ? result : (result.amended({ attempts }) as R)
}

interface Answer {
  readonly level: string
  readonly confidence: number | undefined
  readonly attempts?: readonly Attempt[] | undefined
}

/** The answer of one of several levels, with the confidence that remains. */
export function withAnswer(result: SettledSuccess, { level, confidence, attempts }: Answer): SettledSuccess {
  const more = { level, ...(attempts === undefined ? {} : { attempts }) }
  return confidence === result.confidence ? result.amended(more) : result.amended(more, { ...result.said, confidence })
}

/** The answer with these calls as those that led to it. */
export function withSteps<R extends SettledResult>(result: R, steps: readonly Step[] | undefined): R {
  return result.amended({ steps }) as R
}

/** A failure with another error: another outcome, a longer message. */
export function withError(result: SettledFailure, error: FailureDetails): SettledFailure {
  return result.amended({}, error)
}

/** The failure of a step, as that of the pipeline around it. A step that is named already is nearer to the cause. */
export function withStep(result: SettledFailure, step: string): SettledFailure {
  return result.error.step === undefined ? withError(result, { ...result.error, step }) : result
}
