import type { CallOptions, ToolContext } from '../context.ts'
import { Cut } from '../engine/scope.ts'
import { encode } from '../journal/codec.ts'
import { callOf } from './call-of.ts'

/**
 * The call of a combinator as far as the combinator may see it: what the author of a compound sees. All that a combinator does to the world
 * or to its parts goes through the functions of this folder.
 */
export type Whole = ToolContext

/** What the caller of the whole run gave, as far as combinators go by it. */
export type Settings = Pick<CallOptions, 'secrets' | 'services' | 'overrides' | 'idempotency' | 'review' | 'alert'>

export function settingsOf(whole: Whole): Settings {
  return callOf(whole).root.options
}

/** The run is recorded here. */
export function isRecorded(whole: Whole): boolean {
  return callOf(whole).journal !== undefined
}

/** The record outlives the process, and somebody takes the run up again whatever happens. */
export function isDurable(whole: Whole): boolean {
  return callOf(whole).journal?.durable === true
}

/** Throws a ToolError where the record could not hold such a value. */
export function checkRecordable(whole: Whole, value: unknown): void {
  const { journal } = callOf(whole)
  if (journal === undefined) return
  const data = encode(value)
  journal.accept?.(data)
}

/** The caller or the clock has ended it: nothing new begins. */
export function isClosed(whole: Whole): boolean {
  return callOf(whole).scope.closed !== undefined
}

/** Ends the whole as one that the caller or the clock has ended; does nothing where neither has. */
export function throwIfClosed(whole: Whole): void {
  const { closed } = callOf(whole).scope
  if (closed !== undefined) throw new Cut(closed)
}

/** A person is waited for, here or in a part. */
export function isAsking(whole: Whole): boolean {
  return callOf(whole).isAsking
}

/** By which the run is known: all keys are derived from it. */
export function runIdOf(whole: Whole): string {
  return callOf(whole).root.runId
}

/** A text without the secrets that the whole was given. */
export function maskedText(whole: Whole, text: string): string {
  return callOf(whole).maskText(text)
}
