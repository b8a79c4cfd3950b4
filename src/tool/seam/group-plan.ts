import type { KnownPart } from '../engine/known-part.ts'
import type { SettledResult } from '../result/settled.ts'

/** Parts that run side by side. */
export interface Group {
  /** In the order in which they begin. */
  readonly parts: readonly KnownPart[]
  /** How many run at the same time. */
  readonly limit: number
  /** Makes the input of a part from that of the group: a pure function. If it throws, the part fails. */
  readonly inputOf?: ((position: number, input: never) => unknown) | undefined
  /** When the group ends before all of its parts have. Without one, all run to their end. */
  readonly rule?: EndRule | undefined
  /** Each part can be cancelled by itself. A group with a rule, or in a scope that it shares, needs that. */
  readonly isApart?: boolean | undefined
  /** Added to the labels of the records of the group, where the whole may have several groups. */
  readonly suffix?: string | undefined
  /** Each part has this time at most. Only of parts that can be cancelled by themselves. */
  readonly partMs?: number | undefined
  /** If the caller or the clock has ended the whole, parts that would be refused are left out. */
  readonly leavesOutRefused?: boolean | undefined
}

export interface EndRule {
  /** Asked after each result. */
  readonly after: (latest: SettledResult, standing: Standing) => 'go on' | 'begin no more' | 'end'
  /** Results that arrive in another order, or at other times, lead to the same end: a group that came to its end by itself needs no record of it. */
  readonly isOrderFree?: boolean | undefined
  /** The group ends when this time is up. */
  readonly afterMs?: number | undefined
  /** Of several successes that come back together only the first in order counts. */
  readonly keepsOne?: boolean | undefined
}

/** The state of the parts so far. */
interface Standing {
  readonly succeeded: number
  readonly underWay: number
  /** How many may still begin. */
  readonly toCome: number
  /** The caller or the clock has ended the whole. */
  readonly isClosed: boolean
}

export interface GroupResults {
  /** By the position of the part; undefined for one that had not ended. */
  readonly results: readonly (SettledResult | undefined)[]
  /** The labels of the parts that were under way when the group ended. They were cancelled, and undid themselves as far as they could. */
  readonly cancelled: readonly string[]
  /** The rule or the time ended it, or could have: its end is recorded. */
  readonly isEarly: boolean
}
