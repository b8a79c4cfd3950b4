import { describeIssues } from '../../schema/describe-issues.ts'
import type { StandardResult } from '../../schema/standard-schema.ts'
import type { Contract } from '../contract.ts'
import { classifyError } from '../errors/classify-error.ts'
import { isUnclassified } from '../errors/brand.ts'
import { FAILURES, isFailureCode } from '../errors/error-codes.ts'
import { repeats } from '../errors/repeated-text.ts'
import { type Outcome, ToolError } from '../errors/tool-error.ts'
import { isWithheld } from '../errors/withheld.ts'
import { maskText } from '../secrets/mask-text.ts'
import { failureDetails } from '../result/failure-details.ts'
import type { FailureDetails, ResultDetails, Step } from '../result/result.ts'
import { ReturnedFailure, ReturnedSuccess, type SuccessOptions } from '../result/returned.ts'
import { SettledFailure, type SettledResult, SettledSuccess } from '../result/settled.ts'
import type { Call } from './call.ts'
import { whileValidating } from './catch-up.ts'
import { isFatal } from './fatal.ts'
import { type Closure, isCut } from './scope.ts'
import { toldInDialect } from './told-in-dialect.ts'
import { leavesUnvisitedEffects } from './unvisited-effects.ts'

/** Makes a result from the output of a tool's function, and never throws. A promise only if the output schema is asynchronous. */
export function settle(call: Call, output: unknown): SettledResult | Promise<SettledResult> {
  if (typeof output !== 'object' || output === null) return settleValue(call, output)
  try {
    return settleObject(call, output)
  } catch (thrown) {
    // A proxy may not even say what it is.
    return settleThrown(call, thrown, true)
  }
}

/** Only an object can say more than its value. */
function settleObject(call: Call, output: object): SettledResult | Promise<SettledResult> {
  if (output instanceof SettledSuccess) return call.layer === undefined ? settleCarriedSuccess(call, output) : output
  if (output instanceof SettledFailure) return call.layer === undefined ? settleCarriedFailure(call, output) : output
  if (output instanceof ReturnedFailure) return settleFailure(call, startedDetails(call, output.error), false)
  if (output instanceof ReturnedSuccess) return settleValue(call, output.value, output.options)
  return settleValue(call, output)
}

/** Makes a failure from a thrown value. A fatal error is recorded on the call, whose end throws it. Before the start the outcome is `not_started`; if the call was cut off while running, it is `unknown`. */
export function settleThrown(call: Call, thrown: unknown, started: boolean): SettledFailure {
  if (isFatal(thrown)) call.fatal ??= thrown
  const error = isCut(thrown)
    ? cutError(thrown.closure, `'${call.tool}' ${started ? 'was still running' : 'did not start'}`, started ? 'unknown' : 'not_started')
    : classifyError(toldInDialect(call, thrown))
  if (started || leavesUnvisitedEffects(call)) return settleFailure(call, startedDetails(call, error), !isCut(thrown))
  const details = detailsFor(call, error)
  return withSteps(call, new SettledFailure(call, details.outcome === 'failed' ? { ...details, outcome: 'not_started' } : details, false))
}

/** An error that nobody has classified does not say whether the effect happened before it. The code of a compound has no effect of its own. */
function startedDetails(call: Call, error: ToolError): FailureDetails {
  const details = detailsFor(call, error)
  return call.effect !== 'read' && call.behaviour.leaf && isUnclassified(error) ? { ...details, outcome: 'unknown' } : details
}

/** The model reads the failure, so secrets are masked in it. */
function detailsFor({ root }: Call, error: ToolError): FailureDetails {
  const details = failureDetails(error)
  if (!root.hasRevealedSecrets) return details
  return { ...details, message: maskText(details.message, root.revealedSecrets), hint: maskText(details.hint, root.revealedSecrets) }
}

function settleFailure(call: Call, error: FailureDetails, thrown: boolean): SettledFailure {
  const whole = {
    ...error,
    outcome: outcomeOfWhole(call, error.outcome),
    ...(repeatsInternals(call, error) ? { internal: true as const } : {}),
  }
  return withSteps(call, new SettledFailure(call, carefully(call, whole), thrown))
}

/** Compounds repeat the messages of their parts. */
function repeatsInternals({ behaviour, allParts }: Call, { message }: FailureDetails): boolean {
  if (behaviour.leaf) return false
  return allParts.some(({ result }) => result?.ok === false && isWithheld(result.error) && repeats(message, result.error.message))
}

const CHECK_FIRST = 'It is not known whether it took effect. Check that before you call again.'

/** Failures that cannot be retried, whose hint advises another input or another tool. */
const ADVISE_ANOTHER: ReadonlySet<string> = new Set(['tool_failed', 'tool_crashed', 'invalid_output'])

/** Nobody is advised to repeat what may have been done already. A hint of the author's own stays. */
function carefully({ effect, built }: Call, error: FailureDetails): FailureDetails {
  const { code, outcome, hint, retryable } = error
  if (outcome !== 'unknown' || effect === 'read' || built.idempotent === true) return error
  if (!retryable && !ADVISE_ANOTHER.has(code)) return error
  return isFailureCode(code) && FAILURES[code].hint === hint ? { ...error, hint: CHECK_FIRST } : error
}

/** If a part of a failed compound took effect, the outcome is `unknown`: repeating the compound would repeat that part. */
function outcomeOfWhole(call: Call, own: Outcome): Outcome {
  const { allParts, behaviour } = call
  if (behaviour.leaf) return own
  if (leavesUnvisitedEffects(call)) return 'unknown'
  const ended = allParts.filter((child) => child.result !== undefined)
  const tookEffect = ({ effect, result, isUndone }: Call): boolean =>
    effect !== 'read' && !isUndone && (result?.ok === true || result?.error.outcome === 'unknown')
  if (ended.some(tookEffect)) return 'unknown'
  return own === 'not_started' && ended.some(({ result }) => result?.ok === true || result?.error.outcome === 'failed') ? 'failed' : own
}

function settleValue(call: Call, value: unknown, options?: SuccessOptions): SettledResult | Promise<SettledResult> {
  const contract = call.behaviour.output
  if (contract === undefined) return withSteps(call, new SettledSuccess(call, value, options))
  return settlePromised(call, contract, { value, options })
}

interface Output {
  readonly value: unknown
  readonly options: SuccessOptions | undefined
}

/** The value must fit the output schema. */
function settlePromised(call: Call, contract: Contract, { value, options }: Output): SettledResult | Promise<SettledResult> {
  try {
    const checked = contract.validate(value)
    if (!(checked instanceof Promise)) return settleChecked(call, value, { result: checked, options })
    return whileValidating(call, checked).then(
      (result) => settleChecked(call, value, { result, options }),
      (thrown: unknown) => settleThrown(call, thrown, true),
    )
  } catch (thrown) {
    return settleThrown(call, thrown, true)
  }
}

interface Checked {
  readonly result: StandardResult<unknown>
  readonly options: SuccessOptions | undefined
}

function settleChecked(call: Call, value: unknown, { result, options }: Checked): SettledResult {
  if (result.issues === undefined) return withSteps(call, new SettledSuccess(call, result.value, options))
  const error = new ToolError(`Tool '${call.tool}' gave an output that does not fit its schema: ${describeIssues(result.issues, value)}`, {
    code: 'invalid_output',
    outcome: call.effect === 'read' ? 'failed' : 'unknown',
  })
  return settleFailure(call, detailsFor(call, error), false)
}

/** A compound that returns the result of a part keeps all its details. The steps and the usage are its own. */
function settleCarriedSuccess(call: Call, output: SettledSuccess): SettledResult | Promise<SettledResult> {
  const settled = settleValue(call, output.value, output.said)
  const { attempts, level, compensation, validation } = output
  if ([attempts, level, compensation, validation].every((each) => each === undefined)) return settled
  if (settled instanceof Promise) return settled.then((own) => withCarried(own, output))
  return withCarried(settled, output)
}

function settleCarriedFailure(call: Call, failure: SettledFailure): SettledResult {
  return withCarried(settleFailure(call, failure.error, failure.thrown), failure)
}

function withCarried(own: SettledResult, { issues, attempts, level, compensation, validation }: SettledResult): SettledResult {
  own.add({ issues, attempts, level, compensation, validation })
  return own
}

function withSteps<R extends SettledResult>(call: Call, result: R): R {
  const { children, inFlight } = call
  if (children === undefined || call.behaviour.leaf) return result
  const parts = new EndedParts(children)
  // A part that still runs could end before the steps are read.
  result.add(inFlight === 0 ? parts : { steps: parts.steps })
  return result
}

/** The parts that have ended by now, in the order of their start: later changes do not affect the result. */
class EndedParts implements ResultDetails {
  readonly #children: readonly Call[]
  readonly #count: number
  #steps: readonly Step[] | undefined

  constructor(children: readonly Call[]) {
    this.#children = children
    this.#count = children.length
  }

  get steps(): readonly Step[] {
    return (this.#steps ??= this.#children
      .slice(0, this.#count)
      .flatMap((child) => (child.result === undefined ? [] : new EndedStep(child, child.result))))
  }
}

class EndedStep implements Step {
  readonly label: string
  readonly tool: string
  readonly result: Step['result']
  readonly #call: Call

  constructor(call: Call, result: Step['result']) {
    this.#call = call
    this.label = call.label
    this.tool = call.tool
    this.result = result
  }

  get path(): string {
    return this.#call.path
  }

  toJSON(): object {
    const { label, path, tool, result } = this
    return { label, path, tool, result }
  }
}

/** The failure for a closed scope. */
export function cutError(closure: Closure, where: string, outcome: Outcome): ToolError {
  return closure.kind === 'deadline'
    ? new ToolError(`The deadline passed: ${where}.`, { code: 'deadline_exceeded', outcome })
    : new ToolError(`The call was cancelled: ${where}.`, { code: 'cancelled', outcome, cause: closure.reason })
}
