/** Where a value stands in the database. A value that is sealed for one place opens at no other. */
export interface Place {
  readonly table: 'run' | 'entry' | 'approval' | 'event' | 'idempotency' | 'stored_output' | 'memory' | 'selection_trace'
  readonly column: string
  /** Null for a value that belongs to no run. */
  readonly run: string | null
  /** The path of an entry, the id of a request, the type of an event, the key of a call. */
  readonly row?: string | undefined
  /** The row in messages, where its own name says whose it is. */
  readonly called?: string | undefined
}

export function inRun(run: string, column: 'input' | 'options' | 'result' | 'why' | 'cancel'): Place {
  return { table: 'run', column, run }
}

export function inEntry(run: string, path: string, column: 'input_hash' | 'input' | 'data'): Place {
  return { table: 'entry', column, run, row: path }
}

export function inApproval(run: string | null, id: string, column: 'request' | 'decision' | 'assignee' | 'ballot'): Place {
  return { table: 'approval', column, run, row: id }
}

export function inEvent(run: string, type: string): Place {
  return { table: 'event', column: 'data', run, row: type }
}

export function inIdempotency(key: string): Place {
  return { table: 'idempotency', column: 'result', run: null, row: key }
}

/** An output that did not fit into a context, or a memory: of one owner, under one name. */
export function inContext(table: 'stored_output' | 'memory', owner: string, name: string): Place {
  return { table, column: table === 'memory' ? 'entry' : 'output', run: null, row: JSON.stringify([owner, name]), called: name }
}

/** A request that catalogs of tools learn from. */
export function inTraces(id: string): Place {
  return { table: 'selection_trace', column: 'trace', run: null, row: id }
}

/** The place as bytes that a seal is bound to. No two places have the same. */
export function bindingOf({ table, column, run, row }: Place): Uint8Array {
  return Buffer.from(JSON.stringify([table, column, run, row ?? null]), 'utf8')
}

/** For messages: `the column 'data' of the table 'entry', run 'r1', 'pipe/pay'`. */
export function nameOf({ table, column, run, row, called = row }: Place): string {
  return `the column '${column}' of the table '${table}'${run === null ? '' : `, run '${run}'`}${called === undefined ? '' : `, '${called}'`}`
}
