import type { ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedFolders } from '../../src/store/embedded-folders.ts'
import { stopEmbedded } from '../../src/store/stop-embedded.ts'
import { killChild, startChild } from './child.ts'
import { ledgerClient, type LedgerClient } from './ledger-client.ts'

/** A home with a database of its own, and a ledger. */
export interface Scene {
  readonly home: string
  readonly socket: string
  readonly ledger: LedgerClient
  /** Starts a worker process on it. */
  readonly startWorker: () => Promise<ChildProcess>
  /** Kills the server of this home outright; an open store starts it again. */
  readonly killDatabase: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openScene(): Promise<Scene> {
  const home = await mkdtemp(join(tmpdir(), 'tw-torture-'))
  await chmod(home, 0o755)
  const socket = join(home, 'ledger.sock')
  const ledgerProcess = await startChild('ledger-process.ts', { flags: [socket] })
  return {
    home,
    socket,
    ledger: ledgerClient(socket),
    startWorker: () => startChild('worker-process.ts', { order: { home, socket } }),
    killDatabase: async () => {
      const [pid = ''] = (await readFile(join(embeddedFolders(home).data, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    close: async () => {
      await killChild(ledgerProcess)
      await stopEmbedded(home)
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
