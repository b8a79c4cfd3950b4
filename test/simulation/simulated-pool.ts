import type { DatabaseBounds } from './database-bounds.ts'
import type { Executed, MemoryDatabase } from './memory-database.ts'
import type { Network } from './network.ts'
import type { Scheduler, SimulatedProcess } from './scheduler.ts'
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
      for (const connection of parts.database.connections) if (connection.owner === parts.owner) connection.die()
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
    const text = typeof given === 'string' ? given : given.text
    const values = (typeof given === 'string' ? list : given.values) ?? []
    if (this.isBroken) return Promise.reject(lost())
    const { scheduler, network, owner, bounds } = this.#parts
    return new Promise((resolve, reject) => {
      let isSettled = false
      const settle = (end: () => void): void => {
        if (isSettled) return
        isSettled = true
        this.#cut = undefined
        end()
      }
      this.#cut = () => scheduler.after(network.trip(), owner, () => settle(() => reject(lost())))
      if (bounds.answerMs !== Infinity) {
        scheduler.after(bounds.answerMs, owner, () => settle(() => (this.close(), reject(new Error('Query read timeout')))))
      }
      const fate = network.fate(text)
      if (fate === 'swallowed') return
      scheduler.after(network.trip(), scheduler.outside, () => {
        if (this.isBroken) return
        if (fate === 'lost') return this.break()
        this.#serve(text, values, (came) => {
          if (this.isBroken) return
          if (fate === 'unanswered') return this.break()
          scheduler.after(network.trip(), owner, () => settle(() => ('error' in came ? reject(came.error) : resolve(came))))
        })
      })
    })
  }

  /** The connection is lost: who waits is told, and what it had begun is undone. */
  break(): void {
    if (this.isBroken) return
    this.isBroken = true
    this.#parts.database.connections.delete(this)
    this.#end()
    this.#cut?.()
  }

  /** The process gives it up; the server notices a little later. */
  close(): void {
    if (this.isBroken) return
    this.isBroken = true
    this.#parts.database.connections.delete(this)
    const { scheduler } = this.#parts
    scheduler.after(scheduler.random.between(0.1, NOTICED_WITHIN_MS), scheduler.outside, () => this.#end())
  }

  /** The process is no more. */
  die(): void {
    this.close()
  }

  #end(): void {
    if (this.#transaction !== undefined) this.#parts.database.release(this.#transaction)
  }

  #serve(text: string, values: readonly unknown[], done: (came: Executed & { readonly command?: string }) => void): void {
    const { database, scheduler } = this.#parts
    this.#heardAt = scheduler.now
    const open = this.#transaction
    if (open?.isOver === true) return this.break()
    if (text === 'BEGIN') {
      this.#transaction = new Transaction(database)
      this.#watchIdle(this.#transaction)
      return done({ rows: [], rowCount: 0, command: 'BEGIN' })
    }
    if (text === 'COMMIT' || text === 'ROLLBACK') {
      this.#transaction = undefined
      const isKept = text === 'COMMIT' && open !== undefined && !open.hasFailed
      if (isKept) database.commit(open)
      else if (open !== undefined) database.release(open)
      return done({ rows: [], rowCount: 0, command: isKept ? 'COMMIT' : 'ROLLBACK' })
    }
    const on = open ?? new Transaction(database)
    const answer = (came: Executed): void => {
      this.#heardAt = scheduler.now
      if (open === undefined) {
        if ('error' in came) database.release(on)
        else database.commit(on)
      }
      done(came)
    }
    try {
      checkTexts(values)
    } catch (error) {
      on.hasFailed = true
      return answer({ error: error as Error })
    }
    // A statement without a transaction of its own can wait for a lock, too: a lost connection ends it.
    if (open === undefined) this.#transaction = on
    database.execute(on, text, values, (came) => {
      if (open === undefined) this.#transaction = undefined
      answer(came)
    })
  }

  /** A transaction in which nothing is said for too long is ended. */
  #watchIdle(on: Transaction): void {
    const { bounds, scheduler } = this.#parts
    if (bounds.idleMs === Infinity) return
    scheduler.after(bounds.idleMs, scheduler.outside, () => {
      if (on.isOver || this.isBroken) return
      if (on.waitsFor === undefined && scheduler.now - this.#heardAt >= bounds.idleMs) this.break()
      else this.#watchIdle(on)
    })
  }
}

function lost(): Error {
  return new Error('Connection terminated unexpectedly')
}
