import type { ClientBase } from 'pg'
import type { InboxItem } from '../review/inbox.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import { type ApprovalRow, itemOf } from './approval-row.ts'
import type { EntryRow } from './claimed-run.ts'
import { PATIENT } from './prompt.ts'
import type { RunArtifact } from './run-record.ts'
import { RUN_COLUMNS, type RunRow } from './run-row.ts'
import type { RunsContext } from './runs-context.ts'
import { storable } from './storable.ts'
import { unknownRun } from './unknown-run.ts'
import { artifactId, type Values } from './values.ts'

/** A run with all that hangs on it, as it was at one moment. */
export interface StoredRun {
  readonly row: FullRunRow
  /** In the order in which they began. */
  readonly entries: readonly FullEntryRow[]
  readonly approvals: readonly InboxItem[]
  readonly artifacts: readonly RunArtifact[]
  readonly events: readonly EventRow[]
  /** With which it was opened. */
  readonly values: Values
  /** What a column's text stands for: opened, and fetched from the artifacts, unless that was too large to be read. */
  readonly data: (text: string) => JsonData | RunArtifact
}

interface FullRunRow extends RunRow {
  readonly plan: string
  readonly input: string
  readonly input_hash: string
  readonly options: string
}

export interface FullEntryRow extends EntryRow {
  readonly input: string | null
  readonly begun_at: Date
  readonly ended_at: Date | null
}

interface EventRow {
  readonly no: number
  readonly at: Date
  readonly type: string
  readonly data: string
}

export interface ReadOptions {
  /** Artifacts of more bytes than this are not read. */
  readonly largest: number
}

/** Reads a run; rejects where there is none. */
export function readRun({ store, values }: RunsContext, id: string, { largest }: ReadOptions): Promise<StoredRun> {
  return store.transaction(async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query('SET LOCAL statement_timeout = 0')
    const row = await runRow(client, id)
    const entries = await client.query<FullEntryRow & { readonly full_path: string | null }>(
      'SELECT * FROM toolwright.entry WHERE run = $1 ORDER BY begun_no',
      [id],
    )
    const approvals = await client.query<ApprovalRow>('SELECT * FROM toolwright.approval WHERE run = $1 ORDER BY requested_at, id', [id])
    const events = await client.query<EventRow>('SELECT no, at, type, data FROM toolwright.event WHERE run = $1 ORDER BY no', [id])
    const artifacts = await client.query<{ id: string; bytes: number; data: string | null }>({
      ...PATIENT,
      text: 'SELECT id, bytes, CASE WHEN bytes <= $2::float8 THEN data END AS data FROM toolwright.artifact WHERE run = $1 ORDER BY created_at, id',
      values: [id, largest],
    })
    const large = new Map(artifacts.rows.map((each) => [each.id, each]))
    return {
      row,
      values,
      entries: entries.rows.map(({ full_path: fullPath, ...entry }) => ({ ...entry, path: fullPath ?? entry.path })),
      approvals: approvals.rows.map((each) => itemOf(each, values)),
      artifacts: artifacts.rows.map(({ id: artifact, bytes }) => ({ artifact, bytes })),
      events: events.rows,
      data: (text) => {
        const artifact = large.get(artifactId(text) ?? '')
        if (artifact === undefined) return values.unseal(text)
        return artifact.data === null ? { artifact: artifact.id, bytes: artifact.bytes } : values.unseal(artifact.data)
      },
    }
  })
}

async function runRow(client: ClientBase, id: string): Promise<FullRunRow> {
  const { rows } = await client.query<FullRunRow>(
    `SELECT ${RUN_COLUMNS}, plan, input, input_hash, options FROM toolwright.run WHERE id = $1`,
    [storable(id)],
  )
  if (rows[0] === undefined) throw unknownRun(id)
  return rows[0]
}
