import type { CallInfo, Observer, ToolEvent } from '../tool/event.ts'

interface Doing {
  children: number
  asking: number
}

/** Watches the calls of one run, to know when all of them wait for a person. */
export class Activity implements Observer {
  readonly #active = new Map<CallInfo, Doing>()
  readonly #changed: () => void

  /** `changed` is called at every event after which the run may be still. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Every call that has no part under way waits for a person. A call between two parts is not still. */
  get isStill(): boolean {
    return [...this.#active.values()].every(({ children, asking }) => children > 0 || asking > 0)
  }

  onEvent({ type, call }: ToolEvent): void {
    const parent = call.parent === undefined ? undefined : this.#active.get(call.parent)
    if (type === 'call.started') {
      this.#active.set(call, { children: 0, asking: 0 })
      if (parent !== undefined) parent.children++
    } else if (type === 'call.finished') {
      if (this.#active.delete(call) && parent !== undefined) parent.children--
    } else {
      const own = this.#active.get(call)
      if (own === undefined) return
      if (type === 'review.requested') own.asking++
      if (type === 'review.decided') own.asking--
    }
    this.#changed()
  }
}
