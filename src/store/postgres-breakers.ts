import type { Pool } from 'pg'
import type { BreakerBoard, BreakerListener, BreakerNews } from '../tool/ports/breaker-board.ts'
import type { BreakerState } from '../tool/ports/breaker-store.ts'
import type { Migration } from './migrate.ts'
import type { SharedNotices } from './shared-notices.ts'

type Querying = Pick<Pool, 'query'>

interface BreakerRow extends BreakerNews {
  readonly mine: boolean
}

/** Breakers of an app in PostgreSQL. `self` names this process; its own notices are not heard. */
export function postgresBreakers(
  pool: Querying,
  notices: SharedNotices,
  self: string,
): BreakerBoard & { readonly sweep: () => Promise<unknown> } {
  const changed = async (text: string, values: readonly unknown[]): Promise<BreakerRow> => {
    const { rows } = await pool.query<BreakerRow>(text, [...values, self])
    // A trial of which nothing is known is over.
    return rows[0] ?? { key: String(values[0]), no: 0, state: 'closed', ms: 0, mine: false }
  }
  return {
    read: async (keys) => (await pool.query<BreakerRow>(READ, [keys])).rows,
    open: (key, ms) => changed(OPEN, [key, ms]),
    beginTrial: async (key, ms) => {
      const { mine, ...news } = await changed(BEGIN_TRIAL, [key, ms])
      return { ...news, isMine: mine }
    },
    close: (key) => changed(CLOSE, [key]),
    giveUpTrial: (key) => changed(GIVE_UP, [key]),
    leave: () => pool.query(LEAVE, [self]),
    tell: ({ key, calls, failures }) => pool.query(TELL, [`${self} ${calls} ${failures} ${key}`]),
    on: (listener) => notices.on((kind, subject) => hear(listener, kind, { subject, self })),
    sweep: () => pool.query(SWEEP),
  }
}

interface Told {
  readonly subject: string
  readonly self: string
}

function hear(listener: BreakerListener, kind: string, { subject, self }: Told): void {
  if (kind === 'reconnected') listener('lost')
  if (kind !== 'circuit' && kind !== 'tally') return
  const [from, first = '', second = '', ...rest] = subject.split(' ')
  if (from === self) return
  if (kind === 'tally') listener({ key: rest.join(' '), calls: Number(first), failures: Number(second) })
  else listener({ key: rest.slice(1).join(' '), no: Number(first), state: second as BreakerState, ms: Number(rest[0]) })
}

const NOW = 'statement_timestamp()'
const MS = `greatest(0, ceil(1000 * extract(epoch FROM until - ${NOW})))::float8`
const NUMBER = "nextval('toolwright.breaker_change')"

/** A change, told to the others in the same statement; where it changes nothing, the row as it is. The number is drawn when the row is locked. */
const telling = (change: string, self: string): string => `
WITH changed AS (${change}
  RETURNING key, no, state, until
), told AS (
  SELECT key, no, state, ${MS} AS ms,
    pg_notify('toolwright', 'circuit ' || ${self} || ' ' || no || ' ' || state || ' ' || ${MS} || ' ' || key)::text AS notice FROM changed
)
SELECT key, no, state, ms, true AS mine, notice FROM told
UNION ALL
SELECT key, no, state, ${MS}, false, NULL FROM toolwright.breaker WHERE key = $1 AND NOT EXISTS (SELECT FROM told)`

const entering = (state: 'open' | 'half_open', where: string): string =>
  telling(
    `
  INSERT INTO toolwright.breaker AS b (key, no, state, until, holder)
  VALUES ($1, ${NUMBER}, '${state}', ${NOW} + $2::float8 * interval '1 ms', $3)
  ON CONFLICT (key) DO UPDATE SET no = ${NUMBER}, state = '${state}', until = excluded.until, holder = excluded.holder${where}`,
    '$3',
  )

const OPEN = entering('open', '')

const BEGIN_TRIAL = entering('half_open', `\n  WHERE b.state <> 'closed' AND b.until <= ${NOW}`)

/** A trial that was begun while the database was away is in no row: it counts if nobody else has begun one. */
const OWN_TRIAL = `key = $1 AND ((state = 'half_open' AND holder = $2) OR (state = 'open' AND until <= ${NOW}))`

const CLOSE = telling(`\n  UPDATE toolwright.breaker SET no = ${NUMBER}, state = 'closed', until = ${NOW} WHERE ${OWN_TRIAL}`, '$2')

const GIVE_UP = telling(`\n  UPDATE toolwright.breaker SET no = ${NUMBER}, state = 'open', until = ${NOW} WHERE ${OWN_TRIAL}`, '$2')

const LEAVE = telling(
  `\n  UPDATE toolwright.breaker SET no = ${NUMBER}, state = 'open', until = ${NOW} WHERE state = 'half_open' AND holder = $1`,
  '$1',
)

const TELL = "SELECT pg_notify('toolwright', 'tally ' || $1::text)"

const READ = `SELECT key, no, state, ${MS} AS ms, false AS mine FROM toolwright.breaker WHERE key = ANY($1::text[])`

/** Those that have not changed for a day are closed, or nobody calls their tools. */
const SWEEP = `DELETE FROM toolwright.breaker WHERE until < now() - interval '1 day'`

/** Breakers that have opened: none of a tool that never failed. Numbers are drawn from one sequence, so that a later change has a higher one. */
export const breakerTables: Migration = {
  id: 1,
  name: 'breakers',
  sql: `
CREATE SEQUENCE toolwright.breaker_change;

CREATE TABLE toolwright.breaker (
  key text COLLATE "C" PRIMARY KEY,
  no bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'half_open', 'closed')),
  until timestamptz NOT NULL,
  holder text NOT NULL
);
`,
}
