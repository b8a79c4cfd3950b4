import type { Migration } from './migrate.ts'

/** The keys of `idempotent`. Fences come from one sequence, so that one is never given twice, even for a key that was freed. */
export const idempotencyMigration: Migration = {
  id: 1,
  name: 'idempotency',
  sql: `
CREATE SEQUENCE toolwright.idempotency_fence;

CREATE TABLE toolwright.idempotency (
  key text COLLATE "C" PRIMARY KEY,
  tool text NOT NULL,
  input_hash text NOT NULL,
  holder text NOT NULL,
  fence bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('held', 'done')),
  lease_until timestamptz NOT NULL,
  keep_ms double precision NOT NULL,
  keep_until timestamptz NOT NULL,
  result json,
  CHECK ((state = 'done') = (result IS NOT NULL))
);
CREATE INDEX idempotency_keep_until ON toolwright.idempotency (keep_until);
`,
}
