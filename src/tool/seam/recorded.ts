import type { Duration } from '../duration.ts'
import type { Call } from '../engine/call.ts'
import { catchUp, holdUntilCaughtUp, mustCatchUp } from '../engine/catch-up.ts'
import { decideAt, diverged as divergedAt } from '../engine/decide.ts'
import { readEntry, writeEntry } from '../engine/journal-access.ts'
import { Scope } from '../engine/scope.ts'
import { sleep as sleepIn } from '../engine/sleep.ts'
import type { ConfigurationError } from '../errors/configuration-error.ts'
import type { Outcome } from '../errors/tool-error.ts'
import { decode, encode } from '../journal/codec.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

/**
 * The place of a record inside a whole: a label (`.ended`), or a mark of the whole itself (`:claim`). Marks and labels that begin with a
 * dot are notes of the combinator: a changed program need not reach them.
 */
export type Place = string

/** Makes a choice once: later runs get the recorded one. The place occurs once in the whole. */
export function decideOnce<T>(whole: Whole, place: Place, choose: () => T | Promise<T>): Promise<T> {
  const call = callOf(whole)
  return decideAt(call, pathOf(call, place), choose)
}

/** The choice that is recorded there; undefined where there is none. */
export function decided<T>(whole: Whole, place: Place): { readonly value: T } | undefined {
  const call = callOf(whole)
  const path = pathOf(call, place)
  const entry = readEntry(call, path)
  if (entry === undefined) return undefined
  if (entry.kind !== 'decision') throw divergedAt(call, path, 'a decision', `a ${entry.kind}`)
  return { value: decode(entry.value) as T }
}

/** The choice that is recorded under a mark of another call, by its path. */
export function decidedAt(whole: Whole, path: string, mark: `:${string}`): { readonly value: unknown } | undefined {
  const entry = callOf(whole).journal?.read(`${path}${mark}`)
  return entry?.kind === 'decision' ? { value: entry.value } : undefined
}

/** Records a value in a recorded run. `outcome` is that of the failure if it cannot be recorded. */
export async function record(whole: Whole, place: Place, value: unknown, outcome: Outcome): Promise<void> {
  const call = callOf(whole)
  if (call.journal === undefined) return
  call.journal.inFlight?.(1)
  try {
    await writeEntry(call, { kind: 'decision', path: pathOf(call, place), value: encode(value) }, outcome)
  } finally {
    call.journal.inFlight?.(-1)
  }
}

/** Sleeps to the end even if the whole has ended: for undoing. */
export function sleepShielded(whole: Whole, duration: Duration, label: string): Promise<void> {
  const call = callOf(whole)
  return sleepIn(call, duration, { label, scope: new Scope(call.root.clock, Infinity) })
}

/** The record and the program differ at a place of the whole, or at the whole itself. */
export function diverged(whole: Whole, place: Place, now: string, then: string): ConfigurationError {
  const call = callOf(whole)
  return divergedAt(call, pathOf(call, place), now, then)
}

/**
 * Waits until the run has reached all its records, before a combinator records its end or its undoing: under a changed program that record
 * would be wrong, and the version that began the run could not continue.
 */
export async function untilCaughtUp(whole: Whole, what: string): Promise<void> {
  const call = callOf(whole)
  if (call.root.replay !== undefined) await holdUntilCaughtUp(call, `${what} of ${call.path}`)
}

/** Waits as a new effect does: until the run has reached all its records. */
export async function beforeNew(whole: Whole): Promise<void> {
  const call = callOf(whole)
  if (mustCatchUp(call, call.path)) await catchUp(call, call.path)
}

/** A part of the whole has records, so it had begun before the run was resumed. */
export function hadBegun(whole: Whole, label: string): boolean {
  const { root, path } = callOf(whole)
  return root.replay?.holds(`${path}/${label}`) === true
}

/** Some records in the whole are not reached yet. */
export function isCatchingUp(whole: Whole): boolean {
  const { root, path } = callOf(whole)
  return root.replay?.isCatchingUpIn(path) === true
}

/** Stops the patience timer of a resumed run during this work: the run waits for a store, not for its program. */
export async function withoutPatience<T>(whole: Whole, work: () => Promise<T>): Promise<T> {
  const { replay } = callOf(whole).root
  replay?.waits(1)
  try {
    return await work()
  } finally {
    replay?.waits(-1)
  }
}

function pathOf({ path }: Call, place: Place): string {
  return place === '' || place.startsWith(':') ? `${path}${place}` : `${path}/${place}`
}
