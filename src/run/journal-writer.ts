import type { ClientBase, QueryConfig } from 'pg'
import type { Store } from '../store/store.ts'
import { insertArtifact } from './artifact.ts'
import { isPassing } from './passing-error.ts'
import { growingPause } from './growing-pause.ts'
import type { JournalRow } from './journal-row.ts'
import type { OnStopPoint } from './stop-point.ts'

/** The run was claimed by somebody else: nothing that this claim still does counts. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
}

interface Pending {
  readonly row: JournalRow
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export interface WriterOptions {
  readonly store: Store
  readonly reach: OnStopPoint
  /** Told when the database does not answer, and again when it does. */
  readonly onTrouble: (trouble: Error | undefined) => void
}

/**
 * Writes the journals of all runs of this process, in the order in which entries come. Whatever comes while a write is under way goes with
 * the next one, in one statement and one commit. A database that is away for a while is waited for: nothing is given up.
 */
export class JournalWriter {
  readonly #options: WriterOptions
  #pending: Pending[] = []
  #isWriting = false
  #isDue = false
  #isClosed = false
  #onIdle: (() => void) | undefined

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /**
   * Resolves when the row is in the database for good; rejects with `Fenced` when it does not count. A row that nobody waits for goes with
   * the first after it that somebody does, or else when the burst of work is over.
   */
  write(row: JournalRow, isWaitedFor = true): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ row, resolve, reject })
      if (this.#isWriting || (this.#isDue && !isWaitedFor)) return
      if (isWaitedFor) {
        this.#isWriting = true
        // What is written in the same burst of work goes together.
        queueMicrotask(() => void this.#drain())
      } else {
        this.#isDue = true
        setImmediate(() => this.#drainDue())
      }
    })
  }

  /** Resolves when all that came so far is written. */
  idle(): Promise<void> {
    if (!this.#isWriting && this.#pending.length === 0) return Promise.resolve()
    return new Promise((resolve) => (this.#onIdle = resolve))
  }

  close(): void {
    this.#isClosed = true
  }

  #drainDue(): void {
    this.#isDue = false
    if (this.#isWriting || this.#pending.length === 0) return
    this.#isWriting = true
    void this.#drain()
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0 && !this.#isClosed) {
      const batch = this.#pending
      this.#pending = []
      await this.#writeBatch(batch)
    }
    this.#isWriting = false
    this.#onIdle?.()
  }

  async #writeBatch(batch: readonly Pending[]): Promise<void> {
    const pause = growingPause()
    let isTroubled = false
    while (!this.#isClosed) {
      try {
        const mine = await this.#write(batch.map(({ row }) => row))
        if (isTroubled) this.#options.onTrouble(undefined)
        for (const { row, resolve, reject } of batch)
          if (counts(row, mine)) resolve()
          else reject(new Fenced(`The run '${row.run}' was taken up elsewhere.`))
        return
      } catch (error) {
        if (!isPassing(error)) return rejectAll(batch, error as Error)
        isTroubled = true
        this.#options.onTrouble(error as Error)
        await pause()
      }
    }
  }

  async #write(rows: readonly JournalRow[]): Promise<Claims> {
    const { store, reach } = this.#options
    reach('entries.writing')
    const isPlain = rows.every(({ review, artifacts, event }) => review === undefined && artifacts === undefined && event === undefined)
    const mine = isPlain ? await writeEntries(store.pool, rows) : await store.transaction((client) => writeAll(client, rows, reach))
    reach('entries.written')
    return mine
  }
}

function rejectAll(batch: readonly Pending[], error: Error): void {
  for (const { reject } of batch) reject(error)
}

type Querying = Pick<ClientBase, 'query'>

/**
 * The share lock on the run's row fences: whoever raises the epoch waits for it, and what comes after is not written. Rows are numbered in
 * the order in which they are given: no join stands between them and their numbers, whatever plan the database makes.
 */
const WRITE_ENTRIES = `
WITH mine AS MATERIALIZED (
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
SELECT id FROM mine`

/** The same for one entry, which is all that a run that does one thing after the other has to write at a time: no lists, and so less work. */
const WRITE_ENTRY = `
WITH mine AS MATERIALIZED (
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
SELECT id FROM mine`

/** Gives the claims that count, by run. */
async function writeEntries(on: Querying, rows: readonly JournalRow[]): Promise<Claims> {
  const claims = latestClaims(rows)
  const entries = latestPerPath(rows.filter((row) => counts(row, claims)))
  const [only] = entries
  const { rows: mine } = await on.query<{ id: string }>(
    only !== undefined && entries.length === 1 && claims.size === 1 ? oneEntry(only) : manyEntries(claims, entries),
  )
  const written = new Set(mine.map(({ id }) => id))
  return new Map([...claims].filter(([run]) => written.has(run)))
}

type Claims = ReadonlyMap<string, number>

function counts({ run, epoch }: JournalRow, claims: Claims): boolean {
  return claims.get(run) === epoch
}

/** Epochs only rise: a higher one in the same batch voids the lower one. */
function latestClaims(rows: readonly JournalRow[]): Claims {
  const claims = new Map<string, number>()
  for (const { run, epoch } of rows) claims.set(run, Math.max(epoch, claims.get(run) ?? epoch))
  return claims
}

function oneEntry({ run, epoch, path, kind, tool, key, inputHash, input, data, ended, since }: JournalRow): QueryConfig {
  const values = [run, epoch, path, kind, tool, key, inputHash, input, data, ended, performance.now() - since]
  return { name: 'toolwright.write_entry', text: WRITE_ENTRY, values }
}

function manyEntries(claims: Claims, entries: readonly JournalRow[]): QueryConfig {
  const now = performance.now()
  const column = <T>(pick: (row: JournalRow) => T): T[] => entries.map(pick)
  return {
    name: 'toolwright.write_entries',
    text: WRITE_ENTRIES,
    values: [
      [...claims.keys()],
      [...claims.values()],
      column(({ run }) => run),
      column(({ path }) => path),
      column(({ kind }) => kind),
      column(({ tool }) => tool),
      column(({ key }) => key),
      column(({ inputHash }) => inputHash),
      column(({ input }) => input),
      column(({ data }) => data),
      column(({ ended }) => ended),
      column(({ since }) => now - since),
    ],
  }
}

/** One statement touches a path once: what came last counts, and began when the first of them did. */
function latestPerPath(rows: readonly JournalRow[]): JournalRow[] {
  const latest = new Map<string, JournalRow>()
  for (const row of rows) {
    if (row.path === '') continue
    const place = `${row.run}\n${row.path}`
    const before = latest.get(place)
    latest.set(place, before === undefined ? row : { ...row, since: before.since })
  }
  return [...latest.values()]
}

async function writeAll(client: ClientBase, rows: readonly JournalRow[], reach: OnStopPoint): Promise<Claims> {
  const mine = await writeEntries(client, rows)
  if (rows.some(({ review }) => review?.change === 'asked')) reach('review.asked')
  for (const row of rows) if (counts(row, mine)) await writeMore(client, row)
  return mine
}

async function writeMore(client: ClientBase, { run, path, review, artifacts, event }: JournalRow): Promise<void> {
  for (const artifact of artifacts ?? []) await insertArtifact(client, run, artifact)
  if (event !== undefined)
    await client.query('INSERT INTO toolwright.event (run, type, data) VALUES ($1, $2, $3)', [run, event.type, event.data])
  if (review?.change === 'asked') {
    const { request, sealed } = review
    await client.query(
      `INSERT INTO toolwright.approval (id, run, path, tool, kind, request, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + $7::float8 * interval '1 ms') ON CONFLICT (id) DO NOTHING`,
      [request.id, run, path, request.tool, request.kind, sealed, request.timeoutMs ?? null],
    )
    await client.query("SELECT pg_notify('toolwright', $1)", [`requested ${request.id}`])
  } else if (review !== undefined) {
    const { rowCount } = await client.query(
      "UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now() WHERE id = $1 AND status = 'open'",
      [review.id],
    )
    if (rowCount === 1) await client.query("SELECT pg_notify('toolwright', $1)", [`withdrawn ${review.id}`])
  }
}
