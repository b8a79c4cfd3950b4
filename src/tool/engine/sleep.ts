import { type Duration, toMilliseconds } from '../duration.ts'
import type { Journal } from '../journal/journal.ts'
import type { Call } from './call.ts'
import { catchUp, mustCatchUp } from './catch-up.ts'
import { cutError } from './settle.ts'
import { diverged } from './decide.ts'
import { noteNew, readEntry, writeEntry } from './journal-access.ts'
import { checkLabel } from '../path.ts'
import { nothingBegins } from './nothing-begins.ts'
import { Cut, isCut, type Scope } from './scope.ts'

interface SleepOptions {
  readonly label: string
  /** The call's own by default. */
  readonly scope?: Scope | undefined
}

/**
 * Waits on the call's clock; a closing scope ends the wait as a failure. A replay waits only for the remaining time: a recorded sleep that
 * is over returns at once, even in a closed scope.
 */
export async function sleep(call: Call, duration: Duration, { label, scope = call.scope }: SleepOptions): Promise<void> {
  checkLabel(label)
  const ms = toMilliseconds(duration, 'A sleep')
  const isRecording = call.journal !== undefined && !call.behaviour.leaf
  call.began()
  try {
    const slept = isRecording ? await recordSleep(call, { ms, label, scope }) : { until: call.clock.now() + ms, isPast: false }
    await sleepUntil(call, scope, { ...slept, journal: isRecording ? call.journal : undefined })
  } catch (error) {
    throw isCut(error) ? cutError(error.closure, `'${call.tool}' was asleep`, 'failed') : error
  } finally {
    call.ended()
  }
}

/** A sleep that has begun. */
export interface Slept {
  readonly until: number
  /** It was recorded before the run was taken up. */
  readonly isPast: boolean
  /** The journal that counts it; undefined if it is part of a step that counts itself. */
  readonly journal?: Journal | undefined
}

interface NewSleep {
  readonly ms: number
  readonly label: string
  readonly scope: Scope
}

async function recordSleep(call: Call, { ms, label, scope }: NewSleep): Promise<Slept> {
  const { journal, clock } = call
  const path = `${call.path}/${call.nextLabel(label)}`
  const recorded = readEntry(call, path)
  if (recorded !== undefined) {
    if (recorded.kind !== 'sleep') throw diverged(call, path, 'a sleep', `a ${recorded.kind}`)
    // The step had come as far as this sleep, and goes no further.
    if (journal?.isClosed === true && recorded.until > clock.now()) throw nothingBegins()
    // Perhaps its time was not over when the run was put away.
    noteNew(call)
    return { until: recorded.until, isPast: true }
  }
  if (mustCatchUp(call, path)) await catchUp(call, path)
  if (scope.closed !== undefined) throw new Cut(scope.closed)
  const until = clock.now() + ms
  if (journal !== undefined) await writeEntry(call, { kind: 'sleep', path, until }, 'failed')
  return { until, isPast: false }
}

/** Sleeps for the time that remains; throws `Cut` if the scope closes before. */
export async function sleepUntil(call: Call, scope: Scope, { until, isPast, journal }: Slept): Promise<void> {
  const { clock } = call
  const remaining = until - clock.now()
  // A durable run has one clock, so nothing is recorded after a sleep that is not over.
  const replay = isPast && journal?.durable !== true ? call.root.replay : undefined
  const isOver = remaining <= 0 || (scope.closed !== undefined && replay?.isCatchingUpIn(call.path) === true)
  if (isOver && (isPast || scope.closed === undefined)) return
  // A run that is put away meanwhile is taken up when the time of a part is up, if that is earlier.
  const wakeAt = Math.min(until, clock.now() + scope.remainingMs)
  journal?.inFlight?.(1, wakeAt)
  replay?.waits(1)
  let stop: (() => void) | undefined
  try {
    await scope.race(new Promise<void>((resolve) => (stop = clock.timer(remaining, resolve))))
  } finally {
    stop?.()
    replay?.waits(-1)
    journal?.inFlight?.(-1, wakeAt)
  }
}
