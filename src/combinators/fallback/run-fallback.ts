import { describeIssues } from '../../schema/describe-issues.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import { acceptApart } from '../../tool/accepted-input.ts'
import { adapt } from '../../tool/adapt.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import type { Contract } from '../../tool/contract.ts'
import { durationText } from '../../tool/duration-text.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { isWithheld } from '../../tool/errors/withheld.ts'
import type { InputPort } from '../../tool/input/input-port.ts'
import { withAnswer, withAttempts, withError } from '../../tool/result/amendments.ts'
import { type FailureData, failureData, failureDetails, revivedDetails } from '../../tool/result/failure-details.ts'
import { KnownSecrets } from '../../tool/secrets/known-secrets.ts'
import { maskText } from '../../tool/secrets/mask-text.ts'
import type { Attempt, FailureDetails } from '../../tool/result/result.ts'
import type { SettledFailure, SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { isFinal } from '../../tool/retry-rules.ts'
import type { PersonLevel } from '../../tool/seam/by-person.ts'
import { detailsOf, failureOf, successOf } from '../../tool/seam/failures.ts'
import { askPersonAbout } from '../../tool/seam/ask-person-about.ts'
import { callPart, fatalIn } from '../../tool/seam/parts.ts'
import { decided, decideOnce } from '../../tool/seam/recorded.ts'
import { passOver } from '../../tool/seam/undoing.ts'
import { isClosed, isRecorded, type Whole } from '../../tool/seam/whole.ts'
import type { ToolLevel } from './level.ts'

/** A level that a tool answers, with the label of its call. */
export interface CalledLevel extends ToolLevel {
  readonly label: string
}

/** The level that a person answers. */
export interface AskedLevel extends Pick<PersonLevel, 'why' | 'urgency' | 'timeout'> {
  readonly label: string
  readonly answerSchema: AnySchema
}

export interface FallbackPlan {
  readonly name: string
  readonly levels: readonly CalledLevel[]
  readonly person: AskedLevel | undefined
  readonly output: Contract | undefined
  /** Validates the input for adapters, where the whole has no schema of its own. */
  readonly port: InputPort | undefined
}

/** The confidence of each level after the first, where it declares no accuracy. */
const DEFAULT_ACCURACY = 0.8

/** Asks the levels in order until one answers. */
export async function runFallback(plan: FallbackPlan, input: unknown, whole: Whole): Promise<SettledResult> {
  const attempts: Attempt[] = []
  for (const [index, level] of plan.levels.entries()) {
    const skipped = await skipOf(level, whole)
    if (skipped !== undefined) {
      attempts.push({ number: attempts.length + 1, tool: level.tool.name, level: level.label, ...skipped })
      continue
    }
    const result = await answerOf(plan, level, { input, whole })
    attempts.push(attemptOf(level, result, attempts.length + 1))
    if (result.ok) return answered(plan, { level, index, result, attempts, whole })
    const stop = stopOf(level, result, index < plan.levels.length - 1 || plan.person !== undefined)
    if (stop !== undefined) return withAttempts(stop, attempts)
  }
  return plan.person === undefined ? exhausted(plan, attempts, whole) : askPerson(plan, plan.person, { attempts, whole })
}

interface Skip {
  readonly at: number
  readonly skipped: string
}

/** A level is not begun if it needs more time than is left. The clock of a resumed run is another one, so this is recorded. */
async function skipOf({ label, tool, estimates }: CalledLevel, whole: Whole): Promise<Skip | undefined> {
  const p99Ms = estimates.p99Ms ?? tool.estimates.p99Ms
  if (p99Ms === undefined) return undefined
  const skip = await decideOnce(whole, `.skip.${label}`, () => {
    const { remainingMs } = whole
    if (p99Ms <= remainingMs) return null
    return { at: whole.clock.now(), skipped: `it may take ${durationText(p99Ms)} (its p99), and ${durationText(remainingMs)} are left` }
  })
  return skip ?? undefined
}

interface Running {
  readonly input: unknown
  readonly whole: Whole
}

/** The answer of one level, in the shape of the whole. */
async function answerOf(plan: FallbackPlan, level: CalledLevel, { input, whole }: Running): Promise<SettledResult> {
  const { label, tool, deadlineMs } = level
  const failed = decided<FailureData>(whole, failurePlace(level))
  if (failed !== undefined) {
    passOver(whole, label)
    return failureOf(whole, revivedDetails(failed.value))
  }
  let given: unknown
  try {
    given = level.input === undefined ? input : await reshaped(plan, level, { input, whole })
  } catch (thrown) {
    if (fatalIn(thrown) !== undefined) throw thrown
    return failureOf(whole, { ...detailsOf(thrown), outcome: 'not_started' })
  }
  const options = deadlineMs === undefined ? undefined : { deadline: deadlineMs }
  const result = await callPart(whole, { label, tool, input: given, isUnique: true, options })
  if (result.ok) return inShape(plan, level, { result, input, whole })
  // A compound that is taken up when its own time has long passed could come to another end than the one that the next level followed.
  if (!isRecorded(whole) || behaviourOf(tool).leaf || ownTime(level) === undefined) return result
  const own = withOwnTime(result, whole)
  await decideOnce(whole, failurePlace(level), () => failureData(own.error))
  return own
}

/** A level that had begun before the run was taken up, and whose time has passed since: what is inside it does not start any more. */
function withOwnTime(result: SettledFailure, whole: Whole): SettledFailure {
  const { error } = result
  if (error.code !== 'deadline_exceeded' || error.outcome !== 'not_started' || isClosed(whole)) return result
  return withError(result, { ...error, outcome: 'failed' })
}

/** The place of the record that a level has failed. */
function failurePlace({ label }: CalledLevel): string {
  return `.failed.${label}`
}

/** The time of a level, if it has one of its own. */
function ownTime({ tool, deadlineMs }: CalledLevel): number | undefined {
  return deadlineMs ?? behaviourOf(tool).deadlineMs
}

async function reshaped({ port }: FallbackPlan, { label, input: adapter }: CalledLevel, { input, whole }: Running): Promise<unknown> {
  const value = port === undefined ? input : await acceptApart(port, input, whole.tool)
  return adapt(`The input of level '${label}'`, () => adapter?.(value))
}

interface Shaping extends Running {
  readonly result: SettledSuccess
}

/** An answer that cannot be reshaped, or does not fit the schema of the whole, is a failure of its level. An effect has happened then. */
async function inShape({ output }: FallbackPlan, { label, tool, output: adapter }: CalledLevel, shaping: Shaping): Promise<SettledResult> {
  const { result, input, whole } = shaping
  if (adapter === undefined && output === undefined) return result
  try {
    const { value: given, text } = result
    const value = adapter === undefined ? given : adapt(`The output of level '${label}'`, () => adapter({ value: given, text, input }))
    const checked = output === undefined ? { value } : await output.validate(value)
    if (checked.issues === undefined)
      return adapter === undefined && checked.value === given
        ? result
        : successOf(whole, checked.value, { ...result.said, text: undefined })
    throw new ToolError(`Level '${label}' gave an answer that does not fit the output schema: ${describeIssues(checked.issues, value)}`, {
      code: 'invalid_output',
    })
  } catch (thrown) {
    if (fatalIn(thrown) !== undefined) throw thrown
    return failureOf(whole, { ...detailsOf(thrown), outcome: tool.effect === 'read' ? 'failed' : 'unknown' })
  }
}

/** Failures of layers around a tool that did not let the call begin. */
const NOT_TRIED: ReadonlySet<string> = new Set(['circuit_open', 'rate_limited'])

function attemptOf({ label, tool }: CalledLevel, result: SettledResult, number: number): Attempt {
  const attempt = { number, tool: tool.name, level: label, at: result.provenance.timestamp }
  if (result.ok) return attempt
  const { error } = result
  const isSkipped = error.outcome === 'not_started' && NOT_TRIED.has(error.code)
  return { ...attempt, error: failureData(error), ...(isSkipped ? { skipped: error.message } : {}) }
}

/** The failure with which the whole ends; undefined if the next level may be asked. */
function stopOf(level: CalledLevel, result: SettledFailure, hasMore: boolean): SettledFailure | undefined {
  const { tool } = level
  const { error } = result
  if (error.code === 'journal_failed') return result
  if (isFinal(error) && !isOwnDeadline(level, error)) return result
  if (error.outcome !== 'unknown' || tool.effect === 'read' || tool.idempotent === true) return undefined
  if (!hasMore) return result
  const message = `${error.message} No other level was asked: it is not known whether '${tool.name}' took effect, and another one would do it again.`
  return withError(result, { ...error, message })
}

/** The time of the level has passed, not that of the whole. A level that could not begin had no time. */
function isOwnDeadline(level: CalledLevel, { code, outcome }: FailureDetails): boolean {
  return code === 'deadline_exceeded' && outcome !== 'not_started' && ownTime(level) !== undefined
}

interface Answer {
  readonly level: {
    readonly label: string
    readonly estimates?: { readonly accuracy?: number | undefined }
    readonly tool?: CalledLevel['tool']
  }
  readonly index: number
  readonly result: SettledSuccess
  readonly attempts: readonly Attempt[]
  readonly whole: Whole
}

function answered({ name }: FallbackPlan, { level, index, result, attempts, whole }: Answer): SettledSuccess {
  const { label } = level
  whole.metric('tool_fallback_level', index, { capability: name, level: label })
  const accuracy = level.estimates?.accuracy ?? level.tool?.estimates.accuracy ?? DEFAULT_ACCURACY ** index
  const confidence = accuracy === 1 ? result.confidence : (result.confidence ?? 1) * accuracy
  return withAnswer(result, { level: label, confidence, ...(index === 0 ? {} : { attempts }) })
}

interface Asking {
  readonly attempts: readonly Attempt[]
  readonly whole: Whole
}

/** Waits for the answer of a person. Nobody to ask, or a person who gives no answer, is one more level that has failed. */
async function askPerson(plan: FallbackPlan, person: AskedLevel, { attempts, whole }: Asking): Promise<SettledResult> {
  const { label, answerSchema, timeout } = person
  const attempt = (more: Pick<Attempt, 'error' | 'skipped'>): readonly Attempt[] => {
    const last = { number: attempts.length + 1, tool: plan.name, level: label, at: whole.clock.now() }
    return [...attempts, { ...last, ...more }]
  }
  try {
    const question = ticket(plan, person, attempts)
    const value = await askPersonAbout(whole, { question, answerSchema, timeout }, ticket(plan, person, attempts.map(discreetAttempt)))
    if (value === undefined) return exhausted(plan, attempt({ skipped: 'nobody could be asked' }), whole)
    const level = { label, estimates: { accuracy: 1 } }
    return answered(plan, { level, index: plan.levels.length, result: successOf(whole, value), attempts: attempt({}), whole })
  } catch (thrown) {
    if (fatalIn(thrown) !== undefined) throw thrown
    const error = detailsOf(thrown)
    return error.class === 'rejected'
      ? exhausted(plan, attempt({ error: failureData(error) }), whole)
      : withAttempts(failureOf(whole, error), attempt({ error: failureData(error) }))
  }
}

function ticket({ name }: FallbackPlan, { why, urgency }: AskedLevel, attempts: readonly Attempt[]): string {
  const said = why === undefined ? '' : `${why} `
  // What failed levels say may hold a password in an address. It is nothing that the person approves.
  return `${said}'${name}' needs an answer by hand (urgency: ${urgency}): ${maskText(tried(attempts), NO_SECRETS)}.`
}

const NO_SECRETS = new KnownSecrets()

/** An attempt as those outside may know it. */
function discreetAttempt(attempt: Attempt): Attempt {
  const { error, skipped } = attempt
  if (error === undefined || !isWithheld(error)) return attempt
  const message = `inside the program, which logs why: ${error.code}`
  return { ...attempt, error: { ...error, message }, ...(skipped === undefined ? {} : { skipped: message }) }
}

const HANDED_BACK = 'A person was asked and gave no answer; the message says why. Do not call again, and do not look for another way.'

/** A person who gave no answer has decided: nothing around it tries another way. */
function exhausted({ name }: FallbackPlan, attempts: readonly Attempt[], whole: Whole): SettledFailure {
  const failed = attempts.flatMap(({ error }) => error ?? [])
  const isHandedBack = failed.some(isFinal)
  const retryable = !isHandedBack && failed.some((error) => error.retryable)
  const waits = failed.flatMap(({ retryAfterMs }) => retryAfterMs ?? [])
  const error = new ToolError(`No level of '${name}' answered:\n${attempts.map((each) => `- ${reasonOf(each)}`).join('\n')}`, {
    code: 'fallback_exhausted',
    ...(isHandedBack ? { class: 'rejected', hint: HANDED_BACK } : retryable ? { retryable, class: 'transient' } : {}),
    ...(waits.length > 0 ? { retryAfterMs: Math.min(...waits) } : {}),
    internal: failed.some(isWithheld),
  })
  return withAttempts(failureOf(whole, failureDetails(error)), attempts)
}

/** `live failed: The service is down.`, or what else became of a level. */
function reasonOf({ level, skipped, error }: Attempt): string {
  if (skipped !== undefined) return `${level} was skipped: ${skipped}`
  const became = error?.class === 'rejected' ? 'gave no answer' : 'failed'
  return error === undefined ? `${level} ${became}` : `${level} ${became}: ${error.message.replaceAll('\n', '\n  ')}`
}

/** `live failed (The service is down.), cache was skipped (…)`. */
function tried(attempts: readonly Attempt[]): string {
  return attempts
    .map(({ level, skipped, error }) =>
      skipped === undefined ? `${level} failed (${error?.message ?? ''})` : `${level} was skipped (${skipped})`,
    )
    .join(', ')
}
