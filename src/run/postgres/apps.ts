import type { ClientBase } from 'pg'
import { appText } from '../../store/app.ts'
import type { App } from '../../store/app-options.ts'
import type { AppStore } from '../../store/app-store.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'

const ENTER = 'INSERT INTO toolwright.app (name, environment) VALUES ($1, $2) ON CONFLICT DO NOTHING'
const OWNER = 'SELECT name, environment FROM toolwright.app'
const EXISTS = 'SELECT to_regclass($1) IS NOT NULL AS exists'

/** Where all runs of a database were kept before they belonged to apps. A parameter is never rewritten. */
const FORMER_RUNS = 'toolwright.run'

/** Writes down whose schemas these are. Gives whether they are new. */
export async function enterApp({ pool, schemas }: AppStore, app: App): Promise<boolean> {
  const { rowCount } = await pool.query(ENTER, [app.name, app.environment])
  if (rowCount === 1) return true
  const { rows } = await pool.query<App>(OWNER)
  const [owner] = rows
  if (owner !== undefined && appText(owner) === appText(app)) return false
  throw new ConfigurationError(
    'invalid_option',
    `The app ${appText(app)} cannot use this database: its schema ${schemas.tables} belongs to ${owner === undefined ? 'nobody' : appText(owner)}. Give it another name.`,
  )
}

/** Whether the database has runs from a time before there were apps. */
export async function hasFormerRuns({ pool }: AppStore): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(EXISTS, [FORMER_RUNS])
  return rows[0]?.exists === true
}

const SCHEMAS = `
SELECT n.nspname AS schema FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'app' AND c.relkind = 'r'
WHERE n.nspname LIKE $1 AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1`

/** The apps of a database that this user may see, by name. */
export async function listApps(database: Pick<ClientBase, 'query'>): Promise<readonly App[]> {
  const { rows: schemas } = await database.query<{ schema: string }>(SCHEMAS, ['toolwright\\_%'])
  if (schemas.length === 0) return []
  const { rows } = await database.query<App>(
    `${schemas.map(({ schema }) => `SELECT name, environment FROM ${schema}.app`).join(' UNION ALL ')} ORDER BY 1, 2`,
  )
  return rows
}
