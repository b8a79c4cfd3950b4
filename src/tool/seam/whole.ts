import { isSameJson, type JsonSchema } from '../../schema/json-schema.ts'
import type { CallOptions, ToolContext } from '../context.ts'
import { copyInput, needsOwnInput } from '../engine/own-input.ts'
import { Cut } from '../engine/scope.ts'
import { encode } from '../journal/codec.ts'
import { logView, secretsIn } from '../secrets/mask.ts'
import { callOf } from './call-of.ts'

/**
 * The context of a combinator, as the author of a compound sees it. A combinator reaches the outside world and its parts only through the
 * functions of this folder.
 */
export type Whole = ToolContext

/** The options of the root call that combinators use. */
export type Settings = Pick<
  CallOptions,
  'alert' | 'model' | 'overrides' | 'policy' | 'review' | 'reviewers' | 'secrets' | 'services' | 'stores' | 'unattended'
>

export function settingsOf(whole: Whole): Settings {
  return callOf(whole).root.options
}

/** A person has been waited for: what the caller has lost meanwhile, the principal of the call has lost too. */
export function lookAtCallerAgain(whole: Whole): void {
  callOf(whole).root.lookAtCallerAgain()
}

/** The run is recorded here. */
export function isRecorded(whole: Whole): boolean {
  return callOf(whole).journal !== undefined
}

/** The run is recorded here, or around a step that this is inside of. */
export function isInRecord(whole: Whole): boolean {
  const { journal, insideStep } = callOf(whole)
  return journal !== undefined || insideStep
}

/** The record survives the process, and the run is always resumed. */
export function isDurable(whole: Whole): boolean {
  return callOf(whole).journal?.durable === true
}

/** Calls back if the run leaves its process while this is under way, or has left it. Undefined if nobody tells; else a function that ends it. */
export function onLeave(whole: Whole, callback: () => void): (() => void) | undefined {
  return callOf(whole).journal?.onLeave?.(callback)
}

/** It is told when the run leaves its process. */
export function tellsLeaving(whole: Whole): boolean {
  return callOf(whole).journal?.onLeave !== undefined
}

/** The record survives the process, and nobody tells when the run leaves it. */
export function mayVanish(whole: Whole): boolean {
  return isDurable(whole) && !tellsLeaving(whole)
}

/** Throws a ToolError if the record cannot hold this value. */
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

/** Throws if the caller or the clock has ended the whole. */
export function throwIfClosed(whole: Whole): void {
  const { closed } = callOf(whole).scope
  if (closed !== undefined) throw new Cut(closed)
}

/** It waits for a person, here or in a part. */
export function isAsking(whole: Whole): boolean {
  return callOf(whole).isAsking
}

/** The id of the run: all keys are derived from it. */
export function runIdOf(whole: Whole): string {
  return callOf(whole).root.runId
}

/**
 * A gate around the whole has passed its input: another input is not the one that was approved. A gate around a compound has passed the
 * effects inside it, and the reads that have its input.
 */
export function isApprovedAround(whole: Whole): boolean {
  const { given, effect, parent: around } = callOf(whole)
  let isLayered = true
  for (let parent = around; parent !== undefined; { parent } = parent) {
    isLayered &&= parent.behaviour.layer !== undefined
    if (parent.behaviour.approval !== undefined && (isLayered || effect !== 'read' || isSameJson(parent.given, given))) return true
  }
  return false
}

/** A text without the secrets that the whole was given. */
export function maskedText(whole: Whole, text: string): string {
  return callOf(whole).maskText(text)
}

/** Masks the secrets of an output in all texts of the run: a message may repeat them. */
export function hideSecretsIn(whole: Whole, output: unknown, schema: JsonSchema | undefined): void {
  callOf(whole).root.hideInLogs(secretsIn(output, schema))
}

/** The same for an output that no record shows with its schema: the record keeps its secrets, so that they stay masked. */
export function hideMadeSecretsIn(whole: Whole, output: unknown, schema: JsonSchema): void {
  callOf(whole).root.hideMade(secretsIn(output, schema))
}

/** A value as a message may show it: without the secrets that its schema declares, and without those that are known to the whole. */
export function maskedView(whole: Whole, value: unknown, schema: JsonSchema = {}): unknown {
  return logView(value, schema, callOf(whole).secrets)
}

/** A tick of the clock, read once in each burst of work: for counts, not for deadlines. */
export function burstTick(whole: Whole): number {
  return callOf(whole).scope.burstTick()
}

/** The input of the whole, for use after a wait: a copy that nobody else can change. To be called before the wait. */
export function keepInput(whole: Whole): unknown {
  const call = callOf(whole)
  if (!needsOwnInput(call)) copyInput(call)
  return call.given
}
