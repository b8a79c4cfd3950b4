import type { ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedFolders } from '../../src/store/embedded-folders.ts'
import { openStore } from '../../src/store/open-store.ts'
import { stopEmbedded } from '../../src/store/stop-embedded.ts'
import type { Store } from '../../src/store/store.ts'
import { ownStore } from '../fixtures/run/own-store.ts'
import { forkChild, killChild, startChild } from './child.ts'
import { DatabaseProxy } from './database-proxy.ts'
import { ledgerClient, type LedgerClient } from './ledger-client.ts'

/** A home with a database of its own, a way to it that can go wrong, and a ledger. */
export interface Scene {
  readonly home: string
  readonly socket: string
  readonly ledger: LedgerClient
  readonly store: Store
  readonly proxy: DatabaseProxy
  /** Starts a process on it: it reaches the database by itself, or through the proxy. */
  readonly fork: (name: string, way: 'direct' | 'proxied', order: object) => ChildProcess
  /** Kills the server of this home outright; an open store starts it again. */
  readonly killDatabase: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openScene(): Promise<Scene> {
  const home = await mkdtemp(join(tmpdir(), 'tw-torture-'))
  await chmod(home, 0o755)
  const socket = join(home, 'ledger.sock')
  const ledgerProcess = await startChild('ledger-process.ts', { flags: [socket] })
  const store = ownStore(await openStore({ home }))
  const proxy = await DatabaseProxy.open(store.connection)
  return {
    home,
    socket,
    ledger: ledgerClient(socket),
    store,
    proxy,
    fork: (name, way, order) =>
      way === 'direct'
        ? forkChild(name, { order: { home, socket, ...order } })
        : forkChild(name, { order: { socket, ...order }, env: { DATABASE_URL: proxy.url } }),
    killDatabase: async () => {
      const [pid = ''] = (await readFile(join(embeddedFolders(home).data, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    close: async () => {
      await killChild(ledgerProcess)
      await proxy.close()
      await store.close()
      await stopEmbedded(home)
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
