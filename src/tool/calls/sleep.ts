import { type Duration, toMilliseconds } from '../duration.ts'
import type { Call } from './call.ts'
import { cutError } from './cut-error.ts'
import { diverged } from './decide.ts'
import { readEntry, writeEntry } from './journal-access.ts'
import { checkLabel } from './path.ts'
import { isCut, type Scope } from './scope.ts'

interface SleepOptions {
  readonly label: string
  /** The call's own by default. */
  readonly scope?: Scope | undefined
}

/** Waits on the call's clock; a closing scope ends the wait as a failure. A replay waits only for what is left. */
export async function sleep(call: Call, duration: Duration, { label, scope = call.scope }: SleepOptions): Promise<void> {
  const { journal, behaviour } = call
  const { clock } = call.root
  checkLabel(label)
  let until = clock.now() + toMilliseconds(duration, 'A sleep')
  if (journal !== undefined && !behaviour.leaf) {
    const path = `${call.path}/${call.nextLabel(label)}`
    const recorded = readEntry(journal, path)
    if (recorded === undefined) await writeEntry(journal, { kind: 'sleep', path, until }, 'failed')
    else if (recorded.kind === 'sleep') until = recorded.until
    else throw diverged(path, 'a sleep', `a ${recorded.kind}`)
  }
  const remaining = until - clock.now()
  if (remaining <= 0 && scope.closed === undefined) return
  call.began()
  if (!behaviour.leaf) journal?.inFlight?.(1, until)
  let stop: (() => void) | undefined
  try {
    await scope.race(new Promise<void>((resolve) => (stop = clock.timer(remaining, resolve))))
  } catch (error) {
    throw isCut(error) ? cutError(error.closure, `'${call.tool}' was asleep`, 'failed') : error
  } finally {
    stop?.()
    if (!behaviour.leaf) journal?.inFlight?.(-1, until)
    call.ended()
  }
}
