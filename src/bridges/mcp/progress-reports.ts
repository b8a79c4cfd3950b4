import type { Notification, ProgressToken } from '@modelcontextprotocol/server'
import { durationText } from '../../tool/duration-text.ts'
import type { CallFinished, CallProgressed, ToolEvent } from '../../tool/event.ts'

type Notify = (notification: Notification) => Promise<void>

/** Sends the progress of a call to a client that asked for it: each step that ends, and each report of a tool. */
export class ProgressReports {
  #token: ProgressToken | undefined
  #notify: Notify | undefined
  /** The protocol wants it to rise with every report. */
  #progress: number | undefined
  #sent: Promise<unknown> = Promise.resolve()

  /** Resolves when all reports are sent: a report after the result is lost. */
  get sent(): Promise<unknown> {
    return this.#sent
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

  #ended({ call, outcome, durationMs }: CallFinished): void {
    this.#send({ message: `${call.path}: ${outcome === 'success' ? 'done' : outcome} (${durationText(durationMs)})` })
  }

  /** Figures of the call itself are sent as long as they rise; those of a step are part of the message. */
  #reported({ call, message, progress, total }: CallProgressed): void {
    if (call.parent === undefined && isFigure(progress) && (this.#progress === undefined || progress > this.#progress)) {
      this.#send({ message, total, progress })
      return
    }
    const figures = progress === undefined ? '' : total === undefined ? ` ${progress}` : ` ${progress} of ${total}`
    this.#send({ message: `${call.path}:${figures}${message === undefined ? '' : ` ${message}`}` })
  }

  #send({ message, total, progress = (this.#progress ?? 0) + 1 }: Report): void {
    this.#progress = progress
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

/** JSON has no other figures. */
function isFigure(value: number | undefined): value is number {
  return Number.isFinite(value)
}

interface Report {
  readonly message: string | undefined
  readonly total?: number | undefined
  readonly progress?: number
}
