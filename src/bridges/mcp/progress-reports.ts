import type { Notification, ProgressToken } from '@modelcontextprotocol/server'
import type { DoorRun } from '../../runtime/durable-call.ts'
import { durationText } from '../../tool/duration-text.ts'
import type { CallFinished, CallProgressed, ToolEvent } from '../../tool/event.ts'
import { type Clock, systemClock } from '../../tool/ports/clock.ts'

type Notify = (notification: Notification) => Promise<void>

/** Enough for a client that is idle: with 5 ms some reports were lost, with 20 ms none of hundreds. */
const READING_MS = 20

/** So little that thousands of them are less than one step of a tool. */
const BEAT = 2 ** -16

const NOTHING = Promise.resolve()

/** Sends the progress of a call to a client that asked for it: each step that ends, and each report of a tool. */
export class ProgressReports {
  #token: ProgressToken | undefined
  #notify: Notify | undefined
  /** The protocol wants it to rise with every report. */
  #progress: number | undefined
  #sent: Promise<unknown> = NOTHING
  #lastAt: number | undefined
  readonly #clock: Clock

  /** The clock is that of the connection, not of the calls. */
  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** A report was sent: the client may still have to read it. */
  get hasSent(): boolean {
    return this.#lastAt !== undefined
  }

  /** Resolves when all reports are sent and a client has had the time to read the last one by itself: many lose a report that they read together with the result. */
  get sent(): Promise<unknown> {
    return this.#sent.then(() => this.#read())
  }

  #read(): Promise<void> | undefined {
    const left = this.#lastAt === undefined ? 0 : this.#lastAt + READING_MS - this.#clock.tick()
    return left > 0 ? new Promise((resolve) => void this.#clock.timer(left, resolve)) : undefined
  }

  /** Reports go to the request that waits now. */
  to(token: ProgressToken | undefined, notify: Notify): void {
    this.#token = token
    this.#notify = notify
  }

  onEvent(event: ToolEvent): void {
    if (this.#token === undefined) return
    if (event.type === 'call.progressed') this.#reported(event)
    else if (event.type === 'call.finished' && event.call.parent !== undefined && event.counts) this.#ended(event)
  }

  /** Says that the call waits for a person. Figures of the call that come later still rise. */
  beat(): void {
    if (this.#token !== undefined) this.#send({ message: 'Waits for a person to decide.', progress: (this.#progress ?? 0) + BEAT })
  }

  /** Reports what happens in a durable run, until it stands still or the signal is aborted. */
  async follow(run: DoorRun, signal: AbortSignal): Promise<void> {
    try {
      for await (const event of run.events({ signal })) {
        if (event.type === 'step.finished') this.#send({ message: `${event.path}: ${event.ok ? 'done' : 'failed'}` })
        if (event.type === 'progress') this.#send({ message: messageOf(event) })
      }
    } catch {
      // The answer of the call tells what there is to tell.
    }
  }

  #ended({ call, outcome, durationMs }: CallFinished): void {
    this.#send({ message: `${call.path}: ${outcome === 'success' ? 'done' : outcome} (${durationText(durationMs)})` })
  }

  /** Figures of the call itself are sent as long as they rise; those of a step are part of the message. */
  #reported({ call, message, progress, total }: CallProgressed): void {
    if (call.parent === undefined && isFigure(progress) && (this.#progress === undefined || progress > this.#progress)) {
      this.#send({ message, total, progress })
      return
    }
    this.#send({ message: messageOf({ path: call.path, message, progress, total }) })
  }

  #send({ message, total, progress = (this.#progress ?? 0) + 1 }: Report): void {
    this.#progress = progress
    this.#lastAt = this.#clock.tick()
    const params = {
      progressToken: this.#token,
      progress,
      ...(isFigure(total) ? { total } : {}),
      ...(message === undefined ? {} : { message }),
    }
    // When a client has gone, the signal of its request is aborted.
    const sent = this.#notify?.({ method: 'notifications/progress', params }).catch(() => {})
    this.#sent = Promise.all([this.#sent, sent])
  }
}

interface Told extends Pick<CallProgressed, 'message' | 'progress' | 'total'> {
  readonly path: string
}

/** `refund/find_order: 3 of 7 looking` */
function messageOf({ path, message, progress, total }: Told): string {
  const figures = progress === undefined ? '' : total === undefined ? ` ${progress}` : ` ${progress} of ${total}`
  return `${path}:${figures}${message === undefined ? '' : ` ${message}`}`
}

/** JSON has no other figures. */
function isFigure(value: number | undefined): value is number {
  return Number.isFinite(value)
}

interface Report {
  readonly message: string | undefined
  readonly total?: number | undefined
  readonly progress?: number
}
