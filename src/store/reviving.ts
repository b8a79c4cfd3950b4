import type pg from 'pg'

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

const MOST_ATTEMPTS = 3
const GONE: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'])

/** Lets a pool start its server again when a connection finds none. `query` goes this way too. */
export function reviving(pool: pg.Pool, revive: () => Promise<unknown>): pg.Pool {
  const once = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  let underway: Promise<unknown> | undefined

  const connect = async (): Promise<pg.PoolClient> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once()
      } catch (error) {
        if (attempt >= MOST_ATTEMPTS || pool.ending || !isGone(error)) throw error
        underway ??= revive().finally(() => (underway = undefined))
        await underway
      }
    }
  }

  pool.connect = ((callback?: Callback): Promise<pg.PoolClient> | undefined => {
    const connected = connect()
    if (callback === undefined) return connected
    connected.then(
      (client) => callback(undefined, client, (release) => client.release(release as Error | boolean)),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }) as pg.Pool['connect']
  return pool
}

/** No server was there, it was about to end or to start, or it ended while the connection was made. */
function isGone(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return GONE.has(code) || message === 'Connection terminated unexpectedly'
}
