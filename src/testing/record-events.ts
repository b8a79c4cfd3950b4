import type { Observer, ToolEvent } from '../tool/event.ts'

/** A listener that keeps every event. */
export interface EventRecorder extends Observer {
  readonly events: readonly ToolEvent[]
  /** `type path`, one for each event: enough to compare the course of two runs. */
  readonly summary: () => readonly string[]
}

/**
 * Records the events of a call. Pass it as `on`.
 * @example
 * const recorder = recordEvents()
 * await greet.call({ name: 'Ada' }, { on: recorder })
 * console.log(recorder.summary()) // ['call.started greet', 'call.finished greet']
 */
export function recordEvents(): EventRecorder {
  const events: ToolEvent[] = []
  return {
    events,
    onEvent: (event) => {
      events.push(event)
    },
    summary: () => events.map(({ type, call }) => `${type} ${call.path}`),
  }
}
