import type { DatabaseBounds } from './database-bounds.ts'
import { RowLocks } from './row-locks.ts'
import { BEGINNING, type Scheduler, type SimulatedProcess } from './scheduler.ts'
import type { Connection } from './simulated-pool.ts'
import { findStatement } from './statements/find-statement.ts'
import { DatabaseError, type LockRequest, type Outcome, type Parameters } from './statements/statement.ts'
import { TABLE_NAMES, type TableName, type Tables } from './tables.ts'
import type { Transaction } from './transaction.ts'

export interface Listener {
  readonly owner: SimulatedProcess
  readonly hear: (kind: string, subject: string) => void
}

interface Answer {
  readonly rows: readonly object[]
  readonly rowCount: number
}

/** What a statement came to. */
export type Executed = Answer | { readonly error: Error }

/** Told of rows as they are committed. */
export type OnCommit = <N extends TableName>(table: N, before: Tables[N] | undefined, after: Tables[N] | undefined) => void

export interface DatabaseParts {
  readonly scheduler: Scheduler
  readonly bounds: DatabaseBounds
  /** How long the server waits before it looks for a deadlock. */
  readonly deadlockMs?: number
  /** Paths beyond it are refused, as an index refuses long ones. */
  readonly longestPath: number
  readonly onCommit: OnCommit
  readonly recorder?: StatementRecorder | undefined
  /** Brings a notice to a listener, or does not. */
  readonly deliver: (listener: Listener, note: string) => void
}

/** Told of each statement and transaction that came to an end, in this order. */
export interface StatementRecorder {
  readonly executed: (on: Transaction, executed: { readonly text: string; readonly given: Parameters; readonly came: Executed }) => void
  readonly ended: (on: Transaction, isCommitted: boolean) => void
}

const DEADLOCK_MS = 1000
const NOTHING: readonly string[] = []

/** The database of the engine in memory: tables, transactions, row locks and notices. It knows each statement by its text. */
export class MemoryDatabase {
  readonly tables: { readonly [N in TableName]: Map<string, Tables[N]> } = emptyTables()
  readonly listeners = new Set<Listener>()
  readonly connections = new Set<Connection>()
  readonly parts: DatabaseParts
  /** The runs of which a row was refused for good. */
  readonly refused = new Set<string>()
  /** What must never happen, and did. */
  readonly alarms = new Set<string>()
  statements = 0
  longestLockMs = 0
  readonly locks = new RowLocks()
  /** Those whose statement has waited for a lock: it sees what it does not lock as it was when it began. */
  readonly #waiting = new Set<Transaction>()
  #moment = 0
  #jobs = 0

  constructor(parts: DatabaseParts) {
    this.parts = parts
  }

  /** By its own clock, in milliseconds since the epoch. */
  get time(): number {
    return BEGINNING + this.parts.scheduler.now
  }

  nextMoment(): number {
    return ++this.#moment
  }

  nextJob(): string {
    return `00000000-0000-4000-8000-${(++this.#jobs).toString(16).padStart(12, '0')}`
  }

  /** Runs one statement; `done` is told when it has its locks and its answer, which may be never. */
  execute(on: Transaction, text: string, given: Parameters, done: (came: Executed) => void): void {
    this.statements++
    const end = (came: Executed): void => {
      if (this.#waiting.delete(on)) on.before = undefined
      if ('error' in came) on.hasFailed = true
      this.parts.recorder?.executed(on, { text, given, came })
      done(came)
    }
    if (on.hasFailed) return end({ error: new DatabaseError('25P02', 'current transaction is aborted') })
    const statement = findStatement(text)
    const { locks, thenLocks } = statement
    const answer = (locked: readonly string[]): void => {
      if (locked.length > 0) on.lockedAt ??= this.time
      try {
        end(answerOf(statement.run(on, given, locked)))
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error
        this.locks.release(on)
        end({ error })
      }
    }
    const take = (wanted: LockRequest | undefined, go: (locked: readonly string[]) => void): void => {
      if (wanted === undefined || wanted.rows.length === 0) return go(NOTHING)
      const { mode, skipsLocked = false } = wanted
      const rows = skipsLocked ? wanted.rows.filter((row) => this.locks.isFree(row, on, mode)) : wanted.rows
      const onWait = (): void => {
        this.#waiting.add(on)
        this.#watch(on, end)
      }
      this.locks.take(on, rows, mode, { go: () => go(rows), onWait })
    }
    if (locks === undefined && thenLocks === undefined) return answer(NOTHING)
    take(locks?.(given, on), (locked) => {
      if (thenLocks === undefined) answer(locked)
      else take(thenLocks(given, on), (more) => answer(more.length === 0 ? locked : [...locked, ...more]))
    })
  }

  commit(on: Transaction): void {
    this.parts.recorder?.ended(on, true)
    on.isCommitted = true
    if (on.changes !== undefined) for (const table of TABLE_NAMES) this.#apply(on, table)
    this.release(on)
    if (on.notes === undefined) return
    for (const note of on.notes) for (const listener of this.listeners) this.parts.deliver(listener, note)
  }

  /** Ends a transaction, and gives up its locks. What it changed is gone, unless it was committed. */
  release(on: Transaction): void {
    if (on.isOver) return
    on.isOver = true
    this.#waiting.delete(on)
    if (!on.isCommitted) this.parts.recorder?.ended(on, false)
    if (on.lockedAt !== undefined) this.longestLockMs = Math.max(this.longestLockMs, this.time - on.lockedAt)
    this.locks.release(on)
  }

  /** The server is killed and comes back: no connection survives. */
  restart(): void {
    for (const connection of [...this.connections]) connection.cut()
  }

  #apply<N extends TableName>(on: Transaction, table: N): void {
    const changed = on.changes?.get(table) as ReadonlyMap<string, Tables[N] | null> | undefined
    if (changed === undefined) return
    const rows = this.tables[table] as Map<string, Tables[N]>
    const { onCommit } = this.parts
    changed.forEach((row, id) => {
      const before = rows.get(id)
      if (this.#waiting.size > 0) for (const waiting of this.#waiting) waiting.keep(table, id, before)
      if (row === null) rows.delete(id)
      else rows.set(id, row)
      onCommit(table, before, row ?? undefined)
    })
  }

  /** A statement that waits for a lock fails after a while: in a deadlock, or when it has waited for too long. */
  #watch(on: Transaction, end: (came: Executed) => void): void {
    const { scheduler, bounds, deadlockMs = DEADLOCK_MS } = this.parts
    const fail = (error: DatabaseError): void => {
      on.waitsFor = undefined
      this.release(on)
      end({ error })
    }
    scheduler.after(deadlockMs, scheduler.outside, () => {
      if (!on.isOver && on.waitsFor !== undefined && this.locks.isDeadlocked(on)) fail(new DatabaseError('40P01', 'deadlock detected'))
    })
    const longest = Math.min(bounds.lockMs, bounds.statementMs)
    if (longest === Infinity) return
    scheduler.after(longest, scheduler.outside, () => {
      if (!on.isOver && on.waitsFor !== undefined) fail(new DatabaseError('55P03', 'canceling statement due to lock timeout'))
    })
  }
}

function answerOf(outcome: Outcome): Answer {
  return typeof outcome === 'number' ? { rows: [], rowCount: outcome } : { rows: outcome, rowCount: outcome.length }
}

function emptyTables(): { readonly [N in TableName]: Map<string, Tables[N]> } {
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, new Map()])) as unknown as {
    readonly [N in TableName]: Map<string, Tables[N]>
  }
}
