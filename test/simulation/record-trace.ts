import { writeFileSync } from 'node:fs'
import type { StatementRecorder } from './memory-database.ts'
import { planOf } from './plan-of.ts'
import type { Transaction } from './transaction.ts'
import { World } from './world.ts'

/** A statement as the memory answered it, or the end of a transaction. */
export type TraceEvent =
  | {
      readonly transaction: number
      /** By the clock of the memory: when its transaction began. */
      readonly at: number
      readonly text: string
      readonly given: readonly unknown[]
      readonly rows?: readonly object[]
      readonly rowCount?: number
      /** The SQLSTATE of its error. */
      readonly error?: string
    }
  | { readonly transaction: number; readonly end: 'commit' | 'rollback' }

/** All that a world asked of its database, in the order of the answers. */
export interface WorldTrace {
  readonly seed: number
  readonly events: readonly TraceEvent[]
}

/** Writes the traces of faulty worlds into a file, until there are so many statements. */
export function recordTraces(file: string, { seed, statements }: { readonly seed: number; readonly statements: number }): void {
  const traces: WorldTrace[] = []
  let count = 0
  for (let number = seed; count < statements; number++) {
    const events = traceOf(number)
    traces.push({ seed: number, events })
    count += events.filter((event) => 'text' in event).length
  }
  writeFileSync(file, JSON.stringify(traces))
}

function traceOf(seed: number): readonly TraceEvent[] {
  const events: TraceEvent[] = []
  const numbers = new Map<Transaction, number>()
  const numberOf = (on: Transaction): number => {
    const number = numbers.get(on) ?? numbers.size + 1
    numbers.set(on, number)
    return number
  }
  const recorder: StatementRecorder = {
    executed: (on, { text, given, came }) => {
      const transaction = numberOf(on)
      const asked = { transaction, at: on.now, text, given: given.map(written) }
      if ('error' in came) events.push({ ...asked, error: String((came.error as { code?: string }).code) })
      else events.push({ ...asked, rows: came.rows, rowCount: came.rowCount })
    },
    ended: (on, isCommitted) => {
      if (numbers.has(on)) events.push({ transaction: numberOf(on), end: isCommitted ? 'commit' : 'rollback' })
    },
  }
  new World(planOf(seed, 'faulty'), recorder).run()
  return events
}

/** A date is told from a text when it is read again. */
function written(value: unknown): unknown {
  return value instanceof Date ? { date: value.getTime() } : value
}
