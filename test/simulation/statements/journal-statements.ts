import type { EntryRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { DatabaseError, type Statement } from './statement.ts'

/** The journal of runs as it is read, artifacts, and the rounds of a compensation. */
export const journalStatements: readonly Statement[] = [
  {
    name: 'read entries',
    text: 'SELECT coalesce(full_path, path) AS path, kind, tool, key, input_hash, data FROM toolwright.entry WHERE run = $1 ORDER BY begun_no',
    run: (on, [run]) =>
      entriesOf(on, run)
        .toSorted((one, other) => one.begun_no - other.begun_no)
        .map(whole),
  },
  {
    name: 'read decisions',
    text: "SELECT coalesce(full_path, path) AS path, data FROM toolwright.entry WHERE run = $1 AND kind = 'decision'",
    run: (on, [run]) =>
      entriesOf(on, run)
        .filter(({ kind }) => kind === 'decision')
        .map(whole),
  },
  {
    name: 'ask retry',
    text: `INSERT INTO toolwright.entry (run, path, full_path, kind, data, begun_no, ended_no, begun_at, ended_at)
     VALUES ($1, $2, $3, 'decision', $4, nextval('toolwright.moment'), nextval('toolwright.moment'), now(), now())`,
    run: (on, given) => {
      const [run, path, full_path, data] = given as [string, string, string | null, string]
      const id = `${run}\n${path}`
      if (on.get('entry', id) !== undefined) throw new DatabaseError('23505', 'duplicate key value violates unique constraint "entry_pkey"')
      const [begun_no, ended_no] = [on.database.nextMoment(), on.database.nextMoment()]
      const nothing = { tool: null, key: null, input_hash: null, input: null }
      on.put('entry', id, { run, path, full_path, kind: 'decision', ...nothing, data, begun_no, ended_no, version: 0 })
      return 1
    },
  },
  {
    name: 'insert artifact',
    text: 'INSERT INTO toolwright.artifact (run, id, bytes, data) VALUES ($1, $2, octet_length($3), $3) ON CONFLICT (run, id) DO NOTHING',
    run: (on, given) => {
      const [run, id, data] = given as [string, string, string]
      if (on.get('artifact', `${run}\n${id}`) !== undefined) return 0
      on.put('artifact', `${run}\n${id}`, { run, id, data })
      return 1
    },
  },
  {
    name: 'read artifacts',
    text: 'SELECT id, data FROM toolwright.artifact WHERE run = $1 AND id = ANY($2::text[])',
    run: (on, [run, ids]) => (ids as readonly string[]).flatMap((id) => on.get('artifact', `${String(run)}\n${id}`) ?? []),
  },
  // Statements of the memory take no time but that of a lock, which has a bound of its own.
  { name: 'take all the time', text: 'SET LOCAL statement_timeout = 0', run: () => 0 },
]

function entriesOf(on: Transaction, run: unknown): EntryRow[] {
  return on.all('entry').filter((entry) => entry.run === run)
}

function whole({ full_path: fullPath, path, ...entry }: EntryRow): object {
  return { ...entry, path: fullPath ?? path }
}
