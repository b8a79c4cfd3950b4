import { ConfigurationError } from '../errors/configuration-error.ts'
import { decode, encode } from '../journal/codec.ts'
import type { Call } from './call.ts'
import { catchUp, mustCatchUp } from './catch-up.ts'
import { cutError } from './cut-error.ts'
import { readEntry, writeEntry } from './journal-access.ts'
import { checkLabel } from '../path.ts'
import { isCut } from './scope.ts'

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
