import type { DatabaseBounds } from './database-bounds.ts'
import type { Executed, MemoryDatabase } from './memory-database.ts'
import type { Network } from './network.ts'
import type { Scheduler, SimulatedProcess, Task } from './scheduler.ts'
import { checkTexts } from './statements/check-text.ts'
import { Transaction } from './transaction.ts'

export interface PoolParts {
  readonly scheduler: Scheduler
  readonly database: MemoryDatabase
  readonly owner: SimulatedProcess
  readonly network: Network
  readonly bounds: DatabaseBounds
}

interface QueryConfig {
  readonly text: string
  readonly values?: readonly unknown[]
  /** How long to wait for the answer. */
  readonly query_timeout?: number
}

interface Reply {
  readonly rows: readonly object[]
  readonly rowCount: number
  readonly command?: string
}

/** A server ends what a lost connection had begun within so many milliseconds. */
const NOTICED_WITHIN_MS = 50

/** Stands for the pool of the driver: connections that are slow, that break, and of which there are not too many. */
export class SimulatedPool {
  readonly #parts: PoolParts
  readonly #idle: Connection[] = []
  readonly #waiting: ((connection: Connection) => void)[] = []
  #open = 0

  constructor(parts: PoolParts) {
    this.#parts = parts
    parts.owner.onDeath.push(() => {
      for (const connection of parts.database.connections) if (connection.owner === parts.owner) connection.close()
    })
  }

  readonly on = (): this => this

  readonly query = (text: string | QueryConfig, values?: readonly unknown[]): Promise<Reply> => {
    const run = (connection: Connection): Promise<Reply> => {
      const reply = connection.query(text, values)
      const release = (): void => this.#release(connection)
      reply.then(release, release)
      return reply
    }
    const connection = this.#acquire()
    return connection instanceof Connection ? run(connection) : connection.then(run)
  }

  readonly connect = async (): Promise<{ query: Connection['query']; release: (isBroken?: unknown) => void }> => {
    const connection = await this.#acquire()
    let isReleased = false
    const release = (isBroken?: unknown): void => {
      if (isReleased) return
      isReleased = true
      if (isBroken !== undefined && isBroken !== false) connection.close()
      this.#release(connection)
    }
    return { query: connection.query, release }
  }

  #acquire(): Connection | Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#open >= this.#parts.bounds.connections) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#open++
    return new Connection(this.#parts)
  }

  #release(connection: Connection): void {
    const next = this.#waiting.shift()
    if (connection.isBroken) {
      if (next === undefined) this.#open--
      else next(new Connection(this.#parts))
    } else if (next === undefined) this.#idle.push(connection)
    else next(connection)
  }
}

/** One connection: a statement at a time, over a network that may lose it or its answer. */
export class Connection {
  isBroken = false
  /** Nothing that is still on its way is served. */
  #isOver = false
  /** A statement has been sent, and has not arrived. */
  #isOnItsWay = false
  /** A statement is under way at the server. */
  #isServing = false
  readonly #parts: PoolParts
  #transaction: Transaction | undefined
  /** Ends the statement that is under way, when the connection is lost. */
  #cut: (() => void) | undefined
  #heardAt = 0

  constructor(parts: PoolParts) {
    this.#parts = parts
    parts.database.connections.add(this)
  }

  get owner(): SimulatedProcess {
    return this.#parts.owner
  }

  readonly query = (given: string | QueryConfig, list?: readonly unknown[]): Promise<Reply> => {
    const {
      text,
      values = [],
      query_timeout: answerMs = this.#parts.bounds.answerMs,
    } = typeof given === 'string' ? { text: given, values: list ?? [] } : given
    if (this.isBroken) return Promise.reject(lost())
    const { scheduler, network, owner } = this.#parts
    return new Promise((resolve, reject) => {
      let isSettled = false
      let patience: Task | undefined
      const settle = (end: () => void): void => {
        if (isSettled) return
        isSettled = true
        this.#cut = undefined
        if (patience !== undefined) patience.isCancelled = true
        end()
      }
      const cut = (): void => void scheduler.after(network.trip(), owner, () => settle(() => reject(lost())))
      this.#cut = cut
      if (answerMs !== Infinity) {
        patience = scheduler.after(answerMs, owner, () => settle(() => (this.close(), reject(new Error('Query read timeout')))))
      }
      const fate = network.fate(text)
      if (fate === 'swallowed') return
      this.#isOnItsWay = true
      scheduler.after(network.trip(), scheduler.outside, () => {
        this.#isOnItsWay = false
        if (fate === 'lost') return this.isBroken ? this.#endIdle() : this.break()
        // What was sent before a process gave up or died may still arrive; nobody hears of it.
        if (this.#isOver || (this.isBroken && scheduler.random.chance(0.5))) return this.#endIdle()
        this.#serve(text, values, (came) => {
          if (this.isBroken) return
          if (fate === 'unanswered') return this.break()
          scheduler.after(network.trip(), owner, () => settle(() => ('error' in came ? reject(came.error) : resolve(came))))
        })
      })
    })
  }

  /** The connection is lost: who waits is told. The server notices when it has something to say. */
  break(): void {
    if (this.isBroken) return
    this.isBroken = true
    this.#parts.database.connections.delete(this)
    this.#endIdle()
    this.#cut?.()
  }

  /** The process gives it up, or is no more; the server notices a little later. */
  close(): void {
    if (this.isBroken) return
    this.isBroken = true
    this.#parts.database.connections.delete(this)
    const { scheduler } = this.#parts
    scheduler.after(scheduler.random.between(0.1, NOTICED_WITHIN_MS), scheduler.outside, () => this.#endIdle())
  }

  /** The server ends it, or is no more: what was under way is undone. */
  cut(): void {
    this.#isOver = true
    if (this.#transaction !== undefined) this.#parts.database.release(this.#transaction)
    this.break()
  }

  /** A statement that is under way comes to its end, also when nobody is there to be told: the server looks at the connection after it. */
  #endIdle(): void {
    if (this.#isServing || this.#isOnItsWay) return
    this.#isOver = true
    if (this.#transaction !== undefined) this.#parts.database.release(this.#transaction)
  }

  #serve(text: string, values: readonly unknown[], tell: (came: Executed & { readonly command?: string }) => void): void {
    const { database, scheduler } = this.#parts
    this.#heardAt = scheduler.now
    const open = this.#transaction
    const isEnd = text === 'COMMIT' || text === 'ROLLBACK'
    if (open?.isOver === true && !(isEnd && open.hasFailed)) return this.break()
    this.#isServing = true
    const done = (came: Executed & { readonly command?: string }): void => {
      this.#isServing = false
      this.#heardAt = scheduler.now
      if (this.isBroken) this.#endIdle()
      tell(came)
    }
    if (text === 'BEGIN') {
      this.#transaction = new Transaction(database)
      this.#watchIdle(this.#transaction)
      return done({ rows: [], rowCount: 0, command: 'BEGIN' })
    }
    if (isEnd) {
      this.#transaction = undefined
      const isKept = text === 'COMMIT' && open !== undefined && !open.hasFailed
      if (isKept) database.commit(open)
      else if (open !== undefined) database.release(open)
      return done({ rows: [], rowCount: 0, command: isKept ? 'COMMIT' : 'ROLLBACK' })
    }
    const on = open ?? new Transaction(database)
    // A statement without a transaction of its own has one all the same.
    if (open === undefined) this.#transaction = on
    this.#execute(on, { text, values }, (came) => {
      if (open !== undefined) return done(came)
      const end = (): void => {
        if (this.#transaction === on) this.#transaction = undefined
        if (on.isOver && !('error' in came)) return
        if ('error' in came) database.release(on)
        else database.commit(on)
        done(came)
      }
      // Between the work and its commit, others wait for what it has locked.
      const ms = on.changes === undefined ? 0 : this.#parts.network.commitMs()
      if (ms === 0) end()
      else scheduler.after(ms, scheduler.outside, end)
    })
  }

  #execute(on: Transaction, { text, values }: Required<Pick<QueryConfig, 'text' | 'values'>>, done: (came: Executed) => void): void {
    try {
      checkTexts(values)
    } catch (error) {
      on.hasFailed = true
      return done({ error: error as Error })
    }
    this.#parts.database.execute(on, text, values, done)
  }

  /** A transaction in which nothing is said for too long is ended. */
  #watchIdle(on: Transaction, ms = this.#parts.bounds.idleMs): void {
    const { bounds, scheduler } = this.#parts
    if (ms === Infinity) return
    scheduler.after(ms, scheduler.outside, () => {
      if (on.isOver) return
      const left = this.#isServing ? bounds.idleMs : this.#heardAt + bounds.idleMs - scheduler.now
      if (left <= 0) this.cut()
      else this.#watchIdle(on, left)
    })
  }
}

function lost(): Error {
  return new Error('Connection terminated unexpectedly')
}
