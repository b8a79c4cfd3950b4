import type { OpenedRuns } from '../run/open-runs.ts'
import { appText } from '../store/app.ts'
import { CliError } from './cli-error.ts'
import { EXIT } from './exit-code.ts'

export type IdKind = 'run' | 'request'

const TABLES: Readonly<Record<IdKind, string>> = { run: 'run', request: 'approval' }
const LISTS: Readonly<Record<IdKind, string>> = { run: 'toolwright runs', request: 'toolwright approvals' }
const SHORTEST = 8

/** Finds the full id for an id or for its unique beginning. */
export async function matchId({ app, store }: Pick<OpenedRuns, 'app' | 'store'>, kind: IdKind, given: string): Promise<string> {
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT id FROM toolwright.${TABLES[kind]} WHERE id = $1 OR (starts_with(id, $1) AND $2) ORDER BY id <> $1, id LIMIT 3`,
    [given, given.length >= SHORTEST],
  )
  const [first, second] = rows.map(({ id }) => id)
  if (first === undefined) {
    const short = given.length < SHORTEST ? ` The beginning of an id needs ${SHORTEST} characters at least.` : ''
    throw new CliError(`unknown_${kind}`, `There is no ${kind} '${given}' in the app '${appText(app)}'.${short}`, {
      hint: `List them with: ${LISTS[kind]}`,
    })
  }
  if (first !== given && second !== undefined)
    throw new CliError(
      'ambiguous_id',
      `'${given}' is the beginning of several ids: ${first}, ${second}${rows.length > 2 ? ', ...' : ''}.`,
      {
        hint: 'Write more of it.',
        exit: EXIT.usage,
      },
    )
  return first
}

/** The beginning of an id, long enough to name it. */
export function shortId(id: string): string {
  return id.slice(0, SHORTEST)
}
