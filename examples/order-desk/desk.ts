import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, type Runtime } from 'toolwright'
import { openStore, type Store, stopEmbedded } from 'toolwright/store'
import { type BankServer, openBank } from './bank-server.ts'
import { type MailServer, openMailServer } from './mail-server.ts'
import { refundOrder } from './refund-order.ts'
import { createTables } from './tables.ts'
import { WorkerProcess } from './worker-process.ts'

/** The front of the shop: it starts runs and decides, and leaves the work to workers. */
export interface Desk {
  readonly store: Store
  readonly runtime: Runtime
  readonly bank: BankServer
  readonly mail: MailServer
  readonly startWorker: () => Promise<WorkerProcess>
}

/** Opens a desk with a database of its own, does the work, and clears everything away, whatever comes of it. */
export async function atDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  await using clearing = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'order-desk-'))
  clearing.defer(() => rm(home, { recursive: true, force: true }))
  // For this program and for its workers. A database that the environment names is not for show.
  Object.assign(process.env, { TOOLWRIGHT_HOME: home, DATABASE_URL: '' })
  clearing.defer(async () => void (await stopEmbedded()))
  const store = await openStore({ idleStop: '20s' })
  clearing.defer(store.close)
  await createTables(store.pool)
  const bank = await openBank(store.pool)
  clearing.defer(bank.close)
  const mail = await openMailServer()
  clearing.defer(mail.close)
  const runtime = createRuntime({ tools: [refundOrder], database: store, worker: false })
  clearing.defer(runtime.close)
  const workers: WorkerProcess[] = []
  let isClosing = false
  clearing.defer(async () => {
    isClosing = true
    await Promise.all(workers.map((worker) => worker.kill()))
  })
  const startWorker = async (): Promise<WorkerProcess> => {
    if (isClosing) throw new Error('The desk is closing.')
    const worker = new WorkerProcess({ ...process.env, ORDER_DESK_BANK: bank.url, ORDER_DESK_SMTP: String(mail.port) })
    workers.push(worker)
    await worker.ready()
    return worker
  }
  await work({ store, runtime, bank, mail, startWorker })
}
