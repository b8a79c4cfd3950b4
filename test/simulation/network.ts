import type { RandomStream } from '../programs/random-stream.ts'

/** How the way to the database is. Shares are from 0 to 1, times in milliseconds. */
export interface NetworkPlan {
  /** Statements that never arrive. */
  readonly lost: number
  /** Statements whose answer never arrives. */
  readonly unanswered: number
  /** The same, for commits. */
  readonly unansweredCommits: number
  /** Statements that take longer than a worker may be silent. */
  readonly stuck: number
  /** Statements on a connection that has fallen silent: neither side is told. Only where something bounds the wait for an answer. */
  readonly swallowed: number
  readonly lostNotices: number
  readonly slow: number
  readonly slowMs: number
  readonly usualMs: number
}

export const FAULTLESS: Omit<NetworkPlan, 'slow' | 'slowMs' | 'usualMs'> = {
  lost: 0,
  unanswered: 0,
  unansweredCommits: 0,
  stuck: 0,
  swallowed: 0,
  lostNotices: 0,
}

const COMMITS_SLOWLY = 0.3

/** The way between processes and database, with a stream of its own for what goes wrong on it. */
export class Network {
  readonly #plan: NetworkPlan
  readonly #times: RandomStream
  readonly #faults: RandomStream

  constructor(plan: NetworkPlan, times: RandomStream, faults: RandomStream) {
    this.#plan = plan
    this.#times = times
    this.#faults = faults
  }

  /** How long one way takes. */
  trip(): number {
    const { stuck, slow, slowMs, usualMs } = this.#plan
    if (this.#faults.chance(stuck)) return this.#faults.between(9_000, 25_000)
    return this.#times.chance(slow) ? this.#times.between(0, slowMs) : this.#times.between(0.02, usualMs)
  }

  /** How long a statement that changed something holds what it has locked, until it is committed. Most take no time that matters. */
  commitMs(): number {
    const { slow, slowMs, usualMs } = this.#plan
    if (!this.#times.chance(COMMITS_SLOWLY)) return 0
    return this.#times.chance(slow) ? this.#times.between(0, slowMs) : this.#times.between(0.02, usualMs)
  }

  /** What becomes of a statement. */
  fate(text: string): 'arrives' | 'lost' | 'unanswered' | 'swallowed' {
    const { lost, unanswered, unansweredCommits, swallowed } = this.#plan
    const faults = this.#faults
    if (faults.chance(lost)) return 'lost'
    if (faults.chance(swallowed)) return 'swallowed'
    return faults.chance(text === 'COMMIT' ? unansweredCommits : unanswered) ? 'unanswered' : 'arrives'
  }

  isNoticeLost(): boolean {
    return this.#faults.chance(this.#plan.lostNotices)
  }
}
