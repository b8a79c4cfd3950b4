import type { Clock } from '../../tool/ports/clock.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import { ParkedCall, type ParkedOptions } from '../parked-call.ts'
import { ParkedCalls } from '../parked-calls.ts'
import { FormsOf } from './heard-form.ts'
import type { ProgressReports } from './progress-reports.ts'
import { type WaitingLimits, waitingLimits } from './waiting-limits.ts'

/** A call between two requests of a client. */
export interface OpenCall {
  readonly parked: ParkedCall
  readonly progress: ProgressReports
  readonly formsOf: (request: ReviewRequest) => FormsOf
}

interface KeptCall {
  readonly call: OpenCall
  /** The tool and its arguments: a request that continues the call must be about the same. */
  readonly subject: string
}

/** The calls of one server that have not ended: those that run, and those that wait for people while no request of the client does. */
export class OpenCalls {
  readonly #running = new Set<ParkedCall>()
  readonly #waiting: ParkedCalls<KeptCall>
  #isClosed = false

  constructor(expiryMs: number, clock?: Clock, { maxCalls, maxCallsPerCaller }: WaitingLimits = waitingLimits()) {
    this.#waiting = new ParkedCalls({
      expiryMs,
      maxCalls,
      maxPerOwner: maxCallsPerCaller,
      clock,
      onDrop: ({ call }, cause) =>
        call.parked.cancel(cancelled(cause === 'expired' ? 'Nobody decided in time.' : 'Too many calls wait for people.')),
    })
  }

  /** Of a request that was given up already, nothing runs. */
  begin(progress: ProgressReports, run: (options: ParkedOptions) => Promise<ToolResult>, wanted?: AbortSignal): OpenCall {
    const signal = this.#isClosed ? AbortSignal.abort(cancelled(GONE)) : wanted
    const parked = new ParkedCall(run, { signal, onOver: () => this.#running.delete(parked) })
    this.#running.add(parked)
    let forms: WeakMap<ReviewRequest, FormsOf> | undefined
    const formsOf = (request: ReviewRequest): FormsOf => {
      const known = forms?.get(request) ?? new FormsOf(request)
      forms = (forms ?? new WeakMap()).set(request, known)
      return known
    }
    return { progress, parked, formsOf }
  }

  /** The subject of a call that waits; undefined where none has this key. */
  subjectOf(key: string): string | undefined {
    return this.#waiting.get(key)?.subject
  }

  /** Gives the call to the caller alone, who then ends it or keeps it again. */
  take(key: string): OpenCall | undefined {
    return this.#waiting.take(key)?.call
  }

  /** Returns the key by which the client continues the call. It is good for this wait alone. `caller` shares the places with others. */
  keep(call: OpenCall, subject: string, caller?: string): string {
    const key = crypto.randomUUID()
    this.#waiting.keep({ call, subject }, [key], caller)
    return key
  }

  /** Cancels the calls that run or wait, and those that begin later. */
  close(): void {
    this.#isClosed = true
    this.#waiting.close()
    for (const parked of this.#running) parked.cancel(cancelled(GONE))
  }
}

const GONE = 'The client has gone.'

function cancelled(why: string): DOMException {
  return new DOMException(why, 'AbortError')
}
