import type { JsonData } from '../journal/codec.ts'
import type { Call } from './call.ts'
import { diverged, warnUnrecorded } from './decide.ts'
import { readEntry } from './journal-access.ts'
import { DEADLINE } from './replay.ts'
import { type Closure, type Guard, NOT_GUARDING, Scope } from './scope.ts'

/** What is recorded of the time of a part. */
interface PartTime {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  readonly ms: number
  /** The time is up: it stays so, however the time is counted later. */
  readonly isOver?: boolean
}

/**
 * The deadline of a compound part that has one of its own. The time of a recorded run counts over all the segments of the run, so it is
 * recorded when the part began, and when its time was up. What it waited for people is not counted.
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
    // What ends the call around it is not the part's own.
    if (kind === 'deadline' && this.#parent.scope.closed === undefined) this.#record({ ...this.#time, isOver: true })
  }

  /** Nobody waits for it: what follows from it is recorded after it. */
  #record(time: PartTime): void {
    try {
      const written = this.#parent.journal?.write({ kind: 'decision', path: this.#path, value: { ...time } as unknown as JsonData })
      if (written instanceof Promise) written.catch((error: unknown) => warnUnrecorded(this.#path, error))
    } catch {
      // Nothing begins any more by this journal, and so nothing takes time.
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
  const waits = (root.replay?.reviewsIn(path) ?? [])
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
