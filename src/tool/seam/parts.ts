import type { PartCall } from '../engine/call.ts'
import { callPart as callInside } from '../engine/call-part.ts'
import { isFatal } from '../engine/fatal.ts'
import { presentJournal } from '../engine/past-journal.ts'
import { failureDetails } from '../result/failure-details.ts'
import type { ToolResult } from '../result/result.ts'
import { SettledFailure, type SettledResult } from '../result/settled.ts'
import { classifyError } from '../errors/classify-error.ts'
import { withSteps } from '../result/amendments.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

export { SHIELDED_DEADLINE_MS } from '../engine/call-part.ts'
export type { PartCall } from '../engine/call.ts'

/** The view of a called part for a combinator. */
export interface Part {
  readonly label: string
  readonly path: string
  /** Its input, before validation. */
  readonly given: unknown
}

/** Calls a tool as a part of the whole. Rejects only with fatal errors. */
export function callPart(whole: Whole, part: PartCall): Promise<SettledResult> {
  return callInside(callOf(whole), part)
}

/** The end of a part. */
export interface PartEnd {
  /** Undefined if it could not begin. */
  readonly part: Part | undefined
  readonly result: SettledResult
  /** The combinator must throw it later. */
  readonly fatal: Fatal | undefined
}

export interface Fatal {
  readonly thrown: unknown
}

/** Calls a part whose label occurs once. A fatal error is returned, not thrown. */
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

/** The fatal error, which passes every layer; undefined for an ordinary failure. */
export function fatalIn(thrown: unknown): Fatal | undefined {
  return isFatal(thrown) ? { thrown } : undefined
}

/** The parts of a whole, or of a part, that were called, in the order in which they began. */
export function partsOf(whole: Whole | Part): readonly Part[] {
  return callOf(whole).children ?? []
}

/** The result of a part that has ended. */
export function endOf(part: Part): ToolResult | undefined {
  return callOf(part).result
}

/** Whether a tool inside a part, or the part itself, has taken effect, or may have. */
export function hasTakenEffect(part: Part): boolean {
  const { children = [], effect, result } = callOf(part)
  if (children.length > 0) return children.some(hasTakenEffect)
  return effect !== 'read' && (result === undefined || result.ok || result.error.outcome === 'unknown')
}

/** Replaces the shown result of a part, with the same steps. */
export function showResult(part: Part, result: SettledFailure): SettledFailure {
  const call = callOf(part)
  if (call.result === undefined) return result
  const shown = withSteps(result, call.result.steps)
  call.result = shown
  return shown
}

/**
 * Whether the whole only replays its records, because a tool around it is being undone. From here on it writes its own records again; parts
 * that are called as past do not.
 */
export function takeLeaveOfPast(whole: Whole): boolean {
  const call = callOf(whole)
  const { journal } = call
  if (journal === undefined || presentJournal(journal) === journal) return false
  call.journal = presentJournal(journal)
  return true
}

/** New keys for every step inside: an earlier attempt was undone, and services must not treat this one as its repetition. */
export function renewKeys(whole: Whole): void {
  callOf(whole).lazily.hasNewKeys = true
}
