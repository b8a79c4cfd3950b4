import type { Duration } from '../duration.ts'
import type { Call } from '../engine/call.ts'
import { catchUp, holdUntilCaughtUp, mustCatchUp } from '../engine/catch-up.ts'
import { decideAt, diverged as divergedAt } from '../engine/decide.ts'
import { readEntry, writeEntry } from '../engine/journal-access.ts'
import { Scope } from '../engine/scope.ts'
import { sleep as sleepIn } from '../engine/sleep.ts'
import type { ConfigurationError } from '../errors/configuration-error.ts'
import type { Outcome } from '../errors/tool-error.ts'
import { systemRandom } from '../randomness.ts'
import { decode, encode } from '../journal/codec.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

/**
 * Where something is recorded inside a whole: a label of its own (`.ended`), or a mark of the whole itself (`:claim`). A label that begins
 * with a dot and a mark are notes of the combinator: a changed program need not come to them.
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

/** Records something where the run is recorded. `outcome` says what a failure to record leaves open about the effect. */
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

/** A random number from 0 to 1, chosen once. */
export function chance(whole: Whole, label: string): Promise<number> {
  return whole.decide(label, callOf(whole).root.options.random ?? systemRandom)
}

/** Sleeps to the end whatever has ended the whole: for undoing. */
export function sleepShielded(whole: Whole, duration: Duration, label: string): Promise<void> {
  const call = callOf(whole)
  return sleepIn(call, duration, { label, scope: new Scope(call.root.clock, Infinity) })
}

/** The record and the program disagree about what happens at a place of the whole, or at the whole itself. */
export function diverged(whole: Whole, place: Place, now: string, then: string): ConfigurationError {
  const call = callOf(whole)
  return divergedAt(call, pathOf(call, place), now, then)
}

/**
 * Waits until the run has come by all that it recorded, before a combinator records how it ended or that it undoes its parts: under a changed
 * program that record would be wrong, and the version that began the run could not go on either.
 */
export async function untilCaughtUp(whole: Whole, what: string): Promise<void> {
  const call = callOf(whole)
  if (call.root.replay !== undefined) await holdUntilCaughtUp(call, `${what} of ${call.path}`)
}

/** Waits as a new effect waits: until the run has come by all that it recorded. */
export async function beforeNew(whole: Whole): Promise<void> {
  const call = callOf(whole)
  if (mustCatchUp(call, call.path)) await catchUp(call, call.path)
}

/** Something is recorded in a part of the whole, so that it had begun before the run was taken up. */
export function hadBegun(whole: Whole, label: string): boolean {
  const { root, path } = callOf(whole)
  return root.replay?.holds(`${path}/${label}`) === true
}

/** Something recorded in the whole is still to be reached. */
export function isCatchingUp(whole: Whole): boolean {
  const { root, path } = callOf(whole)
  return root.replay?.isCatchingUpIn(path) === true
}

/** The record of a part stands for nothing any more. */
export function passOver(whole: Whole, label: string): void {
  const { root, path } = callOf(whole)
  root.replay?.passOver(`${path}/${label}`)
}

/** The patience of a run that is taken up stands still during this work: it waits for a store, not for its program. */
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
