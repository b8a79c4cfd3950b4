import type { ClientBase, QueryConfig } from 'pg'
import type { Store } from '../../store/store.ts'
import { UNDO_MARK } from '../../tool/journal/undoing.ts'
import type { Artifact, JournalRow, WrittenClaims } from '../store/journal-store.ts'
import { storedPath } from './stored-path.ts'
import { PATIENT, PROMPT } from './time-bounds.ts'

/**
 * The share lock on the run's row fences: a claim, which raises the epoch, waits for it, and a later write under the old epoch is refused. Rows are numbered in
 * the order in which they are given: no join stands between them and their numbers, whatever plan the database makes.
 */
const MINE = `mine AS MATERIALIZED (
  SELECT r.id, r.cancel IS NOT NULL AS is_cancelled, r.ended_at IS NOT NULL AS has_ended FROM unnest($1::text[], $2::int[]) AS w (run, epoch)
  JOIN toolwright.run r ON r.id = w.run AND r.epoch = w.epoch
  FOR SHARE OF r
)`

const COLUMNS = '(run, path, full_path, kind, tool, key, input_hash, input, data, begun_no, ended_no, begun_at, ended_at, version)'

/**
 * A row that was given up and written again may still reach the database, after others: it does not cover what came later. Nor does a
 * question cover the decision that was made on it.
 */
const REPLACE = `ON CONFLICT (run, path) DO UPDATE
    SET kind = excluded.kind, data = excluded.data, ended_no = excluded.ended_no, ended_at = excluded.ended_at, version = excluded.version
    WHERE e.version < excluded.version AND (e.kind <> 'review' OR e.ended_no IS NULL)`

/**
 * The time of the segment, by which its entries are in order however long each of them was on its way. It is never later than the time of the
 * database: the next segment begins with that one.
 */
const timeOf = (ms: string): string => `CASE WHEN ${ms} IS NOT NULL THEN least(to_timestamp(${ms} / 1000), clock_timestamp()) END`

const writing = (version: string): string => `written AS (
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

const WRITE_ENTRIES = `
WITH ${MINE}, ${writing('$14')}
SELECT id FROM mine`

/** One entry of the run in `mine`, whose values begin with this parameter. */
export function writingOne(from: number, returning = ''): string {
  const [path, fullPath, kind, tool, key, inputHash, input, data, begun, ended, version] = TYPES_OF_ONE.map(
    (_type, index) => `$${from + index}`,
  )
  return `written AS (
  INSERT INTO toolwright.entry AS e ${COLUMNS}
  SELECT id, ${path}, ${fullPath}, ${kind}, ${tool}, ${key}, ${inputHash}, ${input}::json, ${data}::json,
    nextval('toolwright.moment'), CASE WHEN ${ended}::float8 IS NOT NULL THEN nextval('toolwright.moment') END,
    ${timeOf(`${begun}::float8`)}, ${timeOf(`${ended}`)}, ${version}::bigint
  FROM mine
  ${REPLACE}${returning}
)`
}

const TYPES_OF_ONE = ['text', 'text', 'text', 'text', 'text', 'text', 'text', 'text', 'float8', 'float8', 'bigint']

/** The same for one entry, which is all that a run that does one thing after the other has to write at a time: no lists, and so less work. */
const WRITE_ENTRY = `
WITH mine AS MATERIALIZED (
  SELECT id FROM toolwright.run WHERE id = $1 AND epoch = $2 FOR SHARE
), ${writingOne(3)}
SELECT id FROM mine`

const VALUES_OF_ONE = 'path, full_path, kind, tool, key, input_hash, input, data, begun, ended, version'
const parametersFrom = (from: number): string => `(${TYPES_OF_ONE.map((type, index) => `$${from + index}::${type}`).join(', ')})`

/** The same for two entries of one run: the result of a step and the beginning of the next one. */
const WRITE_PAIR = `
WITH mine AS MATERIALIZED (
  SELECT id FROM toolwright.run WHERE id = $1 AND epoch = $2 FOR SHARE
), written AS (
  INSERT INTO toolwright.entry AS e ${COLUMNS}
  SELECT $1, g.path, g.full_path, g.kind, g.tool, g.key, g.input_hash, g.input::json, g.data::json,
    nextval('toolwright.moment'), CASE WHEN g.ended IS NOT NULL THEN nextval('toolwright.moment') END,
    ${timeOf('g.begun')}, ${timeOf('g.ended')}, g.version
  FROM (VALUES ${parametersFrom(3)}, ${parametersFrom(3 + TYPES_OF_ONE.length)}) AS g (${VALUES_OF_ONE})
  WHERE EXISTS (SELECT FROM mine)
  ${REPLACE}
)
SELECT id FROM mine`

/**
 * The same with all that may go along: requests that are asked or withdrawn, events and artifacts. Events are numbered after the entries
 * that go with them, which they look at for that. What a cancelled run asks is withdrawn from the start, but for what a shielded call asks.
 */
const WRITE_ALL = `
WITH ${MINE}, ${writing('$29')}, asked AS (
  INSERT INTO toolwright.approval (id, run, path, tool, kind, request, is_shielded, expires_at, status, closed_at)
  SELECT a.id, a.run, a.path, a.tool, a.kind, a.request::json, a.is_shielded, now() + a.timeout * interval '1 ms',
    CASE WHEN a.open THEN 'open' ELSE 'withdrawn' END, CASE WHEN NOT a.open THEN now() END
  FROM (
    SELECT g.*, NOT g.is_withdrawn AND NOT m.has_ended AND (NOT m.is_cancelled OR g.is_shielded OR position('${UNDO_MARK}' IN g.path) > 0) AS open
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
UNION ALL SELECT NULL, pg_notify('toolwright', 'withdrawn ' || id)::text FROM withdrawn`

/** More than this is not sent and written within the usual time of a statement. */
const LARGE_CHARACTERS = 4 * 1024 * 1024

/** Writes the rows, all or none, and gives the claims that count. */
export async function writeEntries(store: Store, rows: readonly JournalRow[]): Promise<WrittenClaims> {
  const claims = latestClaims(rows)
  const counting = rows.filter((row) => counts(row, claims))
  const isLarge = charactersIn(counting) > LARGE_CHARACTERS
  const mine = isLarge ? await writeLarge(store, claims, counting) : await write(store.pool, claims, counting)
  return new Map([...claims].filter(([run]) => mine.has(run)))
}

/** Large texts go one by one: a list of them could be more than one value may be. */
function writeLarge(store: Store, claims: WrittenClaims, rows: readonly JournalRow[]): Promise<ReadonlySet<string>> {
  return store.transaction(async (client) => {
    await client.query('SET LOCAL statement_timeout = 0')
    const bare = rows.map(({ artifacts: _artifacts, ...row }) => row)
    const mine = await write(client, claims, bare)
    for (const { run, artifacts = [] } of rows)
      if (mine.has(run)) for (const artifact of artifacts) await insertArtifact(client, run, artifact)
    return mine
  })
}

/** Gives the runs whose claims count. */
async function write(on: Pick<ClientBase, 'query'>, claims: WrittenClaims, rows: readonly JournalRow[]): Promise<ReadonlySet<string>> {
  const entries = latestPerPath(rows)
  const query = !rows.every(isPlain)
    ? {
        name: 'toolwright.write_all',
        text: WRITE_ALL,
        values: [...columnsOf(claims, entries), ...moreOf(rows), versionsOf(entries), shieldsOf(rows)],
      }
    : ((claims.size === 1 ? fewEntries(entries) : undefined) ?? {
        name: 'toolwright.write_entries',
        text: WRITE_ENTRIES,
        values: [...columnsOf(claims, entries), versionsOf(entries)],
      })
  const { rows: written } = await on.query<{ id: string | null }>({ ...query, ...timeFor(rows) })
  return new Set(written.flatMap(({ id }) => id ?? []))
}

/** Whether the row's own claim is the one that counts. */
function counts({ run, epoch }: JournalRow, claims: WrittenClaims): boolean {
  return claims.get(run) === epoch
}

function timeFor(rows: readonly JournalRow[]): typeof PROMPT | typeof PATIENT {
  return charactersIn(rows) > LARGE_CHARACTERS ? PATIENT : PROMPT
}

function charactersIn(rows: readonly JournalRow[]): number {
  let characters = 0
  for (const { artifacts, input, data } of rows) {
    characters += (input?.length ?? 0) + (data?.length ?? 0)
    for (const { text } of artifacts ?? []) characters += text.length
  }
  return characters
}

function isPlain({ review, artifacts, event }: JournalRow): boolean {
  return review === undefined && artifacts === undefined && event === undefined
}

/** Epochs only rise: a higher one in the same batch voids the lower one. */
function latestClaims(rows: readonly JournalRow[]): WrittenClaims {
  const claims = new Map<string, number>()
  for (const { run, epoch } of rows) claims.set(run, Math.max(epoch, claims.get(run) ?? epoch))
  return claims
}

/** One statement touches a path once: what came last counts, and began when the first of them did. */
function latestPerPath(rows: readonly JournalRow[]): JournalRow[] {
  const latest = new Map<string, JournalRow>()
  for (const row of rows) {
    if (row.path === '') continue
    const place = `${row.run}\n${row.path}`
    const before = latest.get(place)
    latest.set(place, before === undefined ? row : { ...row, begunAt: before.begunAt })
  }
  return [...latest.values()]
}

/** One or two entries of one run, by statements without lists. */
function fewEntries([first, second, third]: readonly JournalRow[]): QueryConfig | undefined {
  if (first === undefined || third !== undefined) return undefined
  const values = [first.run, first.epoch, ...valuesOf(first)]
  return second === undefined
    ? { name: 'toolwright.write_entry', text: WRITE_ENTRY, values }
    : { name: 'toolwright.write_pair', text: WRITE_PAIR, values: [...values, ...valuesOf(second)] }
}

/** The values of one entry, in the order of `writingOne`. */
export function valuesOf({
  path: given,
  version,
  kind,
  tool,
  key,
  inputHash,
  input,
  data,
  begunAt,
  endedAt,
}: JournalRow): readonly unknown[] {
  const { path, fullPath } = storedPath(given)
  return [path, fullPath, kind, tool, key, inputHash, input, data, begunAt, endedAt, version]
}

function columnsOf(claims: WrittenClaims, entries: readonly JournalRow[]): unknown[] {
  const paths = entries.map(({ path }) => storedPath(path))
  const column = <T>(pick: (row: JournalRow) => T): T[] => entries.map(pick)
  return [
    [...claims.keys()],
    [...claims.values()],
    column(({ run }) => run),
    paths.map(({ path }) => path),
    paths.map(({ fullPath }) => fullPath),
    column(({ kind }) => kind),
    column(({ tool }) => tool),
    column(({ key }) => key),
    column(({ inputHash }) => inputHash),
    column(({ input }) => input),
    column(({ data }) => data),
    column(({ begunAt }) => begunAt),
    column(({ endedAt }) => endedAt),
  ]
}

function versionsOf(entries: readonly JournalRow[]): readonly number[] {
  return entries.map(({ version }) => version)
}

/** A request that is asked and withdrawn at once is one that was withdrawn. */
function moreOf(rows: readonly JournalRow[]): readonly unknown[] {
  const withdrawn = new Set(rows.flatMap(({ review }) => (review?.change === 'withdrawn' ? [review.id] : [])))
  const asked = rows.flatMap(({ run, path, review }) => (review?.change === 'asked' ? [{ run, path, ...review }] : []))
  const events = rows.flatMap(({ run, event }) => (event === undefined ? [] : [{ run, ...event }]))
  const artifacts = rows.flatMap(({ run, artifacts: kept = [] }) => kept.map((each) => ({ run, ...each })))
  return [
    asked.map(({ request }) => request.id),
    asked.map(({ run }) => run),
    asked.map(({ path }) => path),
    asked.map(({ request }) => request.tool),
    asked.map(({ request }) => request.kind),
    asked.map(({ sealed }) => sealed),
    asked.map(({ request }) => request.timeoutMs ?? null),
    asked.map(({ request }) => withdrawn.has(request.id)),
    [...withdrawn],
    events.map(({ run }) => run),
    events.map(({ type }) => type),
    events.map(({ data }) => data),
    artifacts.map(({ run }) => run),
    artifacts.map(({ id }) => id),
    artifacts.map(({ text }) => text),
  ]
}

function shieldsOf(rows: readonly JournalRow[]): readonly boolean[] {
  return rows.flatMap(({ review }) => (review?.change === 'asked' ? [review.isShielded] : []))
}

const INSERT_ARTIFACT =
  'INSERT INTO toolwright.artifact (run, id, bytes, data) VALUES ($1, $2, octet_length($3), $3) ON CONFLICT (run, id) DO NOTHING'

/** Within a transaction whose statements may take their time. */
export async function insertArtifact(client: ClientBase, run: string, { id, text }: Artifact): Promise<void> {
  await client.query({ ...PATIENT, text: INSERT_ARTIFACT, values: [run, id, text] })
}
