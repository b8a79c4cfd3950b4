import type { EntryRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { DatabaseError, type LockRequest, type Parameters, type Statement } from './statement.ts'

const MINE = `mine AS MATERIALIZED (
  SELECT r.id, r.cancel IS NOT NULL AS is_cancelled, r.ended_at IS NOT NULL AS has_ended FROM unnest($1::text[], $2::int[]) AS w (run, epoch)
  JOIN toolwright.run r ON r.id = w.run AND r.epoch = w.epoch
  FOR SHARE OF r
)`

export const COLUMNS = '(run, path, full_path, kind, tool, key, input_hash, input, data, begun_no, ended_no, begun_at, ended_at, version)'

export const REPLACE = `ON CONFLICT (run, path) DO UPDATE
  SET kind = excluded.kind, data = excluded.data, ended_no = excluded.ended_no, ended_at = excluded.ended_at, version = excluded.version
  WHERE e.version < excluded.version AND (e.kind <> 'review' OR e.ended_no IS NULL)`

export const timeOf = (ms: string): string => `CASE WHEN ${ms} IS NOT NULL THEN least(to_timestamp(${ms} / 1000), clock_timestamp()) END`

const written = (version: string): string => `written AS (
  INSERT INTO toolwright.entry AS e ${COLUMNS}
  SELECT g.run, g.path, g.full_path, g.kind, g.tool, g.key, g.input_hash, g.input::json, g.data::json,
    nextval('toolwright.moment'), CASE WHEN g.ended IS NOT NULL THEN nextval('toolwright.moment') END,
    ${timeOf('g.begun')}, ${timeOf('g.ended')}, g.version
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::float8[], $13::float8[], ${version}::bigint[])
    AS g (run, path, full_path, kind, tool, key, input_hash, input, data, begun, ended, version)
  WHERE g.run = ANY (ARRAY(SELECT id FROM mine))
  ${REPLACE}
  RETURNING run
)`

/** What runs record, under a fence: entries, and what goes along with them. */
export const writeStatements: readonly Statement[] = [
  {
    name: 'write entries',
    text: `WITH ${MINE}, ${written('$14')} SELECT id FROM mine`,
    locks: onMine,
    thenLocks: (given, on) => ({ mode: 'exclusive', rows: placesOf(given, mineOf(on, given)) }),
    run: (on, given) => {
      const mine = mineOf(on, given)
      write(on, entriesOf(given, mine, 13))
      return mine.map((id) => ({ id }))
    },
  },
  {
    name: 'write entry',
    text: `WITH mine AS MATERIALIZED (
      SELECT id FROM toolwright.run WHERE id = $1 AND epoch = $2 FOR SHARE
    ), written AS (
      INSERT INTO toolwright.entry AS e ${COLUMNS}
      SELECT id, $3, $4, $5, $6, $7, $8, $9::json, $10::json,
        nextval('toolwright.moment'), CASE WHEN $12::float8 IS NOT NULL THEN nextval('toolwright.moment') END,
        ${timeOf('$11::float8')}, ${timeOf('$12')}, $13::bigint
      FROM mine
      ${REPLACE}
    )
    SELECT id FROM mine`,
    locks: ([id, epoch], on) => ({ mode: 'share', rows: isMine(on, id, epoch) ? [`run ${String(id)}`] : [] }),
    thenLocks: ([id, epoch, path], on) => ({ mode: 'exclusive', rows: isMine(on, id, epoch) ? [placeOf(id, path)] : [] }),
    run: (on, given) => writeFew(on, given, [2]),
  },
  {
    name: 'write pair',
    text: `WITH mine AS MATERIALIZED (
      SELECT id FROM toolwright.run WHERE id = $1 AND epoch = $2 FOR SHARE
    ), written AS (
      INSERT INTO toolwright.entry AS e ${COLUMNS}
      SELECT $1, g.path, g.full_path, g.kind, g.tool, g.key, g.input_hash, g.input::json, g.data::json,
        nextval('toolwright.moment'), CASE WHEN g.ended IS NOT NULL THEN nextval('toolwright.moment') END,
        ${timeOf('g.begun')}, ${timeOf('g.ended')}, g.version
      FROM (VALUES ($3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::float8, $12::float8, $13::bigint), ($14::text, $15::text, $16::text, $17::text, $18::text, $19::text, $20::text, $21::text, $22::float8, $23::float8, $24::bigint)) AS g (path, full_path, kind, tool, key, input_hash, input, data, begun, ended, version)
      WHERE EXISTS (SELECT FROM mine)
      ${REPLACE}
    )
    SELECT id FROM mine`,
    locks: ([id, epoch], on) => ({ mode: 'share', rows: isMine(on, id, epoch) ? [`run ${String(id)}`] : [] }),
    thenLocks: (given, on) => {
      const [id, epoch, first] = given
      return { mode: 'exclusive', rows: isMine(on, id, epoch) ? [placeOf(id, first), placeOf(id, given[SECOND])] : [] }
    },
    run: (on, given) => writeFew(on, given, [2, SECOND]),
  },
  {
    name: 'write all',
    text: `WITH ${MINE}, ${written('$29')}, asked AS (
      INSERT INTO toolwright.approval (id, run, path, tool, kind, request, is_shielded, expires_at, status, closed_at)
      SELECT a.id, a.run, a.path, a.tool, a.kind, a.request::json, a.is_shielded, now() + a.timeout * interval '1 ms',
        CASE WHEN a.open THEN 'open' ELSE 'withdrawn' END, CASE WHEN NOT a.open THEN now() END
      FROM (
        SELECT g.*, NOT g.is_withdrawn AND NOT m.has_ended AND (NOT m.is_cancelled OR g.is_shielded OR position('/undo.' IN g.path) > 0) AS open
        FROM unnest($14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::float8[], $21::bool[], $30::bool[])
          AS g (id, run, path, tool, kind, request, timeout, is_withdrawn, is_shielded)
        JOIN mine m ON m.id = g.run
      ) AS a
      ON CONFLICT (id) DO NOTHING RETURNING id, status
    ), withdrawn AS (
      UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now()
      WHERE id = ANY ($22::text[]) AND status = 'open' AND run = ANY (ARRAY(SELECT id FROM mine)) RETURNING id
    ), told AS (
      INSERT INTO toolwright.event (run, type, data)
      SELECT g.run, g.type, g.data::json FROM unnest($23::text[], $24::text[], $25::text[]) AS g (run, type, data)
      WHERE g.run = ANY (ARRAY(SELECT id FROM mine)) AND (SELECT count(*) FROM written) >= 0
    ), kept AS (
      INSERT INTO toolwright.artifact (run, id, bytes, data)
      SELECT g.run, g.id, octet_length(g.data), g.data FROM unnest($26::text[], $27::text[], $28::text[]) AS g (run, id, data)
      WHERE g.run = ANY (ARRAY(SELECT id FROM mine))
      ON CONFLICT (run, id) DO NOTHING
    )
    SELECT id, NULL AS told FROM mine
    UNION ALL SELECT NULL, pg_notify('toolwright', 'requested ' || id)::text FROM asked WHERE status = 'open'
    UNION ALL SELECT NULL, pg_notify('toolwright', 'withdrawn ' || id)::text FROM withdrawn`,
    locks: onMine,
    thenLocks: (given, on) => {
      const mine = mineOf(on, given)
      const requests = mine.length === 0 ? [] : [...lists(given)[13], ...lists(given)[21]]
      return { mode: 'exclusive', rows: [...placesOf(given, mine), ...new Set(requests.map((id) => `approval ${String(id)}`))] }
    },
    run: writeAll,
  },
]

type List = readonly never[]

/** The columns of a statement, each a list. */
function lists(given: Parameters): readonly List[] & { readonly 13: List; readonly 21: List } {
  return given as never
}

function isMine(on: Transaction, id: unknown, epoch: unknown): boolean {
  return on.get('run', id as string)?.epoch === epoch
}

function mineOf(on: Transaction, [ids, epochs]: Parameters): readonly string[] {
  return (ids as readonly string[]).filter((id, index) => isMine(on, id, (epochs as readonly number[])[index]))
}

function onMine(given: Parameters, on: Transaction): LockRequest {
  return { mode: 'share', rows: mineOf(on, given).map((id) => `run ${id}`) }
}

/** Who writes to the same place waits. */
export function placeOf(run: unknown, path: unknown): string {
  return `entry ${String(run)}\n${String(path)}`
}

function placesOf([, , runs, paths]: Parameters, mine: readonly string[]): readonly string[] {
  return (runs as readonly string[]).flatMap((run, index) => (mine.includes(run) ? placeOf(run, (paths as readonly string[])[index]) : []))
}

type NewEntry = Omit<EntryRow, 'begun_no' | 'ended_no'> & { readonly isEnded: boolean }

/** `versionAt` is where the statement has the versions of its rows. */
function entriesOf(given: Parameters, mine: readonly string[], versionAt: number): readonly NewEntry[] {
  const [, , runs = [], paths, fullPaths, kinds, tools, keys, hashes, inputs, data, , ended] = lists(given)
  return runs.flatMap((run: string, index): NewEntry[] => {
    if (!mine.includes(run)) return []
    const column = (values: List | undefined): never => values?.[index] as never
    const named = { run, path: column(paths), full_path: column(fullPaths), kind: column(kinds), tool: column(tools), key: column(keys) }
    const version = column(given[versionAt] as List)
    return [{ ...named, input_hash: column(hashes), input: column(inputs), data: column(data), version, isEnded: column(ended) !== null }]
  })
}

/** Where the second entry of a pair begins. */
const SECOND = 13

/** `places` is where the values of each entry begin. */
export function writeFew(on: Transaction, given: Parameters, places: readonly number[]): readonly object[] {
  const [run, epoch] = given as [string, number]
  if (!isMine(on, run, epoch)) return []
  write(
    on,
    places.map((at): NewEntry => {
      const [path, full_path, kind, tool, key, input_hash, input, data, , endedAt, version] = given.slice(at) as never[]
      return { run, path, full_path, kind, tool, key, input_hash, input, data, version, isEnded: endedAt !== null } as unknown as NewEntry
    }),
  )
  return [{ id: run }]
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
    if (before === undefined) on.put('entry', id, { ...entry, begun_no, ended_no })
    else if (mayReplace(before, entry))
      on.put('entry', id, { ...before, kind: entry.kind, data: entry.data, version: entry.version, ended_no })
  }
}

/** A request that was decided stays so, and what is late does not cover what came later. */
function mayReplace({ kind, ended_no: ended, version }: EntryRow, next: Pick<EntryRow, 'version'>): boolean {
  return version < next.version && (kind !== 'review' || ended === null)
}

function writeAll(on: Transaction, given: Parameters): readonly object[] {
  const mine = mineOf(on, given)
  write(on, entriesOf(given, mine, 28))
  // What is asked in this statement is not seen by it.
  const withdrawn = (given[21] as readonly string[]).filter((id) => {
    const row = on.get('approval', id)
    return row?.status === 'open' && row.run !== null && mine.includes(row.run)
  })
  const asked = ask(on, [...given.slice(13, 21), given[29]], mine)
  for (const id of withdrawn) on.set('approval', id, { status: 'withdrawn', closed_at: on.now })
  tellAll(on, given.slice(22, 25), mine)
  keepAll(on, given.slice(25, 28), mine)
  for (const id of asked) on.notify(`requested ${id}`)
  for (const id of withdrawn) on.notify(`withdrawn ${id}`)
  return [...mine.map((id) => ({ id, told: null })), ...[...asked, ...withdrawn].map(() => ({ id: null, told: '' }))]
}

/** Gives the requests that are open now. */
function ask(on: Transaction, given: Parameters, mine: readonly string[]): readonly string[] {
  const [ids = [], runs = [], paths = [], tools = [], kinds = [], requests = [], timeouts = [], withdrawn = [], shielded = []] =
    lists(given)
  return ids.flatMap((id: string, index): readonly string[] => {
    const [run, path, ms] = [runs[index], paths[index], timeouts[index]] as unknown as [string, string, number | null]
    if (!mine.includes(run) || on.get('approval', id) !== undefined) return []
    const isWithdrawn = (withdrawn[index] as unknown) === true
    const is_shielded = (shielded[index] as unknown) === true
    const asking = on.get('run', run)
    const hasEnded = asking !== undefined && asking.ended_at !== null
    const isOpen = !isWithdrawn && !hasEnded && (asking?.cancel === null || is_shielded || path.includes('/undo.'))
    on.put('approval', id, {
      ...{ id, run, path, tool: tools[index] as never, kind: kinds[index] as never, request: requests[index] as never, is_shielded },
      ...{ status: isOpen ? 'open' : 'withdrawn', assignee: null, assignee_print: null, decision: null, ballot: null, ballot_no: 0 },
      ...{ requested_at: on.now, expires_at: ms === null ? null : on.now + ms, closed_at: isOpen ? null : on.now },
    })
    return isOpen ? [id] : []
  })
}

function tellAll(on: Transaction, [runs, types, data]: Parameters, mine: readonly string[]): void {
  const [kinds, texts] = [types, data] as [readonly string[], readonly string[]]
  for (const [index, run] of (runs as readonly string[]).entries())
    if (mine.includes(run)) on.tell(run, kinds[index] as string, texts[index] as string)
}

function keepAll(on: Transaction, [runs, ids, data]: Parameters, mine: readonly string[]): void {
  for (const [index, run] of (runs as readonly string[]).entries()) {
    const [id, text] = [(ids as readonly string[])[index], (data as readonly string[])[index]] as [string, string]
    if (mine.includes(run) && on.get('artifact', `${run}\n${id}`) === undefined)
      on.put('artifact', `${run}\n${id}`, { run, id, data: text })
  }
}
