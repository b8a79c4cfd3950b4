import type { CallFinished, CallInfo, ToolEvent } from '../event.ts'
import type { Usage } from '../result.ts'
import type { Call } from './call.ts'
import { logEvent } from './log-event.ts'
import type { SettledResult } from './settled.ts'

/** Tells everybody who listens. A listener that throws is reported as a process warning, and the call goes on. */
export function announce(call: Call, event: ToolEvent): void {
  const { root } = call
  for (const listener of root.listeners ?? []) {
    try {
      if (typeof listener === 'function') listener(event)
      else listener.onEvent(event)
    } catch (error) {
      warn(error)
    }
  }
  if (root.options.log !== undefined) logEvent(root.options.log, event, call)
}

/** An event without what every event has. */
type Body<E> = E extends ToolEvent ? Omit<E, 'at' | 'call'> : never

export function announceNow(call: Call, body: Body<Exclude<ToolEvent, CallFinished>>): void {
  announce(call, { ...body, at: call.root.clock.now(), call } as ToolEvent)
}

/** Texts are masked when they are read. */
class Finished implements CallFinished {
  readonly type = 'call.finished'
  readonly at: number
  readonly call: Call
  readonly durationMs: number
  readonly #result: SettledResult

  constructor(call: Call, result: SettledResult) {
    this.call = call
    this.at = call.endedAt
    this.durationMs = call.root.clock.tick() - call.startedAt
    this.#result = result
  }

  get outcome(): CallFinished['outcome'] {
    if (this.fatal) return 'error'
    return this.#result.ok ? 'success' : this.#result.thrown ? 'error' : 'failure'
  }
  get text(): string {
    const { fatal } = this.call
    return this.call.maskText(fatal === undefined ? this.#result.text : `Error: ${fatal instanceof Error ? fatal.message : String(fatal)}`)
  }
  get error(): CallFinished['error'] {
    if (this.#result.ok || this.fatal) return undefined
    const { cause: _cause, ...error } = this.#result.error
    return { ...error, message: this.call.maskText(error.message) }
  }
  get usage(): Usage | undefined {
    return this.#result.usage
  }
  get fatal(): boolean {
    return this.call.fatal !== undefined
  }
  get replayed(): boolean {
    return this.call.replayed
  }
}

export function announceEnd(call: Call, result: SettledResult): void {
  announce(call, new Finished(call, result))
}

/** Runs a tool's function inside whatever the observers put around it. */
export function surround(call: Call, run: () => unknown): unknown {
  let wrapped = run
  for (const listener of call.root.listeners ?? []) {
    if (typeof listener === 'function' || listener.around === undefined) continue
    const inner = wrapped
    const around = listener.around.bind(listener) as (info: CallInfo, next: () => unknown) => unknown
    wrapped = () => around(call, inner)
  }
  return wrapped()
}

function warn(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  process.emitWarning(`A listener of tool events threw: ${message}`, 'ToolwrightWarning')
}
