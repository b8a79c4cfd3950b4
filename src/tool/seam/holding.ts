import { onLeave, type Whole } from './whole.ts'

/** What a call holds in its process, such as a place among the calls of a tool. It is given back once: by the call, or when its run leaves. */
export class Holding<End> {
  readonly #giveBack: (end: End | undefined) => void
  #stay: (() => void) | undefined
  #isOver = false

  constructor(whole: Whole, giveBack: (end: End | undefined) => void) {
    this.#giveBack = giveBack
    this.#stay = onLeave(whole, () => this.release(undefined))
  }

  release(end: End | undefined): void {
    this.#stay?.()
    this.#stay = undefined
    if (this.#isOver) return
    this.#isOver = true
    this.#giveBack(end)
  }
}
