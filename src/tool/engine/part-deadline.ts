import type { JsonData } from '../journal/codec.ts'
import type { Call } from './call.ts'
import { diverged, warnUnrecorded } from './decide.ts'
import { readEntry } from './journal-access.ts'
import { DEADLINE } from './replay.ts'
import { type Closure, type Guard, NOT_GUARDING, Scope } from './scope.ts'

/** The recorded time of a part. */
interface PartTime {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  readonly ms: number
  /** The time is up: it stays so, however the time is counted later. */
  readonly isOver?: boolean
}

/**
 * The deadline of a compound part that declares one. Its time counts over all segments of a recorded run, so its start and its end by time-
 * out are recorded. Time spent waiting for people does not count.
 */
export class PartDeadline implements Guard {
  readonly scope: Scope
  readonly isBusy = false
  place = NOT_GUARDING
  readonly #parent: Call
  readonly #path: string
  readonly #time: PartTime

  constructor(parent: Call, path: string, ms: number) {
    const { clock } = parent.root
    const recorded = recordedTime(parent, `${path}${DEADLINE}`)
    this.#parent = parent
    this.#path = `${path}${DEADLINE}`
    this.#time = recorded ?? { at: clock.now(), ms }
    if (recorded === undefined) this.#record(this.#time)
    this.scope = new Scope(clock, recorded === undefined ? ms : timeLeft(parent, path, recorded), parent.scope)
    if (this.#time.isOver !== true) this.scope.enter(this)
  }

  /** The part has ended. */
  end(): void {
    this.scope.leave(this)
  }

  onClosed({ kind }: Closure): void {
    // The end of the call around it is not a time-out of the part.
    if (kind === 'deadline' && this.#parent.scope.closed === undefined) this.#record({ ...this.#time, isOver: true })
  }

  /** Not awaited: later records are written after it. */
  #record(time: PartTime): void {
    try {
      const written = this.#parent.journal?.write({ kind: 'decision', path: this.#path, value: { ...time } as unknown as JsonData })
      if (written instanceof Promise) written.catch((error: unknown) => warnUnrecorded(this.#path, error))
    } catch {
      // Nothing new begins with this journal, so no time passes.
    }
  }
}

function recordedTime(parent: Call, place: string): PartTime | undefined {
  const recorded = readEntry(parent, place)
  if (recorded === undefined) return undefined
  if (recorded.kind !== 'decision') throw diverged(parent, place, 'a deadline', `a ${recorded.kind}`)
  return recorded.value as unknown as PartTime
}

function timeLeft(parent: Call, path: string, { at, ms, isOver = false }: PartTime): number {
  const now = parent.root.clock.now()
  return isOver ? 0 : Math.max(0, ms - (now - at) + waitedForPeople(parent, path, now))
}

/** The time during which at least one person was waited for inside this path. */
function waitedForPeople({ root }: Call, path: string, now: number): number {
  const waits = (root.replay?.recordedIn(path) ?? [])
    .filter((entry) => entry.kind === 'review')
    .flatMap(({ at, decidedAt, decision }) =>
      at === undefined ? [] : [{ from: at, to: decidedAt ?? (decision === undefined ? now : at) }],
    )
    .toSorted((a, b) => a.from - b.from)
  let waited = 0
  let until = 0
  for (const { from, to } of waits) {
    waited += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return waited
}
