import { backoff } from '../../../policies/backoff.ts'
import { type CancelTimer, type Clock, systemClock } from '../../../tool/ports/clock.ts'
import { unreferencedTimer } from '../../unreferenced-timer.ts'

const WAITS = backoff({ attempts: Number.MAX_SAFE_INTEGER, base: '1s', max: '60s' })
const MOST_COUNTED = 30

interface AttemptParts {
  readonly clock: Clock
  readonly random: () => number
  /** Rejects where it has to be tried again. */
  readonly attempt: () => Promise<void>
}

/** Tries something again and again in the background, with pauses that grow up to a minute. It does not keep the program alive. */
export class BackgroundAttempts {
  readonly #parts: AttemptParts
  #failures = 0
  #waiting: CancelTimer | undefined
  #isWanted = false
  #isClosed = false

  constructor(parts: AttemptParts) {
    this.#parts = parts
  }

  /** Begins with a pause. What is begun while an attempt is under way follows it. */
  begin(): void {
    if (this.#isClosed) return
    this.#isWanted = true
    if (this.#waiting !== undefined) return
    const { clock, random } = this.#parts
    const timer = clock === systemClock ? unreferencedTimer : clock.timer.bind(clock)
    const waitMs = WAITS.waitAfter(Math.min(++this.#failures, MOST_COUNTED), { class: 'transient' }, random()) ?? 0
    this.#waiting = timer(waitMs, () => void this.#attempt())
  }

  async #attempt(): Promise<void> {
    this.#isWanted = false
    try {
      await this.#parts.attempt()
    } catch {
      this.#isWanted = true
    }
    this.#waiting = undefined
    if (this.#isWanted) this.begin()
  }

  /** The next pause is the first one again. */
  wentWell(): void {
    this.#failures = 0
  }

  close(): void {
    this.#isClosed = true
    this.#waiting?.()
  }
}
