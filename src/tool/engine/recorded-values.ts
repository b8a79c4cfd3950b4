import type { JsonData } from '../journal/codec.ts'
import type { Call } from './call.ts'
import { diverged } from './decide.ts'
import { readEntry } from './journal-access.ts'

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
