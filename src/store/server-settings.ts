import type { EmbeddedFolders } from './embedded-folders.ts'

/** Given at every start and not kept in the data, so that a newer version of this package can change them. */
export function serverSettings({ sockets, title }: EmbeddedFolders, idleStopMs: number): Readonly<Record<string, string>> {
  return {
    // The one way in is a socket in a folder that only the server's user can enter.
    listen_addresses: '',
    unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: '5432',
    cluster_name: title,
    fsync: 'on',
    synchronous_commit: 'on',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    max_wal_size: '256MB',
    max_connections: '100',
    shared_buffers: '64MB',
    // Short statements on few rows: workers, compiled queries and the shared memory that they need would not pay.
    max_parallel_workers_per_gather: '0',
    io_method: 'sync',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // What went wrong in a statement is told to the client. Statements and their values stay out of the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    // A name of our own, which tells a later watcher what was decided.
    'toolwright.idle_stop_ms': String(idleStopMs),
  }
}
