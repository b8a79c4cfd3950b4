import type pg from 'pg'

/**
 * How long a connection may take, whatever becomes of the other side. A transaction that stands still between two statements is ended before
 * its worker counts as dead, so that what it holds keeps nobody else waiting. The client gives up a little later than the server: only where
 * nothing comes back at all, as from a connection that is half open.
 */
export const CONNECTION_BOUNDS = {
  statement_timeout: 30_000,
  lock_timeout: 5000,
  idle_in_transaction_session_timeout: 5000,
  query_timeout: 35_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const satisfies pg.ClientConfig
