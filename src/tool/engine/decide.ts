import { ConfigurationError } from '../errors/configuration-error.ts'
import { decode, encode, type JsonData } from '../journal/codec.ts'
import { checkLabel } from '../path.ts'
import type { Call } from './call.ts'
import { catchUp, mustCatchUp } from './catch-up.ts'
import { cutError } from './settle.ts'
import { noteNew, readEntry, writeEntry } from './journal-access.ts'
import { nothingBegins } from './nothing-begins.ts'
import { PATCHED } from './replay.ts'
import { isCut } from './scope.ts'
import { warn } from '../warn.ts'
import { underWay } from './under-way.ts'

/** Chooses once: a recorded choice is not made again. A leaf is one step, so it chooses without a record. */
export async function decide<T>(call: Call, label: string, choose: () => T | Promise<T>): Promise<T> {
  checkLabel(label)
  return call.journal === undefined || call.behaviour.leaf
    ? inTime(call, choose)
    : decideAt(call, `${call.path}/${call.nextLabel(label)}`, choose)
}

export async function decideAt<T>(call: Call, path: string, choose: () => T | Promise<T>): Promise<T> {
  const { journal } = call
  if (journal === undefined) return inTime(call, choose)
  const recorded = readEntry(call, path)
  if (recorded !== undefined) {
    if (recorded.kind !== 'decision') throw diverged(call, path, 'a decision', `a ${recorded.kind}`)
    return decode(recorded.value) as T
  }
  // Before the choice: one that cannot be recorded may take something from others, such as a turn.
  if (journal.isClosed === true) throw nothingBegins('failed')
  call.began()
  journal.inFlight?.(1)
  try {
    if (mustCatchUp(call, path)) await catchUp(call, path, false)
    const value = await inTime(call, choose)
    await writeEntry(call, { kind: 'decision', path, value: encode(value) }, 'failed')
    return value
  } finally {
    journal.inFlight?.(-1)
    call.ended()
  }
}

/** An asynchronous choice ends with its scope; a synchronous one may still be made after that. */
async function inTime<T>(call: Call, choose: () => T | Promise<T>): Promise<T> {
  const choice = choose()
  if (!(choice instanceof Promise)) return choice
  try {
    return await call.scope.race(choice)
  } catch (error) {
    throw isCut(error) ? cutError(error.closure, `'${call.tool}' was deciding`, 'failed') : error
  }
}

/** The record and the program differ at a path: continuing could repeat an effect. */
export function diverged({ root }: Call, path: string, now: string, then: string): ConfigurationError {
  const { idempotencyKey } = root.options
  const refusal = new ConfigurationError(
    'replay_diverged',
    `${idempotencyKey === undefined ? 'This run' : `The run '${idempotencyKey}'`} recorded ${then} at '${path}', but the program now does ${now}. ` +
      'If the program was changed, continue the run with the version that began it, keep the old code for such runs (context.patched), or cancel it. ' +
      'If it was not, it must do the same in every run: read values that may differ through context.decide.',
  )
  root.replay?.refuse(path, refusal)
  return refusal
}

/**
 * Whether a compound takes the new code after a change: true for a run that has not passed the change yet, false for one with records after
 * it. The answer is recorded, so that it stays the same.
 */
export async function patched(call: Call, label: string): Promise<boolean> {
  checkLabel(label)
  const { journal, behaviour, root } = call
  if (journal === undefined || behaviour.leaf) return true
  const path = `${call.path}${PATCHED}${label}`
  const recorded = readEntry(call, path)
  if (recorded !== undefined) {
    if (recorded.kind !== 'decision') throw diverged(call, path, 'a choice between two ways', `a ${recorded.kind}`)
    return recorded.value === true
  }
  // What only replays its records, such as a step that is being undone, has ended under the old code.
  if (journal.isClosed === true) return false
  // It does not wait until the run has caught up: unvisited records may belong to the old code.
  const isNew = root.replay?.isCatchingUp !== true
  await underWay(call, () => writeEntry(call, { kind: 'decision', path, value: isNew }, 'failed'))
  return isNew
}

/**
 * A value that a compound reads synchronously: a time, an id, a random number, the name of a secret. A recorded run takes each only once. The write is not
 * awaited: a journal keeps the order of its entries, so no effect is recorded before the value it depends on.
 */
export function recordedValue<T extends string | number>(call: Call, label: 'now' | 'id' | 'random' | 'secret', take: () => T): T {
  const { journal } = call
  if (journal === undefined || call.behaviour.leaf) return take()
  const path = `${call.path}:${call.nextLabel(`.${label}`).slice(1)}`
  const recorded = readEntry(call, path)
  if (recorded !== undefined) {
    if (recorded.kind !== 'decision') throw diverged(call, path, `a ${label}`, `a ${recorded.kind}`)
    return recorded.value as T
  }
  const value = take()
  noteNew(call)
  const written = journal.write({ kind: 'decision', path, value: value as JsonData })
  if (written instanceof Promise) written.catch((error: unknown) => warnUnrecorded(path, error))
  return value
}

/** A write that is not awaited has failed. */
export function warnUnrecorded(path: string, error: unknown): void {
  warn(undefined, `The journal could not record '${path}': ${error instanceof Error ? error.message : String(error)}`)
}
