import type { DoorRun } from '../runtime/durable-call.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { CallEnd } from './parked-call.ts'

/**
 * The durable run of one call, as the door names it. A receipt is the word of a tool as soon as a tool can fail with one: it may name the run of
 * somebody else. So people are asked about the run that the door began or found for this call, and about no other.
 */
export class OwnRun {
  #id: string | undefined

  /** For the rules of the door. */
  readonly onRun = ({ id }: Pick<DoorRun, 'id'>): void => {
    this.#id = id
  }

  /** The id of the run, where this result is its receipt. */
  receiptIn(result: ToolResult): string | undefined {
    const pending = result.ok ? undefined : result.error.pending
    return pending !== undefined && pending.server === undefined && pending.run === this.#id ? this.#id : undefined
  }

  /** The same, where the run waits for people. */
  waitingIn(result: ToolResult): string | undefined {
    return !result.ok && result.error.pending?.waitsFor === 'person' ? this.receiptIn(result) : undefined
  }
}

/** The end of a round of a durable call. */
export interface RunEnd {
  readonly end: CallEnd
  /** The run of the call, where it waits for people. */
  readonly waiting: string | undefined
}
