import { fstatSync, ftruncateSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { loadPg } from './load-pg.ts'
import { LARGEST_LOG } from './open-log.ts'
import { readPostmasterFile, waitUntilGone } from './read-postmaster-file.ts'
import { readPassword } from './server-password.ts'
import { type Watch, WATCHER } from './start-watcher.ts'

/** One watcher a server, held by a lock that ends with its connection. */
const ALONE = `select pg_try_advisory_lock(7246019283) as alone`
const CLIENTS = `select count(*)::int as clients from pg_stat_activity where backend_type = 'client backend' and application_name <> '${WATCHER}'`
/** A client that connects at the moment of the stop has this long to finish. */
const GRACE_MS = 500
const LOG = 2

await watch(JSON.parse(process.argv[2] ?? '{}') as Watch)

/** Ends with the server, however that ends: then the connection is lost. */
async function watch({ connection, data, idleStopMs, user }: Watch): Promise<void> {
  const { Client } = await loadPg()
  const password = await readPassword(data)
  if (user !== undefined) dropTo(user)
  const client = new Client({ ...connection, password, application_name: WATCHER })
  client.on('error', () => process.exit(0))
  client.on('end', () => process.exit(0))
  try {
    await client.connect()
    const { rows } = await client.query<{ alone: boolean }>(ALONE)
    if (rows[0]?.alone !== true) process.exit(0)
    await untilIdle(client, idleStopMs)
    await stop(client, data)
  } catch {
    // The server has ended.
  }
  process.exit(0)
}

async function untilIdle(client: pg.Client, idleStopMs: number): Promise<void> {
  const interval = Math.min(5000, Math.max(50, idleStopMs / 4))
  let idleSince = performance.now()
  for (;;) {
    const { rows } = await client.query<{ clients: number }>(CLIENTS)
    const now = performance.now()
    if (rows[0]?.clients !== 0) idleSince = now
    else if (now - idleSince >= idleStopMs) return
    trimLog()
    await pause(interval)
  }
}

/** First the server refuses new clients and waits for the connected ones, then it disconnects them: they start it again. */
async function stop(client: pg.Client, data: string): Promise<void> {
  const file = await readPostmasterFile(data)
  if (file === undefined) return
  // We are connected to it, so the file is of a live server.
  process.kill(file.pid, 'SIGTERM')
  client.removeAllListeners('end')
  await client.end()
  if (!(await waitUntilGone(data, file.pid, GRACE_MS))) process.kill(file.pid, 'SIGINT')
}

/** The server opens the log for appending, so it continues at the new end. */
function trimLog(): void {
  if (fstatSync(LOG).size > 2 * LARGEST_LOG) ftruncateSync(LOG, 0)
}

/** A watcher that root started gives up the rights of root. */
function dropTo({ uid, gid }: NonNullable<Watch['user']>): void {
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}
