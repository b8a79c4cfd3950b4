import { createRuntime, type Runtime } from 'toolwright'
import { durableJob, Ledger } from './durable-job.ts'
import { WORK, type WorkerMessage } from './worker-message.ts'

/** For the processes that `durable-workers.ts` starts: carries runs on between an `open` and a `close`. */
let runtime: Runtime | undefined

process.on('message', (message: WorkerMessage) => void obey(message))
process.on('disconnect', () => process.exit())
process.send?.('loaded')

async function obey(message: WorkerMessage): Promise<void> {
  if (message.order === 'open') {
    const tools = Object.values(WORK).map((each) => durableJob(new Ledger(), each))
    runtime = createRuntime({ tools, database: { url: message.url } })
    await runtime.runs()
  } else await runtime?.close()
  process.send?.('done')
}
