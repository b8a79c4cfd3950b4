import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { classifyError } from '../tool/errors/classify-error.ts'
import type { ExitEarly } from '../tool/errors/exit-early.ts'
import { withError, withIssue } from '../tool/result/amendments.ts'
import { failureDetails } from '../tool/result/failure-details.ts'
import { encodeResult } from '../tool/result/result-codec.ts'
import type { FailureDetails } from '../tool/result/result.ts'
import { SettledFailure, type SettledResult, type SettledSuccess } from '../tool/result/settled.ts'
import { type Artifact, inRow } from './artifact.ts'
import type { RunEnding } from './claimed-run.ts'
import type { RunReason } from './run-status.ts'
import type { Values } from './values.ts'

/** The end of a run, and the text of its result where that is too large for the row. */
export interface KeptEnding extends RunEnding {
  readonly artifact?: Artifact | undefined
}

export interface Ended {
  readonly tool: string
  readonly values: Values
  /** Somebody wanted it to end. */
  readonly isCancelled: boolean
  /** Why it was cancelled, if somebody said so. */
  readonly reason?: string | undefined
  /** The paths of what could not be undone. */
  readonly standing?: readonly string[]
  /** The paths of what it did and did not come by again. */
  readonly left?: readonly string[]
  /** Hides the secrets of the run in a text that stands where nothing is known of its input. */
  readonly maskText: (text: string) => string
}

/** A run ends with the result of its tool; one that was cancelled says so. */
export function endingOf(result: SettledResult, ended: Ended): KeptEnding {
  try {
    const { isCancelled, standing = [], left = [] } = ended
    const status = result.ok ? 'completed' : isCancelled && result.error.class === 'cancelled' ? 'cancelled' : 'failed'
    const kept = status === 'cancelled' ? withReason(result, ended.reason) : result
    return keep(status, withStanding(kept, [...(status === 'cancelled' ? untold(result, standing) : []), ...left]), ended)
  } catch (thrown) {
    const error = { ...failureDetails(classifyError(thrown)), outcome: 'unknown' as const }
    return keep('failed', new SettledFailure(result, error, false), ended)
  }
}

/** A reviewer's stop ends the run. */
export function endingOfStop({ message, code }: ExitEarly, ended: Ended): KeptEnding {
  const stopped = failed(ended.tool, { code, class: 'rejected', message })
  return keep('stopped', withStanding(stopped, [...(ended.standing ?? []), ...(ended.left ?? [])]), ended)
}

/** Without what the failure itself reports as not undone: its message tells of that. */
function untold({ compensation }: SettledResult, standing: readonly string[]): readonly string[] {
  const { path, notUndone = [] } = compensation ?? {}
  const told = new Set(notUndone.map((step) => `${path}/${step}`))
  return standing.filter((each) => !told.has(each))
}

/** The hint of a cancelled run is the reason that its canceller gave. */
function withReason(result: SettledResult, reason: string | undefined): SettledResult {
  if (result.ok || reason === undefined) return result
  return withError(result, { ...result.error, hint: `It was cancelled because: ${reason}` })
}

/** Whoever ended the run reads what stands. */
function withStanding(result: SettledResult, standing: readonly string[]): SettledResult {
  if (standing.length === 0) return result
  if (result.ok) return withWarning(result, standing)
  const message = `${result.error.message.replace(/[^.!?]$/, '$&.')} Not undone: ${standing.map(withinRun).join(', ')}.`
  return withError(result, { ...result.error, message })
}

/** A cancelled run whose program ended well without coming by all that it did. */
function withWarning(result: SettledSuccess, standing: readonly string[]): SettledSuccess {
  const message = `The run recorded effects that its program does not come by any more. Not undone: ${standing.map(withinRun).join(', ')}.`
  return withIssue(result, { severity: 'warning', message })
}

function withinRun(path: string): string {
  return path.slice(path.indexOf('/') + 1)
}

/** A run that cannot go on is blocked. One that was cancelled ends as it stands: it cannot undo anything either. */
export function standstill(why: RunReason, ended: Ended): KeptEnding {
  const { values, maskText } = ended
  if (!ended.isCancelled) return { status: 'blocked', result: null, why: values.sealReason({ ...why, message: maskText(why.message) }) }
  const message = `The run was cancelled as it stood: what it had done was not undone, since it could not go on. ${why.message}`
  const cancelled = failed(ended.tool, { code: 'cancelled', class: 'cancelled', message })
  return keep(
    'cancelled',
    withStanding(withReason(cancelled, ended.reason), [...new Set([...(ended.standing ?? []), ...(ended.left ?? [])])]),
    ended,
  )
}

/** An ending that the database refuses is kept as a failure that says so: every run ends. */
export function unrecorded(thrown: Error, ended: Ended): KeptEnding {
  const message = `The run has ended, and the database refused to record how: ${thrown.message}`
  return keep('failed', failed(ended.tool, { code: 'journal_failed', class: 'server', message }), ended)
}

function failed(tool: string, given: Pick<FailureDetails, 'code' | 'class' | 'message'>): SettledFailure {
  const error = { ...given, retryable: false, hint: '', outcome: 'unknown' as const }
  return new SettledFailure({ provenance: { tool, invocationId: '', timestamp: Date.now() } }, error, false)
}

function keep(status: RunEnding['status'], result: SettledResult, { values, maskText }: Ended): KeptEnding {
  const text = values.seal(encodeResult(result, result.usage))
  const why = result.ok ? null : values.sealReason({ code: result.error.code, message: maskText(result.error.message) })
  let artifact: Artifact | undefined
  const row = inRow(text, (large) => (artifact = large))
  return { status, result: row, why, artifact }
}

/** Why a run cannot go on, as data. */
export function reasonOf(thrown: unknown): RunReason {
  const code = thrown instanceof ConfigurationError ? thrown.code : String((thrown as { readonly code?: unknown }).code ?? 'unexpected')
  return { code, message: thrown instanceof Error ? thrown.message : String(thrown) }
}
