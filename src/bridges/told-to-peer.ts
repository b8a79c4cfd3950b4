import { ConfigurationError, isConfigurationError } from '../tool/errors/configuration-error.ts'
import { ExitEarly, isExitEarly } from '../tool/errors/exit-early.ts'
import { isToolError, ToolError } from '../tool/errors/tool-error.ts'
import { ToolExecutionError } from '../tool/errors/tool-execution-error.ts'
import { failureMessage } from '../tool/result/failure-details.ts'
import type { FailureDetails, ToolFailure, ToolResult, ToolSuccess } from '../tool/result/result.ts'
import type { CallEnd } from './parked-call.ts'

/** What a model is to do after a stop. */
export const STOPPED_HINT = 'A person ended the run. Do not repeat the call; ask what they want instead.'

export const NEVER_ASKED = 'This process did not ask for the approval in the conversation, so it does not count.'

/** The result of a call. `advice` says how a person could be asked where nobody can. */
function resultOf(end: CallEnd, advice: string): ToolResult {
  if ('thrown' in end) throw explained(end.thrown, advice)
  return end.result
}

/** What a model reads of a failure: what is wrong, and what to do. */
function failureText(error: FailureDetails): string {
  return `${failureMessage(error)} ${error.hint}`
}

/** What a peer tells the model of a call: its success, or the text of its failure. */
export type Told =
  | { readonly success: ToolSuccess }
  | { readonly text: string; readonly failure: ToolFailure | undefined; readonly thrown?: unknown }

/** A mistake of the program is thrown; all else is told to the model. */
export function toldOf(end: CallEnd, advice: string): Told {
  if ('thrown' in end && isExitEarly(end.thrown))
    return { text: `Error: ${stoppedText(end.thrown)}`, failure: undefined, thrown: end.thrown }
  if ('thrown' in end && isToolError(end.thrown)) return { text: `Error: ${end.thrown.message}`, failure: undefined, thrown: end.thrown }
  const result = resultOf(end, advice)
  return result.ok ? { success: result } : { text: `Error: ${failureText(result.error)}`, failure: result }
}

/** The success of a run. A failure is thrown: the peer passes its message to the model. */
export function successOf(end: CallEnd, advice: string): ToolSuccess {
  if ('thrown' in end && isExitEarly(end.thrown)) throw stopped(end.thrown)
  const result = resultOf(end, advice)
  if (result.ok) return result
  throw executionError(result)
}

/** The failure of a call as an error, for a peer or a program that catches it. */
export function executionError(result: ToolFailure): ToolExecutionError<ToolFailure> {
  return shownAsMessage(new ToolExecutionError(failureText(result.error), result, result.error.cause))
}

function stoppedText({ message }: ExitEarly): string {
  return `${/[.!?]$/.test(message) ? message : `${message}.`} ${STOPPED_HINT}`
}

/** The stop as a peer shows it to the model. */
function stopped(stop: ExitEarly): ExitEarly {
  return shownAsMessage(Object.assign(new ExitEarly(stop.tool), { message: stoppedText(stop), cause: stop }))
}

function explained(thrown: unknown, advice: string): unknown {
  if (!isConfigurationError(thrown) || thrown.code !== 'missing_review_handler') return thrown
  return new ConfigurationError(thrown.code, `${thrown.message} ${advice}`, { cause: thrown })
}

/** The failure of a call whose approval in the conversation was never asked for. */
export function neverAsked(name: string): ToolError {
  const hint = `Call '${name}' again with exactly the same input: a person is asked then.`
  return new ToolError(`A person must approve before '${name}' can go on: ${NEVER_ASKED}`, {
    code: 'approval_pending',
    outcome: 'not_started',
    hint,
  })
}

/** The error that the model reads when a run waits for a person during an execution: the next equal call asks the person. */
export function approvalPending(name: string, reason: string): ToolError {
  const hint = `Call '${name}' again with exactly the same input: a person is asked then, and it goes on where it stopped.`
  const message = `A person must approve before '${name}' can go on: ${reason} ${hint}`
  return shownAsMessage(new ToolError(message, { code: 'approval_pending', outcome: 'failed', hint }))
}

/** The error for a call that was denied, though the peer executes it. */
export function denied(name: string, reason: string | undefined): ToolError {
  return shownAsMessage(
    new ToolError(`Rejected by reviewer${reason === undefined ? '' : `, who says "${reason}"`}: ${name}`, {
      code: 'rejected',
      outcome: 'not_started',
    }),
  )
}

/** The error for a call that the peer executes after it was withdrawn; `end` is how its run ended. */
export function withdrawn(name: string, why: string, end: CallEnd): ToolError {
  const outcome = 'result' in end && !end.result.ok ? end.result.error.outcome : 'unknown'
  const { hint } = new ToolError(why, { code: 'review_timed_out' })
  return shownAsMessage(
    new ToolError(`${why} '${name}' was withdrawn, and does not go on. ${hint}`, { code: 'review_timed_out', outcome, hint }),
  )
}

/** Some peers show an error to the model by its `toString`: as `Error: <message>`, without the name of the class. */
function shownAsMessage<E extends Error>(error: E): E {
  return Object.defineProperty(error, 'toString', { value: () => `Error: ${error.message}`, configurable: true })
}
