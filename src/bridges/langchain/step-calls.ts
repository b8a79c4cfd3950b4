import { setImmediate } from 'node:timers/promises'

/** The calls of one step of a graph, while they run. */
export class StepCalls {
  readonly #moving = new Set<object>()
  readonly #waiting = new Set<() => void>()

  /** Runs one call. */
  async during<T>(run: (call: object) => Promise<T>): Promise<T> {
    const call = {}
    this.#moving.add(call)
    try {
      return await run(call)
    } finally {
      this.#moving.delete(call)
      this.changed()
    }
  }

  /** Waits until something is so, or until every call waits like this one or has ended. */
  async rest(call: object, isSo: () => boolean): Promise<void> {
    if (isSo()) return
    // The calls of a step begin in the same turn.
    await setImmediate()
    this.#moving.delete(call)
    this.changed()
    while (!isSo() && this.#moving.size > 0) await new Promise<void>((resolve) => this.#waiting.add(resolve))
  }

  /** Those who wait look again. */
  changed(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
