import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime } from 'toolwright'
import { stopEmbedded } from 'toolwright/store'
import { scriptedModelServer } from 'toolwright/testing'
import { refundClerk } from './clerk.ts'
import { openShop } from './shop.ts'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

await using clearing = new AsyncDisposableStack()
const home = await mkdtemp(join(tmpdir(), 'durable-agent-'))
clearing.defer(() => rm(home, { recursive: true, force: true }))
Object.assign(process.env, { TOOLWRIGHT_HOME: home, DATABASE_URL: '' })
clearing.defer(async () => void (await stopEmbedded()))

// The model follows a script, so that its answers can be counted.
const model = await scriptedModelServer({
  turns: [
    { toolCalls: [{ name: 'find_orders', arguments: { email: 'ada@example.com' } }] },
    { toolCalls: [{ name: 'refund', arguments: { order: 'A-7' } }] },
    { text: 'Order A-7 is paid back.' },
  ],
})
clearing.defer(model.close)

// The first worker dies in the middle of its first tool call: the model has answered once by then.
let worker: ChildProcess | undefined
let asked = 0
const shop = await openShop(async () => {
  if (++asked > 1 || worker === undefined) return
  const exited = once(worker, 'exit')
  worker.kill('SIGKILL')
  await exited
})
clearing.defer(shop.close)

async function startWorker(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'worker.ts'), { env: { ...process.env, MODEL_URL: model.url, SHOP_URL: shop.url } })
  await once(child, 'message')
  return child
}

const clerk = refundClerk({ modelUrl: model.url, shopUrl: shop.url })
const runtime = createRuntime({ tools: [clerk], database: {}, worker: false })
clearing.defer(runtime.close)
clearing.defer(async () => {
  if (worker?.exitCode !== null || worker.signalCode !== null) return
  const exited = once(worker, 'exit')
  worker.kill('SIGKILL')
  await exited
})

worker = await startWorker()
const run = await runtime.start(clerk, { task: 'Refund the last order of ada@example.com.' })
await once(worker, 'exit')
print(`killed in the middle of find_orders: the model was asked ${model.requests.length} time`)

// Another worker takes the run: on Linux at once, since the process has ended; else after ten seconds of silence. It goes on to the gate, and parks there.
worker = await startWorker()
const waiting = run.events()[Symbol.asyncIterator]()
for (;;) {
  const { value: event, done } = await waiting.next()
  if (done === true || (event.type === 'status' && event.status === 'waiting')) break
}
await waiting.return?.()
const [item] = await runtime.inbox.list({ run: run.id })
print(`parked: ${item?.request.tool} of ${JSON.stringify(item?.request.input)}; the model was asked ${model.requests.length} times`)
await runtime.inbox.approve(item?.request.id ?? '', 'bob')

const result = await run.result()
assert.ok(result.ok)
assert.equal(result.value.turns, 3)
assert.equal(model.requests.length, 3)
assert.equal(shop.paid.size, 1)
print(`${result.text} ${result.value.turns} turns, ${model.requests.length} model calls, ${shop.paid.size} refund`)
