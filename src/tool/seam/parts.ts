import type { Call } from '../engine/call.ts'
import { callPart as callInside } from '../engine/call-part.ts'
import { isFatal } from '../engine/fatal.ts'
import { presentJournal } from '../engine/past-journal.ts'
import type { PartCall } from '../engine/root-call.ts'
import { failureDetails } from '../result/failure-details.ts'
import { SettledFailure, type SettledResult } from '../result/settled.ts'
import { classifyError } from '../errors/classify-error.ts'
import { withSteps } from '../result/amendments.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

export { SHIELDED_DEADLINE_MS } from '../engine/call-part.ts'
export type { PartCall } from '../engine/root-call.ts'

/** A part that was called, as far as a combinator may see it. */
export interface Part {
  readonly label: string
  readonly path: string
  /** Its input, before validation. */
  readonly given: unknown
}

/** Calls a tool as a part of the whole. Rejects only with what is fatal. */
export function callPart(whole: Whole, part: PartCall): Promise<SettledResult> {
  return callInside(callOf(whole), part)
}

/** A part that has ended, in whatever way. */
export interface PartEnd {
  /** Undefined where it could not even begin. */
  readonly part: Part | undefined
  readonly result: SettledResult
  /** Passes when the combinator throws it. */
  readonly fatal: Fatal | undefined
}

export interface Fatal {
  readonly thrown: unknown
}

/** Calls a part whose label occurs once, and does not let anything fatal in it pass yet. */
export async function tryPart(whole: Whole, part: PartCall): Promise<PartEnd> {
  const call = callOf(whole)
  const before = call.children?.length ?? 0
  const pending = callInside(call, { ...part, isUnique: true })
  const begun = call.children?.[before]
  try {
    return { part: begun, result: await pending, fatal: undefined }
  } catch (thrown) {
    const outcome = begun?.fatalOutcome ?? 'not_started'
    const error = { ...failureDetails(classifyError(thrown)), outcome }
    return { part: begun, result: new SettledFailure(begun ?? call, error, true), fatal: { thrown } }
  }
}

/** Undefined for what a failure of the whole stands for; what is fatal passes every layer. */
export function fatalIn(thrown: unknown): Fatal | undefined {
  return isFatal(thrown) ? { thrown } : undefined
}

/** The parts of a whole, or of a part, that were called, in the order in which they began. */
export function partsOf(whole: Whole | Part): readonly Part[] {
  return callOf(whole).children ?? []
}

/** Shows another result for a part than the one that it came to, with the same steps. */
export function showResult(part: Part, result: SettledFailure): SettledFailure {
  const call = callOf(part)
  if (call.result === undefined) return result
  const shown = withSteps(result, call.result.steps)
  call.result = shown
  return shown
}

/**
 * Whether the whole itself comes only as far as it had come, because something around it is being undone. From here on it records again
 * what becomes of it; its parts do not, where they are called as past.
 */
export function takeLeaveOfPast(whole: Whole): boolean {
  const call = callOf(whole)
  const { journal } = call
  if (journal === undefined || presentJournal(journal) === journal) return false
  call.journal = presentJournal(journal)
  return true
}

/** Another key for every step inside: an attempt before was undone, and services would take this one for a repetition of it. */
export function renewKeys(whole: Whole): void {
  const call: Call = callOf(whole)
  for (let attempt = 0; attempt < call.triedBefore; attempt++) call.raiseGeneration()
}
