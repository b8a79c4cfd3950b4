import type { Transaction } from './transaction.ts'

export type LockMode = 'exclusive' | 'share'

interface Waiting {
  readonly owner: Transaction
  readonly mode: LockMode
  readonly go: () => void
}

interface Lock {
  holder: Transaction | undefined
  /** Hardly ever more than a few. */
  readonly sharers: Transaction[]
  readonly queue: Waiting[]
}

/** Exclusive and share locks on rows. Who must wait is woken in order, unless its transaction is over. */
export class RowLocks {
  readonly #locks = new Map<string, Lock>()

  isFree(row: string, owner: Transaction, mode: LockMode): boolean {
    const lock = this.#locks.get(row)
    return lock === undefined || isFreeFor(lock, owner, mode)
  }

  /** Takes the locks one after the other, and then goes on. `onWait` is told when one is not to be had at once. */
  take(owner: Transaction, rows: readonly string[], mode: LockMode, then: { go: () => void; onWait: () => void }): void {
    let next = 0
    let hasWaited = false
    const proceed = (): void => {
      for (; next < rows.length; next++) {
        const row = rows[next] as string
        const lock = this.#lockOf(row)
        if (!isFreeFor(lock, owner, mode)) {
          owner.waitsFor = row
          lock.queue.push({ owner, mode, go: proceed })
          if (!hasWaited) then.onWait()
          hasWaited = true
          return
        }
        owner.waitsFor = undefined
        if (mode === 'exclusive') lock.holder = owner
        else if (!lock.sharers.includes(owner)) lock.sharers.push(owner)
        owner.locked.push(row)
      }
      then.go()
    }
    proceed()
  }

  /** Gives up all locks of a transaction, and lets those go on who waited for them. */
  release(owner: Transaction): void {
    const rows = owner.locked.splice(0)
    if (owner.waitsFor !== undefined) rows.push(owner.waitsFor)
    for (const row of rows) {
      const lock = this.#locks.get(row)
      if (lock === undefined) continue
      if (lock.holder === owner) lock.holder = undefined
      const place = lock.sharers.indexOf(owner)
      if (place >= 0) lock.sharers.splice(place, 1)
      this.#wake(row, lock)
    }
  }

  /** Whether it waits for somebody who waits for it. */
  isDeadlocked(owner: Transaction): boolean {
    const seen = new Set<Transaction>()
    const reaches = (from: Transaction): boolean => {
      if (from.waitsFor === undefined || seen.has(from)) return false
      seen.add(from)
      const lock = this.#locks.get(from.waitsFor)
      if (lock === undefined) return false
      const holders = [...(lock.holder === undefined ? [] : [lock.holder]), ...lock.sharers].filter((each) => each !== from)
      return holders.some((holder) => holder === owner || reaches(holder))
    }
    return reaches(owner)
  }

  #lockOf(row: string): Lock {
    let lock = this.#locks.get(row)
    if (lock === undefined) {
      lock = { holder: undefined, sharers: [], queue: [] }
      this.#locks.set(row, lock)
    }
    return lock
  }

  #wake(row: string, lock: Lock): void {
    for (let first = lock.queue[0]; first !== undefined; first = lock.queue[0]) {
      if (!first.owner.isOver) {
        if (!isFreeFor(lock, first.owner, first.mode)) return
        lock.queue.shift()
        first.go()
      } else lock.queue.shift()
    }
    if (lock.holder === undefined && lock.sharers.length === 0) this.#locks.delete(row)
  }
}

function isFreeFor(lock: Lock, owner: Transaction, mode: LockMode): boolean {
  if (lock.holder !== undefined && lock.holder !== owner) return false
  if (mode === 'share') return true
  for (const sharer of lock.sharers) if (sharer !== owner) return false
  return true
}
