import type { Migration } from '../../store/migrate.ts'

/**
 * Runs and what they leave behind. `moment` numbers what happens: within a run the numbers rise in the order of commits, since every
 * writer holds the run's row. Columns of type json may hold sealed values. A path that is too long for an index stands shortened, with the
 * whole of it beside.
 */
export const runTables: Migration = {
  id: 1,
  name: 'runs',
  sql: `
CREATE SEQUENCE toolwright.moment;

CREATE TABLE toolwright.run (
  id text PRIMARY KEY,
  key text UNIQUE,
  tool text NOT NULL,
  version text NOT NULL,
  plan text NOT NULL,
  input json NOT NULL,
  input_hash text NOT NULL,
  options json NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'stopped', 'blocked')),
  why json,
  epoch integer NOT NULL DEFAULT 0,
  ticket integer NOT NULL DEFAULT 0,
  worker text,
  job uuid,
  unable text[] NOT NULL DEFAULT '{}',
  deaths integer NOT NULL DEFAULT 0,
  entries_seen integer NOT NULL DEFAULT 0,
  held_back boolean NOT NULL DEFAULT false,
  wake_at timestamptz,
  time_left_ms double precision,
  clock_runs_since timestamptz,
  cancel json,
  result json,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  ended_at timestamptz
);
CREATE INDEX run_open ON toolwright.run (status, tool) WHERE ended_at IS NULL;
CREATE INDEX run_held_back ON toolwright.run (tool, created_at) WHERE held_back;
CREATE INDEX run_created ON toolwright.run (created_at, id);
CREATE INDEX run_status ON toolwright.run (status, created_at, id);
CREATE INDEX run_ended ON toolwright.run (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX run_started ON toolwright.run (tool, started_at);

CREATE TABLE toolwright.entry (
  run text NOT NULL,
  path text COLLATE "C" NOT NULL,
  full_path text,
  kind text NOT NULL,
  tool text,
  key text,
  input_hash text,
  input json,
  data json,
  begun_no bigint NOT NULL,
  ended_no bigint,
  begun_at timestamptz NOT NULL,
  ended_at timestamptz,
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (run, path)
);

CREATE TABLE toolwright.approval (
  id text PRIMARY KEY,
  run text,
  path text NOT NULL,
  tool text NOT NULL,
  kind text NOT NULL,
  request json NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'decided', 'withdrawn')),
  assignee text,
  assignee_print text,
  decision json,
  requested_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  closed_at timestamptz
);
CREATE INDEX approval_open ON toolwright.approval (requested_at, id) WHERE status = 'open';
CREATE INDEX approval_run ON toolwright.approval (run);

CREATE TABLE toolwright.event (
  run text NOT NULL,
  no bigint NOT NULL DEFAULT nextval('toolwright.moment'),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  type text NOT NULL,
  data json NOT NULL,
  PRIMARY KEY (run, no)
);

CREATE TABLE toolwright.artifact (
  run text NOT NULL,
  id text NOT NULL,
  bytes integer NOT NULL,
  data text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run, id)
);

CREATE TABLE toolwright.worker (
  id text PRIMARY KEY,
  host text NOT NULL,
  pid integer NOT NULL,
  tools text[] NOT NULL,
  limited text[] NOT NULL DEFAULT '{}',
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
`,
}

/**
 * Requests that need several approvals: the ballot holds the votes so far, as one sealed value. Its number rises with every vote: a vote or a
 * decision counts only if no other came after the number was read.
 */
const ballots: Migration = {
  id: 2,
  name: 'ballots',
  sql: `
ALTER TABLE toolwright.approval ADD COLUMN ballot json, ADD COLUMN ballot_no integer NOT NULL DEFAULT 0;
`,
}

/** Runs whose values are sealed, by the fingerprint of their input: whether there is one is asked by every process without a key. */
const sealedRuns: Migration = {
  id: 3,
  name: 'sealed runs',
  sql: `
CREATE INDEX run_sealed ON toolwright.run ((true)) WHERE input_hash LIKE '%.%';
`,
}

/** The one app whose tables these are. */
const apps: Migration = {
  id: 4,
  name: 'app',
  sql: `
CREATE TABLE toolwright.app (
  is_owner boolean PRIMARY KEY DEFAULT true CHECK (is_owner),
  name text NOT NULL,
  environment text NOT NULL
);
`,
}

/** A call at a door looks for the open run of an equal call by the beginning of its key, among however many open runs. */
const openKeys: Migration = {
  id: 5,
  name: 'open keys',
  sql: `
CREATE INDEX run_open_key ON toolwright.run (key COLLATE "C") WHERE ended_at IS NULL AND key IS NOT NULL;
`,
}

/** Which fetch of its job a run was claimed by: only so is it known whether the worker that the run names is the one that holds the job. */
const jobAttempts: Migration = {
  id: 6,
  name: 'attempts of jobs',
  sql: `
ALTER TABLE toolwright.run ADD COLUMN job_attempt integer;
`,
}

/** The number of the latest claim of a key that a run has made. */
const keyClaims: Migration = {
  id: 7,
  name: 'claims of keys',
  sql: `
ALTER TABLE toolwright.run ADD COLUMN key_claim bigint NOT NULL DEFAULT 0;
`,
}

/** A cancelled run still waits for what a shielded call asks. Those that undo a step are known by their paths too. */
const shieldedRequests: Migration = {
  id: 8,
  name: 'requests of shielded calls',
  sql: `
ALTER TABLE toolwright.approval ADD COLUMN is_shielded boolean NOT NULL DEFAULT false;
`,
}

/** The tables of runs, step by step. */
export const runMigrations: readonly Migration[] = [
  runTables,
  ballots,
  sealedRuns,
  apps,
  openKeys,
  jobAttempts,
  keyClaims,
  shieldedRequests,
]
