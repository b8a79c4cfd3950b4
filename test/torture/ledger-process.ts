/** The ledger as a process of its own, which is never killed while the others are. Its socket is its argument. */
import { serveLedger } from './effects-ledger.ts'

const [, , socket = ''] = process.argv
process.once('disconnect', () => process.exit())
await serveLedger(socket)
process.send?.('ready')
