import assert from 'node:assert/strict'
import { refundOrder } from './refund-order.ts'
import { happens, type Scene } from './scene.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A worker is killed when the bank has paid and nobody knows it yet; another one ends the run, and the bank pays once. */
export async function surviveAKill(scene: Scene, worker: WorkerProcess): Promise<void> {
  const { runtime, startWorker, bank, mail } = scene.desk
  scene.heading('3. kill -9 in the middle of a run')
  const answer = bank.hold('C-3003')
  const run = await runtime.start(refundOrder, { orderId: 'C-3003' }, { key: 'ticket-3' })
  await answer.paid
  await worker.kill()
  answer.send()
  const { worker: dead } = await run.status()
  scene.say(
    'Cyd is to get 60 back. The bank has paid, and before its answer came the worker was killed (SIGKILL). Whether the money',
    'moved is not in the record. Another worker starts and takes over what the dead one had: at once if Linux tells it that the',
    'process has ended, else, as on another machine, after 10 seconds of silence.',
  )
  const takenOver = happens(run, (event) => event.type === 'status' && event.status === 'running' && event.worker !== dead)
  await scene.wait(Promise.all([startWorker(), takenOver]))
  const result = await run.result()
  await scene.showRun(run)
  const money = await scene.showMoney('C-3003')
  const letters = mail.mails.filter(({ to }) => to === 'cyd@example.com')
  scene.say(`  Mails to cyd@example.com: ${letters.length}`, '', `The model reads: ${result.text}`)
  assert.equal(result.text, '60.00 paid back for order C-3003; told cyd@example.com')
  assert.deepEqual(money, [
    { table: 'reservation', amount: '60.00', state: 'reserved', asked: 1 },
    { table: 'payout', amount: '60.00', state: 'paid', asked: 2 },
  ])
  assert.equal(letters.length, 1)
  scene.say('The bank was asked twice under the same idempotency key, and paid once.')
}
