import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import type { ExitEarly } from '../../tool/errors/exit-early.ts'
import { withError, withIssue } from '../../tool/result/amendments.ts'
import { failureDetails, failureMessage } from '../../tool/result/failure-details.ts'
import { encodeResult } from '../../tool/result/result-codec.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { SettledFailure, type SettledResult, type SettledSuccess } from '../../tool/result/settled.ts'
import { inRow } from '../journal/in-row.ts'
import { inRun } from '../journal/place.ts'
import type { Artifact } from '../store/journal-store.ts'
import type { RunEnding } from '../store/run-changes.ts'
import type { RunReason } from '../state/run-state.ts'
import type { Values } from '../journal/values.ts'

export interface Ended {
  readonly run: string
  readonly tool: string
  /** When it ended, in milliseconds since the epoch. */
  readonly now: number
  readonly values: Values
  /** Somebody wanted it to end. */
  readonly isCancelled: boolean
  /** Why it was cancelled, if somebody said so. */
  readonly reason?: string | undefined
  /** The paths of the steps that could not be undone. */
  readonly notUndone?: readonly string[]
  /** The paths of recorded effects that the program did not reach again. */
  readonly unreached?: readonly string[]
  /** Hides the secrets of the run in a text that stands where nothing is known of its input. */
  readonly maskText: (text: string) => string
  /** Secrets that validation made in the run, so that its result can be shown without them. */
  readonly made?: ReadonlySet<string> | undefined
}

/** A run ends with the result of its tool; one that was cancelled says so. */
export function endingOf(result: SettledResult, ended: Ended): RunEnding {
  try {
    const { isCancelled, notUndone = [], unreached = [] } = ended
    const status = result.ok ? 'completed' : isCancelled && result.error.class === 'cancelled' ? 'cancelled' : 'failed'
    const kept = status === 'cancelled' ? withReason(result, ended.reason) : result
    return keep(status, withNotUndone(kept, [...(status === 'cancelled' ? untold(result, notUndone) : []), ...unreached]), ended)
  } catch (thrown) {
    const error = { ...failureDetails(classifyError(thrown)), outcome: 'unknown' as const }
    return keep('failed', new SettledFailure(result, error, false), ended)
  }
}

/** A reviewer's stop ends the run. */
export function endingOfStop({ message, code }: ExitEarly, ended: Ended): RunEnding {
  const stopped = failed(ended, { code, class: 'rejected', message })
  return keep('stopped', withNotUndone(stopped, [...(ended.notUndone ?? []), ...(ended.unreached ?? [])]), ended)
}

/** Without what the failure itself reports as not undone: its message tells of that. */
function untold({ compensation }: SettledResult, paths: readonly string[]): readonly string[] {
  const { path, notUndone = [] } = compensation ?? {}
  const told = new Set(notUndone.map((step) => `${path}/${step}`))
  return paths.filter((each) => !told.has(each))
}

/** The hint of a cancelled run is the reason that its canceller gave. */
function withReason(result: SettledResult, reason: string | undefined): SettledResult {
  if (result.ok || reason === undefined) return result
  return withError(result, { ...result.error, hint: `It was cancelled because: ${reason}` })
}

/** The failure names the steps that were not undone. */
function withNotUndone(result: SettledResult, paths: readonly string[]): SettledResult {
  if (paths.length === 0) return result
  if (result.ok) return withWarning(result, paths)
  const message = `${result.error.message.replace(/[^.!?]$/, '$&.')} Not undone: ${paths.map(withinRun).join(', ')}.`
  return withError(result, { ...result.error, message })
}

/** A cancelled run whose program ended well and did not reach all of its recorded effects. */
function withWarning(result: SettledSuccess, paths: readonly string[]): SettledSuccess {
  const message = `The run recorded effects that its program does not reach any more. Not undone: ${paths.map(withinRun).join(', ')}.`
  return withIssue(result, { severity: 'warning', message })
}

function withinRun(path: string): string {
  return path.slice(path.indexOf('/') + 1)
}

/**
 * A run that cannot go on is blocked. A cancelled one ends without undoing: it cannot go on to undo either. Without the key nothing can be
 * written about its end, so it waits for a worker that has it.
 */
export function endingOfStandstill(why: RunReason, ended: Ended): RunEnding {
  const { values, maskText } = ended
  if (!ended.isCancelled || why.code === 'missing_encryption_key')
    return { status: 'blocked', result: null, why: values.sealReason({ ...why, message: maskText(why.message) }, ended.run) }
  const message = `The run was cancelled as it stood: what it had done was not undone, since it could not go on. ${why.message}`
  const cancelled = failed(ended, { code: 'cancelled', class: 'cancelled', message })
  return keep(
    'cancelled',
    withNotUndone(withReason(cancelled, ended.reason), [...new Set([...(ended.notUndone ?? []), ...(ended.unreached ?? [])])]),
    ended,
  )
}

/** An ending that the database refuses is kept as a failure that says so: every run ends. */
export function endingOfRefusal(thrown: Error, ended: Ended): RunEnding {
  const message = `The run has ended, and the database refused to record how: ${thrown.message}`
  return keep('failed', failed(ended, { code: 'journal_failed', class: 'server', message }), ended)
}

function failed({ tool, now }: Ended, given: Pick<FailureDetails, 'code' | 'class' | 'message'>): SettledFailure {
  const error = { ...given, retryable: false, hint: '', outcome: 'unknown' as const }
  return new SettledFailure({ provenance: { tool, invocationId: '', timestamp: now } }, error, false)
}

function keep(status: RunEnding['status'], result: SettledResult, { run, values, maskText, made }: Ended): RunEnding {
  const text = values.seal(encodeResult(result, result.usage, { made }), inRun(run, 'result'))
  const why = result.ok ? null : values.sealReason({ code: result.error.code, message: maskText(failureMessage(result.error)) }, run)
  let artifact: Artifact | undefined
  const row = inRow(text, (large) => (artifact = large))
  return { status, result: row, why, artifact }
}

/** Why a run cannot go on, as data. */
export function reasonOf(thrown: unknown): RunReason {
  const code = thrown instanceof ConfigurationError ? thrown.code : String((thrown as { readonly code?: unknown }).code ?? 'unexpected')
  return { code, message: thrown instanceof Error ? thrown.message : String(thrown) }
}

/** Why a run was cancelled, as it is stored; undefined where nobody gave a reason. */
export function reasonOfCancel(values: Values, run: string, cancel: string): string | undefined {
  return (values.unseal(cancel, inRun(run, 'cancel')) as { readonly reason?: string }).reason
}
