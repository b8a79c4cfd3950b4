import type { ToolEvent } from 'toolwright'
import { EXPIRY_MS } from './driver.ts'
import type { Shown } from './program.ts'

interface Waits {
  readonly shown: Shown
  readonly until: number
}

/** What waits in the memory of a process, as people were shown it: the peer has no list of it. */
export class Waiting {
  readonly #now: () => number
  /** When the gates of requests give up. They may ask long before they are shown. */
  readonly #patience = new Map<string, number>()
  readonly #waits = new Map<string, Waits>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Hears of the requests that are made. */
  readonly on = (event: ToolEvent): void => {
    if (event.type === 'review.requested') this.#patience.set(event.request.id, this.#now() + (event.request.timeoutMs ?? Infinity))
  }

  show(id: string, shown: Shown): void {
    this.#waits.set(id, { shown, until: Math.min(this.#now() + EXPIRY_MS, this.#patience.get(id) ?? Infinity) })
  }

  delete(id: string): void {
    this.#waits.delete(id)
  }

  clear(): void {
    this.#waits.clear()
  }

  get open(): ReadonlyMap<string, Shown> {
    return new Map([...this.#waits].flatMap(([id, { shown, until }]) => (until > this.#now() ? [[id, shown] as const] : [])))
  }
}
