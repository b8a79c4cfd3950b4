import type { Call } from '../../tool/calls/call.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { KeyUse } from './claim-key.ts'
import { isDurable } from './recorded-claim.ts'
import { underWay } from '../../tool/calls/under-way.ts'

/** How long the end of a call waits for its store. */
const LONGEST_SETTLING_MS = 10_000

/** Whether the store took the last word: somebody else may hold the key by now, or the store may be down. */
export type Settling = 'kept' | 'lost' | 'failed'

/** A key that this call holds, renewed until it is settled. */
export class HeldKey {
  readonly #call: Call
  readonly #use: KeyUse
  readonly #fence: number
  #stop: (() => void) | undefined
  #isOver = false

  constructor(call: Call, use: KeyUse, fence: number) {
    this.#call = call
    this.#use = use
    this.#fence = fence
    if (!isDurable(call.journal)) this.#arm()
  }

  /** Keeps the answer, or frees the key: it never took effect. */
  settle(result: JsonData | undefined): Promise<Settling> {
    const { store, key } = this.#use
    return this.#end(() => store.settle(key, this.#fence, result))
  }

  /** Nobody knows whether it took effect. */
  leaveOpen(): Promise<Settling> {
    const { store, key } = this.#use
    return this.#end(() => store.renew(key, this.#fence, 0))
  }

  #arm(): void {
    this.#stop = this.#call.root.clock.timer(this.#use.claim.leaseMs / 3, () => void this.#renew())
  }

  /** A recorded run that waits for a person may be parked for days, and nobody renews for it: it holds the key all the while. */
  async #renew(): Promise<void> {
    const { store, key, claim } = this.#use
    const mayPark = this.#call.journal !== undefined && this.#call.isAsking
    let isHeld = true
    try {
      isHeld = await store.renew(key, this.#fence, mayPark ? claim.keepMs : claim.leaseMs)
    } catch {
      // The next one may get through.
    }
    if (isHeld && !mayPark && !this.#isOver) this.#arm()
  }

  /** Also after the deadline; but a store that does not answer does not hold the call for ever. */
  async #end(tell: () => Promise<boolean>): Promise<Settling> {
    this.#isOver = true
    this.#stop?.()
    let stop: (() => void) | undefined
    const late = new Promise<Settling>((resolve) => {
      stop = this.#call.root.clock.timer(LONGEST_SETTLING_MS, () => resolve('failed'))
    })
    try {
      return await underWay(this.#call, () => Promise.race([late, telling(tell)]))
    } finally {
      stop?.()
    }
  }
}

async function telling(tell: () => Promise<boolean>): Promise<Settling> {
  try {
    return (await tell()) ? 'kept' : 'lost'
  } catch {
    return 'failed'
  }
}
