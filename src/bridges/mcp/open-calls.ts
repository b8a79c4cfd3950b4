import { type CancelTimer, type Clock, systemClock } from '../../tool/clock.ts'
import { ParkedCall, type ParkedOptions } from '../../review/parked-call.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import type { ProgressReports } from './progress.ts'

/** A call between two requests of a client. */
export interface OpenCall {
  readonly parked: ParkedCall
  readonly progress: ProgressReports
}

interface KeptCall {
  readonly call: OpenCall
  /** The tool and its arguments: a request that takes the call up again must be about the same. */
  readonly subject: string
  readonly stopTimer: CancelTimer
}

const MOST_OPEN = 256

/**
 * The calls that are not over. Those that wait for people while no request of the client does are given up after a while, the oldest first
 * where there are too many.
 */
export class OpenCalls {
  readonly #clock: Clock
  readonly #keptMs: number
  readonly #running = new Set<ParkedCall>()
  readonly #calls = new Map<string, KeptCall>()
  #closed = false

  constructor(keptMs: number, clock: Clock = systemClock) {
    this.#keptMs = keptMs
    this.#clock = clock
  }

  begin(progress: ProgressReports, run: (options: ParkedOptions) => Promise<ToolResult>): OpenCall {
    const parked = new ParkedCall(run)
    if (this.#closed) parked.cancel(givenUp(GONE))
    this.#running.add(parked)
    void parked.over.then(() => this.#running.delete(parked))
    return { progress, parked }
  }

  /** What an open call is about; undefined where there is none. */
  subjectOf(id: string): string | undefined {
    return this.#calls.get(id)?.subject
  }

  /** Takes the call out: whoever has it looks after it. */
  take(id: string): OpenCall | undefined {
    const kept = this.#calls.get(id)
    kept?.stopTimer()
    this.#calls.delete(id)
    return kept?.call
  }

  /** Gives the key by which the call is taken up. It holds for this wait alone. */
  keep(call: OpenCall, subject: string): string {
    const id = crypto.randomUUID()
    if (this.#closed) return id
    const [oldest] = this.#calls.keys()
    if (oldest !== undefined && this.#calls.size >= MOST_OPEN) this.#giveUp(oldest, 'Too many calls wait for people.')
    this.#calls.set(id, { call, subject, stopTimer: this.#clock.timer(this.#keptMs, () => this.#giveUp(id, 'Nobody decided in time.')) })
    return id
  }

  /** For good: whatever runs or waits is given up, what would begin or be kept later too, and no timer is left. */
  close(): void {
    this.#closed = true
    for (const id of [...this.#calls.keys()]) this.take(id)
    for (const parked of this.#running) parked.cancel(givenUp(GONE))
  }

  #giveUp(id: string, why: string): void {
    this.take(id)?.parked.cancel(givenUp(why))
  }
}

const GONE = 'The client has gone.'

function givenUp(why: string): DOMException {
  return new DOMException(why, 'AbortError')
}
