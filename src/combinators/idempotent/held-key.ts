import type { Clock } from '../../tool/ports/clock.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { KeyUse } from './claim-key.ts'
import { underWay } from '../../tool/seam/waiting.ts'
import { isAsking, isDurable, isRecorded, type Whole } from '../../tool/seam/whole.ts'

/** How long the end of a call waits for its store. */
const LONGEST_SETTLING_MS = 10_000
/** A durable run holds its key as long as answers are kept: until the store knows the end, no other call gets it. */
const LONGEST_DURABLE_SETTLING_MS = 300_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5000

/** Whether the store accepted the end. `lost`: another call holds the key now. `failed`: the store is down. */
export type Settling = 'kept' | 'lost' | 'failed'

/** A key that this call holds, renewed until it is settled. */
export class HeldKey {
  readonly #whole: Whole
  readonly #use: KeyUse
  readonly #fence: number
  #stop: (() => void) | undefined
  #isOver = false

  constructor(whole: Whole, use: KeyUse, fence: number) {
    this.#whole = whole
    this.#use = use
    this.#fence = fence
    if (!isDurable(whole)) this.#arm()
  }

  /** Keeps the answer, or frees the key if the tool had no effect. */
  settle(result: JsonData | undefined): Promise<Settling> {
    const { store, key } = this.#use
    return this.#end(() => store.settle(key, this.#fence, result))
  }

  /** It is not known whether the tool took effect. */
  leaveOpen(): Promise<Settling> {
    const { store, key } = this.#use
    return this.#end(() => store.renew(key, this.#fence, 0))
  }

  #arm(): void {
    this.#stop = this.#whole.clock.timer(this.#use.claim.leaseMs / 3, () => void this.#renew())
  }

  /** A recorded run that waits for a person may be parked for days without renewals, so it holds the key for the whole time. */
  async #renew(): Promise<void> {
    const { store, key, claim } = this.#use
    const mayPark = isRecorded(this.#whole) && isAsking(this.#whole)
    let isHeld = true
    try {
      isHeld = await store.renew(key, this.#fence, mayPark ? claim.keepMs : claim.leaseMs)
    } catch {
      // The next renewal may succeed.
    }
    if (isHeld && !mayPark && !this.#isOver) this.#arm()
  }

  /** Also after the deadline, and retried if it fails; but a store that is down does not block the call for ever. */
  async #end(tell: () => Promise<boolean>): Promise<Settling> {
    this.#isOver = true
    this.#stop?.()
    const { clock } = this.#whole
    let isLate = false
    let stop: (() => void) | undefined
    const late = new Promise<Settling>((resolve) => {
      stop = clock.timer(isDurable(this.#whole) ? LONGEST_DURABLE_SETTLING_MS : LONGEST_SETTLING_MS, () => {
        isLate = true
        resolve('failed')
      })
    })
    try {
      return await underWay(this.#whole, () => Promise.race([late, telling(tell, clock, () => isLate)]))
    } finally {
      stop?.()
    }
  }
}

/** Repeating is safe: the store checks the fence. */
async function telling(tell: () => Promise<boolean>, clock: Clock, isLate: () => boolean): Promise<Settling> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return (await tell()) ? 'kept' : 'lost'
    } catch {
      if (isLate()) return 'failed'
    }
    await new Promise<void>((resolve) => void clock.timer(pause, resolve))
  }
}
