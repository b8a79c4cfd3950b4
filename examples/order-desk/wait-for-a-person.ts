import assert from 'node:assert/strict'
import { InboxError } from 'toolwright'
import { refundOrder } from './refund-order.ts'
import { happens, type Scene } from './scene.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A run comes to a gate and is put away; a person changes the amount; another worker ends the run, and stays. */
export async function waitForAPerson(scene: Scene): Promise<WorkerProcess> {
  const { runtime, startWorker, mail } = scene.desk
  scene.heading('1. A run that waits for a person')
  const worker = await startWorker()
  const run = await runtime.start(refundOrder, { orderId: 'A-1001' }, { key: 'ticket-1' })
  const again = await runtime.start(refundOrder, { orderId: 'A-1001' }, { key: 'ticket-1' })
  assert.equal(again.id, run.id)
  scene.say('Ada wants her money back and clicks twice. It is the same key, so it is the same run.')

  await happens(run, (event) => event.type === 'status' && event.status === 'waiting')
  assert.equal(await worker.stop(), 0)
  const { status, why, worker: holder } = await run.status()
  assert.deepEqual([status, why?.code, holder], ['waiting', 'person', undefined])
  scene.say('The run waits for a person. No process holds it, so that costs nothing: even the only worker has gone home.', '')

  const [item] = await runtime.inbox.list({ run: run.id })
  assert.ok(item !== undefined)
  const { id, why: question, input } = item.request
  scene.say(`In the inbox:  ${question}`, `               ${JSON.stringify(input)}`)
  await runtime.inbox.edit(id, { patch: { amount: 120 } }, 'Grace')
  const late: unknown = await runtime.inbox.reject(id, 'too much', 'Hal').catch((error: unknown) => error)
  assert.ok(late instanceof InboxError)
  scene.say('Grace approves 120 of it.', `Hal is told:   ${late.message}`, 'A new worker comes, and the run goes on from where it was.')

  const next = await startWorker()
  const result = await run.result()
  await scene.showRun(run)
  const money = await scene.showMoney('A-1001')
  const [letter, ...others] = mail.mails
  scene.say(`  In the mailbox of ${letter?.to}: ${letter?.text}`, '', `The model reads: ${result.text}`)
  assert.equal(result.text, '120.00 paid back for order A-1001; told ada@example.com')
  assert.deepEqual(money, [
    { table: 'reservation', amount: '120.00', state: 'reserved', asked: 1 },
    { table: 'payout', amount: '120.00', state: 'paid', asked: 1 },
  ])
  assert.deepEqual([letter, others], [{ to: 'ada@example.com', text: 'Good news: 120.00 paid back for order A-1001.' }, []])
  return next
}
