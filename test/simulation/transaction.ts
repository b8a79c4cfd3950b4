import type { MemoryDatabase } from './memory-database.ts'
import type { TableName, Tables } from './tables.ts'

/** What a transaction has changed lies over the tables until it commits: nobody else sees it before. */
export class Transaction {
  /** By the clock of the database, when it began: what `now()` gives in it. */
  readonly now: number
  /** The rows whose locks it has. */
  readonly locked: string[] = []
  /** The row whose lock it waits for. */
  waitsFor: string | undefined
  isOver = false
  isCommitted = false
  /** A statement failed: nothing but a rollback is taken. */
  hasFailed = false
  /** When it got its first lock. */
  lockedAt: number | undefined
  /** Rows as they were when the statement began that waits for a lock, where others have changed them since. */
  before: Map<TableName, Map<string, unknown>> | undefined
  /** What its listeners are told when it commits. Most transactions tell and change nothing. */
  notes: Set<string> | undefined
  changes: Map<TableName, Map<string, unknown>> | undefined
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
    this.now = database.time
  }

  get database(): MemoryDatabase {
    return this.#database
  }

  get<N extends TableName>(table: N, id: string): Tables[N] | undefined {
    const changed = this.changes?.get(table)?.get(id) as Tables[N] | null | undefined
    return changed === undefined ? this.#database.tables[table].get(id) : (changed ?? undefined)
  }

  put<N extends TableName>(table: N, id: string, row: Tables[N] | null): void {
    this.changes ??= new Map()
    let changed = this.changes.get(table)
    if (changed === undefined) {
      changed = new Map()
      this.changes.set(table, changed)
    }
    changed.set(id, row)
  }

  /** Changes columns of a row that is there. */
  set<N extends TableName>(table: N, id: string, columns: Partial<Tables[N]>): void {
    const row = this.get(table, id)
    if (row === undefined) throw new Error(`There is no row '${id}' in '${table}'.`)
    this.put(table, id, { ...row, ...columns })
  }

  all<N extends TableName>(table: N): Tables[N][] {
    const changed = this.changes?.get(table) as ReadonlyMap<string, Tables[N] | null> | undefined
    const base = this.#database.tables[table] as ReadonlyMap<string, Tables[N]>
    if (changed === undefined) return [...base.values()]
    const rows: Tables[N][] = []
    for (const [id, row] of base) {
      const current = changed.has(id) ? changed.get(id) : row
      if (current !== null && current !== undefined) rows.push(current)
    }
    for (const [id, row] of changed) if (row !== null && !base.has(id)) rows.push(row)
    return rows
  }

  /** Rows that were there when the statement began, as they are now: others may have changed them while it waited for a lock. */
  found<N extends TableName>(table: N): Tables[N][] {
    const before = this.before?.get(table)
    if (before === undefined) return this.all(table)
    const rows: Tables[N][] = []
    for (const id of this.#database.tables[table].keys()) {
      const row = before.has(id) && before.get(id) === undefined ? undefined : this.get(table, id)
      if (row !== undefined) rows.push(row)
    }
    return rows
  }

  /** Somebody else has changed a row: a statement that waits keeps seeing it as it was, unless it locks it. */
  keep(table: TableName, id: string, row: unknown): void {
    this.before ??= new Map()
    let rows = this.before.get(table)
    if (rows === undefined) {
      rows = new Map()
      this.before.set(table, rows)
    }
    if (!rows.has(id)) rows.set(id, row)
  }

  notify(note: string): void {
    this.notes ??= new Set()
    this.notes.add(note)
  }

  tell(run: string, type: string, data: string): void {
    const no = this.#database.nextMoment()
    this.put('event', `${run}\n${no}`, { run, no, at: this.#database.time, type, data })
  }
}
