import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopEmbedded, type StoreOptions } from 'toolwright/store'
import { startPostgres } from '../test/fixtures/postgres/start-postgres.ts'

/** Which database is measured, and `use` of it; it is gone afterwards. Both of them sync every commit to the disk. */
export const SERVERS = {
  embedded: withEmbedded,
  url: withUrl,
} as const

export type ServerKind = keyof typeof SERVERS

/** A home of its own for the embedded server. */
export async function withEmbedded<T>(use: (database: StoreOptions & { readonly home: string }) => Promise<T>): Promise<T> {
  // A database that somebody works with would be taken in place of the home.
  delete process.env['DATABASE_URL']
  const home = mkdtempSync(join(tmpdir(), 'bench-store-'))
  try {
    return await use({ home, idleStop: '30s' })
  } finally {
    await stopEmbedded(home)
    rmSync(home, { recursive: true, force: true })
  }
}

/** A server such as somebody else runs: by TCP on the loopback, with a password. */
export async function withUrl<T>(use: (database: StoreOptions & { readonly url: string }) => Promise<T>): Promise<T> {
  const server = await startPostgres({ tcp: true, synced: true })
  const { host, port, user, password = '', database } = server.config
  try {
    return await use({ url: `postgres://${user}:${password}@${host}:${port}/${database}` })
  } finally {
    await server.stop()
  }
}
