import type { Store } from '../../store/store.ts'
import type { EntryRow, JournalStore } from '../store/journal-store.ts'
import { PATIENT } from './time-bounds.ts'
import { writeEntries } from './write-entries.ts'

const READ_ENTRIES =
  'SELECT coalesce(full_path, path) AS path, kind, tool, key, input_hash, data FROM toolwright.entry WHERE run = $1 ORDER BY begun_no'

const READ_ARTIFACTS = 'SELECT id, data FROM toolwright.artifact WHERE run = $1 AND id = ANY($2::text[])'

const TAKE_PLAN = 'UPDATE toolwright.run SET plan = $3 WHERE id = $1 AND epoch = $2'

const NOTE_PROGRESS = 'UPDATE toolwright.run SET deaths = 1, entries_seen = $3 WHERE id = $1 AND epoch = $2'

export function postgresJournal(store: Store): JournalStore {
  const { pool } = store
  return {
    write: (rows) => writeEntries(store, rows),
    readEntries: async (run) => {
      const { rows } = await pool.query<Omit<EntryRow, 'inputHash'> & { readonly input_hash: string | null }>({
        name: 'toolwright.read_entries',
        text: READ_ENTRIES,
        values: [run],
      })
      return rows.map(({ input_hash: inputHash, ...row }) => ({ ...row, inputHash }))
    },
    readArtifacts: async (run, ids) => {
      if (ids.length === 0) return new Map()
      return store.transaction(async (client) => {
        await client.query('SET LOCAL statement_timeout = 0')
        const { rows } = await client.query<{ id: string; data: string }>({ ...PATIENT, text: READ_ARTIFACTS, values: [run, ids] })
        return new Map(rows.map(({ id, data }) => [id, data]))
      })
    },
    takePlan: async ({ id, epoch }, plan) => {
      await pool.query(TAKE_PLAN, [id, epoch, plan])
    },
    noteProgress: async ({ id, epoch }, entries) => {
      await pool.query(NOTE_PROGRESS, [id, epoch, entries])
    },
  }
}
