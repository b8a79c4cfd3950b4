import type { EntryRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { DatabaseError, type Parameters, type Statement } from './statement.ts'

/** The journal of runs: entries under a fence, artifacts, events. */
export const journalStatements: readonly Statement[] = [
  {
    name: 'write entries',
    text: `WITH mine AS MATERIALIZED (
      SELECT r.id FROM unnest($1::text[], $2::int[]) AS w (run, epoch)
      JOIN toolwright.run r ON r.id = w.run AND r.epoch = w.epoch
      FOR SHARE OF r
    ), written AS (
      INSERT INTO toolwright.entry AS e (run, path, kind, tool, key, input_hash, input, data, begun_no, ended_no, begun_at, ended_at)
      SELECT g.run, g.path, g.kind, g.tool, g.key, g.input_hash, g.input::json, g.data::json,
        nextval('toolwright.moment'), CASE WHEN g.ended THEN nextval('toolwright.moment') END,
        clock_timestamp() - g.age * interval '1 ms', CASE WHEN g.ended THEN clock_timestamp() END
      FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::bool[], $12::float8[])
        AS g (run, path, kind, tool, key, input_hash, input, data, ended, age)
      WHERE g.run = ANY (ARRAY(SELECT id FROM mine))
      ON CONFLICT (run, path) DO UPDATE
        SET kind = excluded.kind, data = excluded.data, ended_no = excluded.ended_no, ended_at = excluded.ended_at
    )
    SELECT id FROM mine`,
    locks: (given, on) => ({ mode: 'share', rows: fenced(on, given).map((id) => `run ${id}`) }),
    run: writeMany,
  },
  {
    name: 'write entry',
    text: `WITH mine AS MATERIALIZED (
      SELECT id FROM toolwright.run WHERE id = $1 AND epoch = $2 FOR SHARE
    ), written AS (
      INSERT INTO toolwright.entry AS e (run, path, kind, tool, key, input_hash, input, data, begun_no, ended_no, begun_at, ended_at)
      SELECT id, $3, $4, $5, $6, $7, $8::json, $9::json,
        nextval('toolwright.moment'), CASE WHEN $10::bool THEN nextval('toolwright.moment') END,
        clock_timestamp() - $11::float8 * interval '1 ms', CASE WHEN $10 THEN clock_timestamp() END
      FROM mine
      ON CONFLICT (run, path) DO UPDATE
        SET kind = excluded.kind, data = excluded.data, ended_no = excluded.ended_no, ended_at = excluded.ended_at
    )
    SELECT id FROM mine`,
    locks: ([id, epoch], on) => ({
      mode: 'share',
      rows: on.get('run', id as string)?.epoch === epoch ? [`run ${String(id)}`] : [],
    }),
    run: writeOne,
  },
  {
    name: 'read entries',
    text: 'SELECT path, kind, tool, key, input_hash, data FROM toolwright.entry WHERE run = $1 ORDER BY begun_no',
    run: (on, [run]) => entriesOf(on, run).toSorted((one, other) => one.begun_no - other.begun_no),
  },
  {
    name: 'write decision',
    text: `UPDATE toolwright.entry SET data = $3, ended_no = nextval('toolwright.moment'), ended_at = clock_timestamp() WHERE run = $1 AND path = $2`,
    run: (on, [run, path, data]) => {
      const id = `${String(run)}\n${String(path)}`
      if (on.get('entry', id) === undefined) return 0
      on.set('entry', id, { data: data as string, ended_no: on.database.nextMoment() })
      return 1
    },
  },
  {
    name: 'read sagas',
    text: "SELECT path, data FROM toolwright.entry WHERE run = $1 AND kind = 'decision' AND path LIKE '%:saga'",
    run: (on, [run]) => entriesOf(on, run).filter(({ kind, path }) => kind === 'decision' && path.endsWith(':saga')),
  },
  {
    name: 'count retries',
    text: "SELECT count(*)::int AS count FROM toolwright.entry WHERE run = $1 AND path LIKE $2 || '.retry#%'",
    run: (on, [run, path]) => [{ count: entriesOf(on, run).filter((each) => isLike(each.path, `${String(path)}.retry#%`)).length }],
  },
  {
    name: 'ask retry',
    text: `INSERT INTO toolwright.entry (run, path, kind, data, begun_no, ended_no, begun_at, ended_at)
     VALUES ($1, $2, 'decision', $3, nextval('toolwright.moment'), nextval('toolwright.moment'), now(), now())`,
    run: (on, given) => {
      const [run, path, data] = given as [string, string, string]
      const id = `${run}\n${path}`
      if (on.get('entry', id) !== undefined) throw new DatabaseError('23505', 'duplicate key value violates unique constraint "entry_pkey"')
      const [begun_no, ended_no] = [on.database.nextMoment(), on.database.nextMoment()]
      on.put('entry', id, { run, path, kind: 'decision', tool: null, key: null, input_hash: null, input: null, data, begun_no, ended_no })
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
  {
    name: 'tell',
    text: 'INSERT INTO toolwright.event (run, type, data) VALUES ($1, $2, $3)',
    run: (on, given) => tell(on, given as [string, string, string]),
  },
  {
    name: 'tell queued',
    text: `INSERT INTO toolwright.event (run, type, data) VALUES ($1, 'status', '{"status":"queued"}')`,
    run: (on, [run]) => tell(on, [run as string, 'status', '{"status":"queued"}']),
  },
  {
    name: 'tell waiting',
    text: "INSERT INTO toolwright.event (run, type, data) VALUES ($1, 'status', json_build_object('status', 'waiting', 'why', $2::json))",
    run: (on, [run, why]) => tell(on, [run as string, 'status', `{"status" : "waiting", "why" : ${String(why)}}`]),
  },
]

function entriesOf(on: Transaction, run: unknown): EntryRow[] {
  return on.all('entry').filter((entry) => entry.run === run)
}

function tell(on: Transaction, [run, type, data]: readonly [string, string, string]): number {
  on.tell(run, type, data)
  return 1
}

/** `_` and `%` in the pattern stand for what they stand for in SQL. */
function isLike(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('%', '.*')
    .replaceAll('_', '.')
  return new RegExp(`^${source}$`, 's').test(text)
}

function fenced(on: Transaction, [ids, epochs]: Parameters): readonly string[] {
  return (ids as readonly string[]).filter((id, index) => on.get('run', id)?.epoch === (epochs as readonly number[])[index])
}

type NewEntry = Omit<EntryRow, 'begun_no' | 'ended_no'> & { readonly isEnded: boolean }

function writeMany(on: Transaction, given: Parameters): readonly object[] {
  const mine = fenced(on, given)
  const [, , runs, paths, kinds, tools, keys, hashes, inputs, data, ended] = given as readonly (readonly never[])[]
  const entries = (runs ?? []).flatMap((run: string, index): NewEntry[] => {
    if (!mine.includes(run)) return []
    const column = (values: readonly never[] | undefined): never => values?.[index] as never
    const named = { run, path: column(paths), kind: column(kinds), tool: column(tools), key: column(keys) }
    return [{ ...named, input_hash: column(hashes), input: column(inputs), data: column(data), isEnded: column(ended) }]
  })
  write(on, entries)
  return mine.map((id) => ({ id }))
}

function writeOne(on: Transaction, given: Parameters): readonly object[] {
  const [id, epoch, path, kind, tool, key, hash, input, data, isEnded] = given as [string, ...never[]]
  if (on.get('run', id)?.epoch !== epoch) return []
  write(on, [
    {
      ...{ run: id, path: path as never, kind: kind as never, tool: tool as never, key: key as never },
      ...{ input_hash: hash as never, input: input as never, data: data as never, isEnded: isEnded as never },
    },
  ])
  return [{ id }]
}

function write(on: Transaction, entries: readonly NewEntry[]): void {
  const { longestPath } = on.database.parts
  const tooLong = entries.filter(({ path }) => path.length > longestPath)
  if (tooLong.length > 0) {
    for (const { run } of tooLong) on.database.refused.add(run)
    throw new DatabaseError('54000', 'index row size exceeds btree version 4 maximum 2704 for index "entry_pkey"')
  }
  for (const { isEnded, ...entry } of entries) {
    const id = `${entry.run}\n${entry.path}`
    const before = on.get('entry', id)
    const begun_no = on.database.nextMoment()
    const ended_no = isEnded ? on.database.nextMoment() : null
    const row = before === undefined ? { ...entry, begun_no, ended_no } : { ...before, kind: entry.kind, data: entry.data, ended_no }
    on.put('entry', id, row)
  }
}
