import type { ClientBase } from 'pg'
import type { AppSchemas } from '../../store/app.ts'
import { inSchemas } from '../../store/app-store.ts'

type Querying = Pick<ClientBase, 'query'>

/** The fingerprint of the input of a run names its encryption key, if it was started with one. An index has these runs alone. */
const SEALED = `EXISTS (SELECT FROM toolwright.run WHERE input_hash LIKE '%.%')`
const PLAIN = `EXISTS (SELECT FROM toolwright.run WHERE input_hash NOT LIKE '%.%')`

/** Whether some run was started with an encryption key. */
export async function holdsSealed(database: Querying): Promise<boolean> {
  const { rows } = await database.query<{ sealed: boolean }>(`SELECT ${SEALED} AS sealed`)
  return rows[0]?.sealed === true
}

export interface Seals {
  /** Some run was started with an encryption key. */
  readonly sealed: boolean
  /** Some run was started without one. */
  readonly plain: boolean
}

/** For a look at a database that may have no tables of the app yet. */
export async function sealsOf(database: Querying, schemas: AppSchemas): Promise<Seals> {
  const own = inSchemas(schemas)
  const { rows: tables } = await database.query<{ exist: boolean }>(own(`SELECT to_regclass('toolwright.run') IS NOT NULL AS exist`))
  if (tables[0]?.exist !== true) return { sealed: false, plain: false }
  const { rows } = await database.query<Seals>(own(`SELECT ${SEALED} AS sealed, ${PLAIN} AS plain`))
  return rows[0] ?? { sealed: false, plain: false }
}
