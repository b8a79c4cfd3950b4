import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { LimitAsk, LimitBoard, LimitGrant, LimitListener, LimitNews } from '../tool/ports/limit-board.ts'
import type { LimitRules } from '../tool/ports/limit-store.ts'
import type { Migration } from './migrate.ts'
import type { SharedNotices } from './shared-notices.ts'

type Querying = Pick<Pool, 'query'>

/** Limits of an app in PostgreSQL. */
export function postgresLimits(pool: Querying, notices: SharedNotices): LimitBoard & { readonly sweep: () => Promise<unknown> } {
  const keys = new Map<string, string>()
  return {
    take: async (ask) => {
      const given = storedAsk(ask)
      remember(keys, given.key, ask.key)
      const { rows } = await pool.query<{ grant: StoredGrant }>(TAKE, [JSON.stringify(given)])
      const { granted, wait_ms, processes, is_wanted, until } = (rows[0] as { grant: StoredGrant }).grant
      return { granted, processes, isWanted: is_wanted, waitMs: wait_ms ?? undefined, until: until ?? undefined } satisfies LimitGrant
    },
    leave: (asks) => pool.query(LEAVE, [JSON.stringify(asks.map(storedAsk))]),
    on: (listener) => notices.on((kind, subject) => hear(listener, kind, { subject, keys })),
    sweep: async () => {
      for (const text of SWEEP) await pool.query(text)
    },
  }
}

/** There may be a key for each caller. News of one that was not used for long is not needed: its limiter asks again by the clock. */
const MAX_KEYS = 10_000

function remember(keys: Map<string, string>, stored: string, key: string): void {
  keys.delete(stored)
  keys.set(stored, key)
  const [oldest] = keys.keys()
  if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest)
}

interface StoredGrant {
  readonly granted: number
  readonly wait_ms: number | null
  readonly processes: number
  readonly is_wanted: boolean
  readonly until: number | null
}

interface StoredAsk extends Omit<LimitAsk, 'rules'>, LimitRules {}

function storedAsk({ key, rules, ...ask }: LimitAsk): StoredAsk {
  return { ...ask, ...rules, key: storedKey(key) }
}

/** A key may name a caller: the tool stays readable, the rest does not. */
function storedKey(key: string): string {
  const [tool = ''] = key.split(' ')
  return `${tool} ${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
}

interface Told {
  readonly subject: string
  /** The keys of this process, by the stored ones. */
  readonly keys: ReadonlyMap<string, string>
}

function hear(listener: LimitListener, kind: string, { subject, keys }: Told): void {
  if (kind === 'reconnected') listener('lost')
  if (kind !== 'limited') return
  const [holder = '', what, held, ...stored] = subject.split(' ')
  const key = keys.get(stored.join(' '))
  if (key !== undefined) listener({ what: what as LimitNews['what'], key, holder, held: Number(held) })
}

const TAKE = 'SELECT toolwright.limit_take($1::jsonb) AS grant'

/** In the order of the keys, whose rows it locks: two processes that leave do not wait for each other. */
const LEAVE = `SELECT toolwright.limit_take(ask) FROM (SELECT ask FROM jsonb_array_elements($1::jsonb) ask ORDER BY ask->>'key') asks`

/** Rows that nobody reads any more. A limiter that is asked for meanwhile is locked, and stays. */
const SWEEP = [
  `DELETE FROM toolwright.limit_use WHERE until <= now()`,
  `DELETE FROM toolwright.limit_holder WHERE until <= now()`,
  `DELETE FROM toolwright.limiter WHERE key IN (
  SELECT key FROM toolwright.limiter l WHERE changed_at < now() - interval '1 hour'
    AND NOT EXISTS (SELECT FROM toolwright.limit_use u WHERE u.key = l.key)
    AND NOT EXISTS (SELECT FROM toolwright.limit_holder h WHERE h.key = l.key) FOR UPDATE SKIP LOCKED)`,
]

/**
 * The function locks the row of the limiter first: whatever it reads afterwards holds until its statement ends. A use is kept as the time
 * when it leaves its window, rounded up to a fiftieth of the window, so that a limiter has few rows, and never counts a call for too short a time.
 * Holders that wait for a place stand in line, those with the fewest places first: while others wait, a holder gets one place at a time, and
 * none that somebody ahead of it needs. One that has not asked for two seconds is passed over.
 */
export const limitTables: Migration = {
  id: 2,
  name: 'limits',
  sql: `
CREATE TABLE toolwright.limiter (
  key text COLLATE "C" PRIMARY KEY,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE toolwright.limit_holder (
  key text COLLATE "C" NOT NULL,
  holder text NOT NULL,
  places integer NOT NULL,
  waits_since timestamptz,
  until timestamptz NOT NULL,
  PRIMARY KEY (key, holder)
);

CREATE TABLE toolwright.limit_use (
  key text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('call', 'usd')),
  until timestamptz NOT NULL,
  amount double precision NOT NULL,
  PRIMARY KEY (key, kind, until)
);

CREATE FUNCTION toolwright.limit_use_until(moment timestamptz, use_ms float8, per_ms float8) RETURNS timestamptz LANGUAGE sql AS $body$
  SELECT to_timestamp(ceil((extract(epoch FROM moment)::float8 + (use_ms + per_ms) / 1000) / (per_ms / 50000)) * (per_ms / 50000))
$body$;

CREATE FUNCTION toolwright.limit_add(of_key text, of_kind text, leaves timestamptz, of_amount float8) RETURNS void LANGUAGE sql AS $body$
  INSERT INTO toolwright.limit_use AS u (key, kind, until, amount) SELECT of_key, of_kind, leaves, of_amount WHERE of_amount <> 0
  ON CONFLICT (key, kind, until) DO UPDATE SET amount = u.amount + excluded.amount
$body$;

CREATE FUNCTION toolwright.limit_take(ask jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE
  of_key text := ask->>'key';
  me text := ask->>'holder';
  held integer := (ask->>'held')::integer;
  wanted integer := (ask->>'wanted')::integer;
  each_usd float8 := (ask->>'usd')::float8;
  use_ms float8 := (ask->>'useMs')::float8;
  concurrency integer := (ask->>'concurrency')::integer;
  most_calls float8 := (ask#>>'{rate,calls}')::float8;
  calls_ms float8 := (ask#>>'{rate,perMs}')::float8;
  most_usd float8 := (ask#>>'{cost,usd}')::float8 * (1 + 1e-9);
  usd_ms float8 := (ask#>>'{cost,perMs}')::float8;
  moment timestamptz;
  calls_until timestamptz;
  usd_until timestamptz;
  lease interval := (ask->>'leaseMs')::float8 * interval '1 ms';
  had integer;
  since timestamptz;
  was_waiting boolean;
  others integer;
  others_wait boolean;
  least_held integer;
  ahead integer;
  used float8;
  granted integer := wanted;
  has_place boolean := true;
  next_at timestamptz;
  start_at timestamptz;
  processes integer;
BEGIN
  INSERT INTO toolwright.limiter AS l (key) VALUES (of_key)
  ON CONFLICT (key) DO UPDATE SET changed_at = clock_timestamp();
  moment := clock_timestamp();
  DELETE FROM toolwright.limit_holder h WHERE h.key = of_key AND h.until <= moment;
  DELETE FROM toolwright.limit_use u WHERE u.key = of_key AND u.until <= moment;

  SELECT coalesce(sum(places) FILTER (WHERE holder <> me), 0), coalesce(max(places) FILTER (WHERE holder = me), 0),
    max(waits_since) FILTER (WHERE holder = me)
    INTO others, had, since FROM toolwright.limit_holder h WHERE h.key = of_key;
  was_waiting := since IS NOT NULL;
  since := CASE WHEN wanted > 0 THEN coalesce(since, moment) WHEN (ask->>'isWaiting')::boolean THEN since END;
  SELECT count(*) > 0, min(places), count(*) FILTER (WHERE since IS NULL OR (places, waits_since, holder) < (held, since, me))
    INTO others_wait, least_held, ahead FROM toolwright.limit_holder h
    WHERE h.key = of_key AND holder <> me AND waits_since IS NOT NULL AND h.until > moment + lease - interval '2 s';
  IF concurrency IS NOT NULL THEN
    has_place := others + held + ahead < concurrency;
    granted := least(granted, greatest(0, concurrency - others - held - ahead), CASE WHEN others_wait THEN 1 END);
  END IF;

  IF most_calls IS NOT NULL THEN
    calls_until := toolwright.limit_use_until(moment, use_ms, calls_ms);
    PERFORM toolwright.limit_add(of_key, 'call', calls_until, (ask->>'uncounted')::float8);
    SELECT coalesce(sum(amount), 0) INTO used FROM toolwright.limit_use u WHERE u.key = of_key AND kind = 'call';
    granted := least(granted, greatest(0, most_calls - used));
    IF used + 1 > most_calls THEN
      SELECT min(x.until) INTO start_at FROM (
        SELECT u.until, sum(amount) OVER (ORDER BY u.until) AS freed FROM toolwright.limit_use u WHERE u.key = of_key AND kind = 'call'
      ) x WHERE used - freed + 1 <= most_calls;
    END IF;
  END IF;

  IF most_usd IS NOT NULL THEN
    usd_until := toolwright.limit_use_until(moment, use_ms, usd_ms);
    UPDATE toolwright.limit_use u SET amount = u.amount + c.usd FROM (
      SELECT (each->>'until')::float8 AS until, sum((each->>'usd')::float8) AS usd FROM jsonb_array_elements(ask->'costs') each GROUP BY 1
    ) c WHERE u.key = of_key AND kind = 'usd' AND u.until = to_timestamp(c.until);
    PERFORM toolwright.limit_add(of_key, 'usd', usd_until, (
      SELECT coalesce(sum((each->>'usd')::float8), 0) FROM jsonb_array_elements(ask->'costs') each WHERE each->>'until' IS NULL));
    SELECT coalesce(sum(amount), 0) INTO used FROM toolwright.limit_use u WHERE u.key = of_key AND kind = 'usd';
    IF used >= (ask#>>'{cost,usd}')::float8 OR used + each_usd > most_usd THEN
      granted := 0;
      SELECT min(x.until) INTO next_at FROM (
        SELECT u.until, sum(amount) OVER (ORDER BY u.until) AS freed FROM toolwright.limit_use u WHERE u.key = of_key AND kind = 'usd'
      ) x WHERE used - freed < (ask#>>'{cost,usd}')::float8 AND used - freed + each_usd <= most_usd;
      start_at := greatest(start_at, next_at);
    ELSIF each_usd > 0 THEN
      granted := least(granted, floor((most_usd - used) / each_usd));
    END IF;
  END IF;

  IF most_calls IS NOT NULL THEN PERFORM toolwright.limit_add(of_key, 'call', calls_until, granted); END IF;
  IF most_usd IS NOT NULL THEN PERFORM toolwright.limit_add(of_key, 'usd', usd_until, granted * each_usd); END IF;
  IF wanted > 0 AND has_place THEN since := NULL; END IF;
  INSERT INTO toolwright.limit_holder AS h (key, holder, places, waits_since, until)
  VALUES (of_key, me, CASE WHEN concurrency IS NULL THEN 0 ELSE held + granted END, since, moment + lease)
  ON CONFLICT (key, holder) DO UPDATE SET places = excluded.places, waits_since = excluded.waits_since, until = excluded.until;
  SELECT count(*) INTO processes FROM toolwright.limit_holder h WHERE h.key = of_key;

  IF since IS NOT NULL AND NOT was_waiting THEN
    PERFORM pg_notify('toolwright', 'limited ' || me || ' wanted ' || held || ' ' || of_key);
  ELSIF others_wait AND held + granted < had THEN
    PERFORM pg_notify('toolwright', 'limited ' || me || ' free ' || held || ' ' || of_key);
  END IF;

  RETURN jsonb_build_object(
    'granted', granted, 'processes', processes, 'is_wanted', coalesce(least_held < held + granted, false), 'until', extract(epoch FROM usd_until)::float8,
    'wait_ms', CASE WHEN granted = 0 AND has_place AND start_at IS NOT NULL THEN ceil(greatest(1, 1000 * extract(epoch FROM start_at - moment))) END);
END
$body$;
`,
}
