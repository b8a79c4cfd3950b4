import { privateCopy } from '../../schema/private-copy.ts'
import { ToolError } from '../errors/tool-error.ts'
import { encode, type JsonData } from '../journal/codec.ts'
import { hashOfData } from '../journal/hash.ts'
import type { CallEntry, Journal, JournalEntry } from '../journal/journal.ts'
import { withError } from '../result/amendments.ts'
import { decodeResult, encodeResult } from '../result/result-codec.ts'
import { failureData } from '../result/failure-details.ts'
import type { FailureDetails, Usage } from '../result/result.ts'
import { mayRepeat } from '../metadata.ts'
import { recordedFormOf } from '../recorded-form.ts'
import type { Call, Finish } from './call.ts'
import { madeSecretsOf } from './call-view.ts'
import { catchUp, mustCatchUp } from './catch-up.ts'
import { diverged } from './decide.ts'
import { readEntry, writeEntry } from './journal-access.ts'
import {
  attemptPath,
  attemptsOf,
  beginAgain,
  type FailedAttempt,
  goOn,
  isUnsettled,
  type NotFinal,
  type Pause,
  pauseBefore,
  recordedRetry,
  retryAt,
  usageSince,
  withMarks,
} from './next-attempt.ts'
import { askOutcome, asksOutcome } from './outcome-word.ts'
import { nothingBegins } from './nothing-begins.ts'
import { secretNamesOf } from './read-secret.ts'
import { Cut } from './scope.ts'
import { settleThrown } from './settle.ts'
import type { SettledFailure, SettledResult } from '../result/settled.ts'

/** How a call that was let in is run. */
export interface Attempt {
  readonly finish: Finish
  /** The last thing before the tool's own function, with the input that was admitted. */
  readonly dispatch?: ((input: unknown) => Promise<void>) | undefined
}

interface Door {
  readonly attempt: (call: Call, options: Attempt) => SettledResult | Promise<SettledResult>
  /** The same without the admission, for an input that was admitted before. */
  readonly again: (call: Call, input: unknown, options: Attempt) => Promise<SettledResult>
  readonly conclude: (call: Call, result: SettledResult) => SettledResult
}

/**
 * Runs a leaf as one step of a recorded run: its key is written before it is dispatched, its result before any later effect. If the journal
 * retries reads, each attempt has an entry of its own, and the result of a failed one says when the next begins: a run that is taken up goes
 * on from there.
 */
export async function runRecorded(call: Call, journal: Journal, door: Door): Promise<SettledResult> {
  const { conclude } = door
  let input: JsonData
  let inputHash: string
  try {
    input = dataForRecord(call)
    inputHash = hashOfData(input)
  } catch (thrown) {
    return conclude(call, settleThrown(call, thrown, false))
  }
  const step: RecordedStep = { call, journal, door, input, inputHash, failed: [], admitted: undefined, cut: undefined }
  for (let attempt = 1; ; attempt++) {
    let end = await runAttempt(step, attempt)
    if ('unknown' in end) end = await settleUnknown(step, attempt, end.unknown)
    if ('result' in end) return end.result
    await pauseBefore(call, journal, end).catch((thrown: unknown) => (step.cut = { thrown }))
  }
}

interface RecordedStep {
  readonly call: Call
  readonly journal: Journal
  readonly door: Door
  readonly input: JsonData
  readonly inputHash: string
  readonly failed: FailedAttempt[]
  /** A copy of the input that was admitted, which the tool has not seen. */
  admitted: { readonly input: unknown } | undefined
  /** What ended the wait for this attempt. */
  cut: { readonly thrown: unknown } | undefined
}

/** The last result of the step, or the wait for its next attempt. */
type AttemptEnd = { readonly result: SettledResult } | Pause

/** Or an outcome that a person must know. */
async function runAttempt(step: RecordedStep, attempt: number): Promise<AttemptEnd | { readonly unknown: UnknownEnd }> {
  const { call, journal, door, input, inputHash } = step
  const { conclude } = door
  const path = attemptPath(call, attempt)
  let hadBegun = false
  try {
    const past = pastOf(call, readEntry(call, path), { path, inputHash })
    if (past?.result !== undefined) {
      const until = recordedRetry(past.result)
      const result = revive(call, past.result)
      if (!result.ok && isUnsettled(past.result)) {
        if (asksOutcome(call, journal, { attempt, error: result.error })) return { unknown: { entry: past, result, usage: result.usage } }
        // Nobody has said what happened, and nobody is asked any more.
        if (journal.isClosed === true) throw nothingBegins('unknown')
      }
      if (until === undefined) call.markReplayed()
      if (until === undefined) return { result: conclude(call, result) }
      step.failed.push(failedAttempt(result))
      // If the wait was cut off, the end of the step is recorded before the time has come.
      const isOver = journal.read(attemptPath(call, attempt + 1)) !== undefined
      return { until: isOver ? 0 : until, isPast: true }
    }
    hadBegun = past !== undefined
    if (past !== undefined && !mayRepeat(call.built)) {
      const unknown = { entry: past, result: interrupted(call) }
      if (asksOutcome(call, journal, { attempt, error: unknown.result.error })) return { unknown }
      return { result: conclude(call, await record(call, journal, unknown)) }
    }
  } catch (thrown) {
    if (thrown === call.fatal) throw thrown
    return { result: conclude(call, settleThrown(call, thrown, false)) }
  }
  const begun = (): CallEntry => ({ kind: 'call', path, tool: call.tool, inputHash, input, key: call.idempotencyKey })
  const before = call.used === undefined ? undefined : { ...call.used }
  let dispatched = false
  const dispatch = async (admitted: unknown): Promise<void> => {
    if (mayRunAgain(call, journal)) step.admitted ??= { input: privateCopy(admitted) }
    dispatched = true
    journal.inFlight?.(1)
    if (!hadBegun && mustCatchUp(call, path)) {
      await catchUp(call, path)
      if (call.scope.closed !== undefined) throw new Cut(call.scope.closed)
    }
    await writeEntry(call, { ...begun(), repeatable: call.built.effect === 'read' }, 'not_started')
  }
  try {
    const settled = await settledAttempt(step, { finish: (_call, result) => result, dispatch })
    const result = hadBegun ? perhapsDone(call, settled) : settled
    if (call.fatal !== undefined || isUnrecorded(result)) return { result: conclude(call, result) }
    const usage = usageSince(call.used, before)
    if (!result.ok && asksOutcome(call, journal, { attempt, error: result.error })) {
      const kept = await record(call, journal, { entry: begun(), result, usage, isUnsettled: true })
      if (kept !== result) return { result: conclude(call, kept) }
      goOn(call)
      return { unknown: { entry: begun(), result, usage } }
    }
    const until = result.ok ? undefined : retryAt(call, journal, { attempt, error: result.error })
    const attempts =
      until === undefined ? attemptsOf(call.tool, step.failed, { at: call.root.clock.now(), error: errorOf(result) }) : undefined
    if (attempts !== undefined) result.add({ attempts })
    // What has cost tokens or money may run again, but is not paid for twice: its result is waited for.
    const entry = { ...begun(), repeatable: mayRepeat(call.built) && usage === undefined }
    const recorded = await record(call, journal, { entry, result, usage, until })
    if (until === undefined || recorded !== result || result.ok) return { result: conclude(call, recorded) }
    step.failed.push(failedAttempt(result))
    beginAgain(call, { attempt, error: result.error }, until)
    return { until, isPast: false }
  } finally {
    if (dispatched) journal.inFlight?.(-1)
  }
}

interface UnknownEnd {
  readonly entry: CallEntry
  readonly result: SettledFailure
  readonly usage?: Usage | undefined
}

/**
 * A person says whether the step took effect. If it did, their result is the result of the step; if not, it runs again as the next attempt.
 * Without a word it stays unknown. Nothing of the step is under way while they think, so that the run can be parked.
 */
async function settleUnknown(step: RecordedStep, attempt: number, unknown: UnknownEnd): Promise<AttemptEnd> {
  const { call, journal, door, input } = step
  const { result, usage, entry } = unknown
  let said: Awaited<ReturnType<typeof askOutcome>>
  try {
    said = await askOutcome(call, { attempt, error: result.error, input })
  } catch (fatal) {
    call.fatal ??= fatal
    return { result: door.conclude(call, result) }
  }
  if (said === undefined) return { result: door.conclude(call, await record(call, journal, unknown)) }
  if ('ok' in said) return { result: door.conclude(call, await record(call, journal, { entry, result: said, usage })) }
  const error: FailureDetails = { ...result.error, outcome: 'failed' }
  const until = call.root.clock.now()
  const recorded = await record(call, journal, { entry, result: withError(result, error), usage, until })
  if (!recorded.ok && recorded.error.code === 'journal_failed') return { result: door.conclude(call, recorded) }
  step.failed.push(failedAttempt(recorded))
  beginAgain(call, { attempt, error }, until)
  return { until, isPast: false }
}

/** Whether a further attempt may need the input that was admitted. */
function mayRunAgain(call: Call, { retries, asksOutcome: asks }: Journal): boolean {
  return call.effect === 'read' ? retries !== undefined : asks === true && !mayRepeat(call.built)
}

function settledAttempt({ call, door, admitted, cut }: RecordedStep, options: Attempt): SettledResult | Promise<SettledResult> {
  if (cut !== undefined) return settleThrown(call, cut.thrown, true)
  return admitted === undefined ? door.attempt(call, options) : door.again(call, privateCopy(admitted.input), options)
}

function errorOf(result: SettledResult): FailedAttempt['error'] {
  return result.ok ? undefined : failureData(result.error)
}

function failedAttempt(result: SettledResult): FailedAttempt {
  return { at: result.provenance.timestamp, error: errorOf(result) }
}

/** It had begun before the run was taken up, and may have taken effect then, whatever became of it now. */
function perhapsDone(call: Call, result: SettledResult): SettledResult {
  if (result.ok || result.error.outcome === 'unknown' || call.effect === 'read') return result
  return withError(result, { ...result.error, outcome: 'unknown' })
}

/** The step never began because its beginning could not be recorded: it is still to be done, and has no result to keep. */
function isUnrecorded(result: SettledResult): boolean {
  return !result.ok && result.error.code === 'journal_failed'
}

function pastOf(
  call: Call,
  entry: JournalEntry | undefined,
  { path, inputHash }: Pick<CallEntry, 'path' | 'inputHash'>,
): CallEntry | undefined {
  const { tool } = call
  if (entry === undefined) return undefined
  if (entry.kind !== 'call') throw diverged(call, path, 'a call', `a ${entry.kind}`)
  if (entry.tool !== tool) throw diverged(call, path, `a call of '${tool}'`, `a call of '${entry.tool}'`)
  if (entry.inputHash !== inputHash) throw diverged(call, path, 'a call with this input', 'a call with another input')
  return entry
}

function interrupted(call: Call): SettledFailure {
  const message = `Tool '${call.tool}' was interrupted, and it is not known whether it took effect.`
  return settleThrown(call, new ToolError(message, { code: 'outcome_unknown', outcome: 'unknown' }), false)
}

interface Ended extends NotFinal {
  readonly entry: CallEntry
  readonly result: SettledResult
  readonly usage?: Usage | undefined
}

async function record(call: Call, journal: Journal, { entry, result, usage, ...marks }: Ended): Promise<SettledResult> {
  call.end = { at: call.root.clock.now() }
  let kept = result
  let data: JsonData
  const secrets = { names: secretNamesOf(call), made: madeSecretsOf(call) }
  try {
    data = withMarks(encodeResult(result, usage, secrets), marks)
    journal.accept?.(data)
  } catch (error) {
    kept = settleThrown(call, error, false)
    data = encodeResult(kept, usage, secrets)
  }
  try {
    await writeEntry(call, { ...entry, result: data }, 'unknown')
  } catch (error) {
    kept = settleThrown(call, error, false)
  }
  return kept
}

function dataForRecord({ given, built }: Call): JsonData {
  const form = recordedFormOf(built)
  try {
    return form === undefined ? encode(given) : form(given)
  } catch (cause) {
    throw new ToolError(cause instanceof Error ? cause.message : String(cause), { code: 'not_serializable', outcome: 'not_started', cause })
  }
}

/** The recorded usage counts for its callers again. */
function revive(call: Call, data: JsonData): SettledResult {
  const result = decodeResult(data, `in the journal at '${call.path}'`)
  if (result.usage !== undefined) call.usage(result.usage)
  return result
}
