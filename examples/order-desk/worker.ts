import { createRuntime } from 'toolwright'
import { openStore } from 'toolwright/store'
import { Bank } from './bank.ts'
import { OrderBook } from './order-book.ts'
import { PostOffice } from './post-office.ts'
import { refundOrder } from './refund-order.ts'

/** A process that carries runs on. TOOLWRIGHT_HOME says where the database is. */
const { ORDER_DESK_BANK: bankUrl = '', ORDER_DESK_SMTP: smtpPort = '' } = process.env

// Without its desk it has nothing to do.
process.on('disconnect', () => process.exit(0))
const store = await openStore()
const runtime = createRuntime({
  tools: [refundOrder],
  database: store,
  services: { orders: new OrderBook(store.pool), bank: new Bank(bankUrl), post: new PostOffice(Number(smtpPort)) },
})
await runtime.runs()
process.once('SIGTERM', () => void stop())
process.send?.('ready')

async function stop(): Promise<void> {
  await runtime.close()
  await store.close()
  process.exit(0)
}
