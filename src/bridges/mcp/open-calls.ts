import { type CancelTimer, type Clock, systemClock } from '../../tool/clock.ts'
import { ParkedCall, type ParkedOptions } from '../../review/parked-call.ts'
import type { ToolResult } from '../../tool/result.ts'
import type { ProgressReports } from './progress.ts'

/** A call between two requests of a client. */
export interface OpenCall {
  readonly id: string
  /** The tool and its arguments: a request that takes the call up again must be about the same. */
  readonly subject: string
  readonly parked: ParkedCall
  readonly progress: ProgressReports
}

const MOST_OPEN = 256

/** The calls that wait for people while no request of the client does. They are given up after a while, the oldest first where there are too many. */
export class OpenCalls {
  readonly #clock: Clock
  readonly #keptMs: number
  readonly #calls = new Map<string, { readonly call: OpenCall; readonly stopTimer: CancelTimer }>()

  constructor(keptMs: number, clock: Clock = systemClock) {
    this.#keptMs = keptMs
    this.#clock = clock
  }

  begin({ subject, progress }: Pick<OpenCall, 'subject' | 'progress'>, run: (options: ParkedOptions) => Promise<ToolResult>): OpenCall {
    return { id: crypto.randomUUID(), subject, progress, parked: new ParkedCall(run) }
  }

  /** Takes the call out: whoever has it looks after it. */
  take(id: string): OpenCall | undefined {
    const kept = this.#calls.get(id)
    kept?.stopTimer()
    this.#calls.delete(id)
    return kept?.call
  }

  keep(call: OpenCall): void {
    const [oldest] = this.#calls.keys()
    if (oldest !== undefined && this.#calls.size >= MOST_OPEN) this.#giveUp(oldest, 'Too many calls wait for people.')
    this.#calls.set(call.id, { call, stopTimer: this.#clock.timer(this.#keptMs, () => this.#giveUp(call.id, 'Nobody decided in time.')) })
  }

  close(): void {
    for (const id of [...this.#calls.keys()]) this.#giveUp(id, 'The client has gone.')
  }

  #giveUp(id: string, why: string): void {
    this.take(id)?.parked.cancel(new DOMException(why, 'AbortError'))
  }
}
