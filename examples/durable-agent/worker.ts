import { createRuntime } from 'toolwright'
import { refundClerk } from './clerk.ts'

/** A process that carries runs on. TOOLWRIGHT_HOME says where the database is. */
const { MODEL_URL: modelUrl = '', SHOP_URL: shopUrl = '' } = process.env

// Without its parent it has nothing to do.
process.on('disconnect', () => process.exit(0))
const runtime = createRuntime({ tools: [refundClerk({ modelUrl, shopUrl })], database: {} })
await runtime.runs()
process.send?.('ready')
