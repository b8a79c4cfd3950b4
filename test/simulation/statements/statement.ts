import type { LockMode } from '../row-locks.ts'
import type { Transaction } from '../transaction.ts'

/** What a statement gives: its rows, or how many it changed. */
export type Outcome = readonly object[] | number

export type Parameters = readonly unknown[]

export interface LockRequest {
  readonly mode: LockMode
  readonly rows: readonly string[]
  /** Rows that others hold are left out, and not waited for. */
  readonly skipsLocked?: boolean
}

type Locks = (given: Parameters, on: Transaction) => LockRequest

/** What a statement of the engine does, for one text of it. A statement whose text is not known here, to the letter, is refused. */
export interface Statement {
  readonly name: string
  /** White space does not count. */
  readonly text: string
  /** Its answer depends on what time it is: another database at another time answers otherwise. */
  readonly isTimed?: boolean
  /** The rows that it locks before it looks at them again: those that it finds when it begins. */
  readonly locks?: Locks
  /** The rows that it locks when it has those. */
  readonly thenLocks?: Locks
  /** `locked` are the rows that it has got. */
  readonly run: (on: Transaction, given: Parameters, locked: readonly string[]) => Outcome
}

/** The lock on the row of one run. */
export function onRun(given: Parameters): LockRequest {
  return { mode: 'exclusive', rows: [`run ${String(given[0])}`] }
}

/** An error of the database, with its SQLSTATE. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The text as statements are compared: without white space that does not count. */
export function plainText(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
