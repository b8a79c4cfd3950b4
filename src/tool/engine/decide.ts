import { ConfigurationError } from '../errors/configuration-error.ts'
import { decode, encode, type JsonData } from '../journal/codec.ts'
import { checkLabel } from '../path.ts'
import type { Call } from './call.ts'
import { catchUp, mustCatchUp } from './catch-up.ts'
import { cutError } from './settle.ts'
import { readEntry, writeEntry } from './journal-access.ts'
import { PATCHED } from './replay.ts'
import { isCut } from './scope.ts'
import { underWay } from './under-way.ts'

/** Chooses once: what the journal holds is not chosen again. A leaf is one step, and simply chooses. */
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

/** A choice that has to be waited for ends with its scope; one that is made at once may still be made after that. */
async function inTime<T>(call: Call, choose: () => T | Promise<T>): Promise<T> {
  const choice = choose()
  if (!(choice instanceof Promise)) return choice
  try {
    return await call.scope.race(choice)
  } catch (error) {
    throw isCut(error) ? cutError(error.closure, `'${call.tool}' was deciding`, 'failed') : error
  }
}

/** The record and the program disagree about what happens at a path: going on could repeat an effect. */
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
 * Whether a compound takes the new way of a change in its program: true for a run that has not come past the change yet, false for one that
 * had recorded something after it. The answer is recorded, so that every later look gives the same.
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
  // It does not wait until the run has caught up: what is not visited yet may be the old way.
  const isNew = root.replay?.isCatchingUp !== true
  await underWay(call, () => writeEntry(call, { kind: 'decision', path, value: isNew }, 'failed'))
  return isNew
}

/**
 * What a compound reads off the world at once: a time, an id, a random number. A recorded run takes each only once. The record need not be
 * waited for: a journal keeps the order of what is written, so that no effect is recorded before what it follows from.
 */
export function recordedValue<T extends string | number>(call: Call, label: 'now' | 'id' | 'random', take: () => T): T {
  const { journal } = call
  if (journal === undefined || call.behaviour.leaf) return take()
  const path = `${call.path}:${call.nextLabel(`.${label}`).slice(1)}`
  const recorded = readEntry(call, path)
  if (recorded !== undefined) {
    if (recorded.kind !== 'decision') throw diverged(call, path, `a ${label}`, `a ${recorded.kind}`)
    return recorded.value as T
  }
  const value = take()
  const written = journal.write({ kind: 'decision', path, value: value as JsonData })
  if (written instanceof Promise) written.catch((error: unknown) => warnUnrecorded(path, error))
  return value
}

/** What nobody waits for could not be recorded. */
export function warnUnrecorded(path: string, error: unknown): void {
  process.emitWarning(
    `The journal could not record '${path}': ${error instanceof Error ? error.message : String(error)}`,
    'ToolwrightWarning',
  )
}
